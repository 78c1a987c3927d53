import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Purpose } from '../model/purposes.ts'
import { createFixture, shell, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import { withAsides } from './outbox.ts'
import { carriedOutbox } from './turn-folder.ts'

const line = (kind: string, value: unknown): string => JSON.stringify({ kind, value })
const merge = (answer: Record<string, unknown>, outbox: readonly string[], purpose: Purpose = 'implement') =>
  withAsides(answer, purpose, outbox.join('\n'))

describe('outbox entries become part of the answer', () => {
  const told = [
    line('decision', { title: 'D' }),
    line('task', { title: 'T' }),
    line('question', { text: 'Q', default: 'yes' }),
  ]

  test.each<[Purpose, object]>([
    [
      'implement',
      {
        decisions: [{ title: 'D', choice: '' }],
        newTasks: [{ title: 'T', complexity: 'medium' }],
        questions: [{ text: 'Q' }],
      },
    ],
    ['plan', { decisions: [{ title: 'D' }], tasks: [{ title: 'T' }], questions: [{ text: 'Q' }] }],
    ['verify-task', {}],
    ['test', {}],
    ['judge', {}],
  ])('%s, under the keys it has', async (purpose, expected) => {
    const merged = await merge({ status: 'x' }, told, purpose)
    expect(merged).toMatchObject({ status: 'x', ...expected })
    expect(Object.keys(merged).toSorted()).toEqual(['status', ...Object.keys(expected)].toSorted())
  })

  test('after what the answer says itself, and not twice', async () => {
    const own = { decisions: [{ title: 'D', choice: 'own' }, { title: 'E' }], newTasks: null }
    const merged = await merge(own, [...told, line('task', { title: 'T' }), line('decision', { title: 'F' })])
    expect(merged).toMatchObject({
      decisions: [{ title: 'D', choice: 'own' }, { title: 'E' }, { title: 'F' }],
      newTasks: [{ title: 'T' }],
    })
    expect(own).toEqual({ decisions: [{ title: 'D', choice: 'own' }, { title: 'E' }], newTasks: null })
  })

  test('where the answer has something else, that stays to be judged', async () => {
    expect(await merge({ decisions: 'none' }, told)).toMatchObject({ decisions: 'none' })
  })
})

test('lines that only an attacker would write change nothing', async () => {
  const hostile = [
    '',
    'words',
    '{',
    'null',
    '7',
    '[]',
    '{}',
    '{"kind":"decision"}',
    '{"kind":"__proto__","value":{"title":"x"}}',
    '{"kind":7,"value":{}}',
    '{"kind":"toString","value":{"title":"x"}}',
    line('task', { title: '' }),
    line('task', { title: 7 }),
    line('task', [{ title: 'x' }]),
    line('task', { title: 'x', description: 'y'.repeat(20_000) }),
    `{"kind":"task","value":${'['.repeat(1_000)}${']'.repeat(1_000)}}`,
    '{"kind":"task","value":{"__proto__":{"title":"x"}}}',
    line('task', { title: 'T', files: Array(2_000).fill('a') }),
  ]
  expect(await merge({ status: 'complete' }, hostile)).toEqual({ status: 'complete' })
  const after = await merge({ status: 'complete' }, [...hostile, line('task', { title: 'good' })])
  expect(after.newTasks).toMatchObject([{ title: 'good' }])
})

test('too much is cut off, so that the answer stays valid', async () => {
  const many = Array.from({ length: 100 }, (_, i) => line('decision', { title: `D${i}` }))
  const merged = await merge({ decisions: [{ title: 'own' }] }, many)
  expect(merged.decisions).toHaveLength(50)
  const empty = await merge({}, [...Array<string>(1_000).fill(''), line('decision', { title: 'late' })])
  expect(empty).toEqual({})
})

describe('a turn', () => {
  let fixture: Fixture
  beforeEach(() => {
    fixture = createFixture()
  })
  afterEach(() => fixture.clean())
  const complete = `printf '{"status":"complete"}' > "$LOOPER_RESULT_FILE"`
  const box = '"${LOOPER_RESULT_FILE%/*}/outbox.jsonl"'

  test('whose agent used the tools', async () => {
    const tools = resolve(import.meta.dirname, '../../dist/tools.js')
    const call = (name: string, input: object): string =>
      `echo '${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } })}'`
    const outcome = await fixture.turn(
      shell(`export LOOPER_OUTBOX=${box}
{ ${call('add_task', { title: 'T' })}; ${call('report', { status: 'complete', summary: 'by tool' })}; } | "${process.execPath}" "${tools}"
echo '{"status":"blocked","summary":"by words"}'`),
    )
    expect(outcome).toMatchObject({
      status: 'ok',
      result: { status: 'complete', summary: 'by tool', newTasks: [{ title: 'T' }] },
    })
  })

  test('without an answer has nothing to add to', async () => {
    expect(await fixture.turn(shell(`echo '${line('task', { title: 'T' })}' > ${box}`))).toMatchObject({
      status: 'invalid',
    })
  })

  test('whose answer is invalid passes its tool calls on to its repair turn, once', async () => {
    const repair = { id: `${turnId}.repair`, slot: turnId, errors: ['status: required'] }
    const tell = (...lines: string[]) => lines.map((each) => `echo '${each}' >> ${box};`).join(' ')
    const first = tell(
      line('decision', { title: 'D' }),
      line('task', { title: 'T' }),
      line('question', { text: 'Is it?' }),
    )
    const second = tell(line('task', { title: 'T' }), line('task', { title: 'U' }))
    const agents = {
      mine: shell(
        `if [ "$LOOPER_TURN" = '${turnId}' ]; then ${first} echo '{"status":"done"}'; else ${second} ${complete}; fi`,
      ),
    }
    const dispatch = fixture.create({ agents })
    dispatch.ensure(fixture.request('mine'))
    expect(await fixture.settled(dispatch)).toMatchObject({ outcome: { status: 'invalid' } })
    // Another engine may request the repair, more than once.
    for (const starts of [1, 2]) {
      const later = fixture.create({ agents })
      later.ensure({ ...fixture.request('mine', repair), starts })
      expect(await fixture.settled(later, repair.id)).toMatchObject({
        outcome: {
          status: 'ok',
          result: {
            decisions: [{ title: 'D' }],
            newTasks: [{ title: 'T' }, { title: 'U' }],
            questions: [{ text: 'Is it?' }],
          },
        },
      })
    }
    const other = { id: 'T002/a1/implement', slot: 'T002/a1/implement' }
    const unrelated = fixture.create({ agents: { mine: shell(complete) } })
    unrelated.ensure(fixture.request('mine', other))
    expect(await fixture.settled(unrelated, other.id)).toMatchObject({
      outcome: { result: { decisions: [], newTasks: [] } },
    })
  })

  test('whose outbox is not a file, or endless', async () => {
    const secret = join(fixture.runDir, 'elsewhere.jsonl')
    writeFileSync(secret, line('task', { title: 'of another user' }))
    symlinkSync(secret, join(fixture.cwd, 'link'))
    for (const make of [`cp -P link ${box}`, `mkfifo ${box}`, `mkdir ${box}`, `yes '{' | head -c 9000000 > ${box}`]) {
      const outcome = await fixture.turn(shell(`${make}; ${complete}`))
      expect(outcome).toMatchObject({ status: 'ok', result: { newTasks: [] } })
    }
  })

  test('keeps no secret in its outbox', async () => {
    const told = `echo '{"kind":"question","value":{"text":"Is '$MY_SECRET' it?"}}' > ${box}`
    const outcome = await fixture.turn(shell(`${told}; ${complete}`, { env: { MY_SECRET: 'swordfish' } }), {
      secrets: ['MY_SECRET'],
    })
    expect(outcome).toMatchObject({ result: { questions: [{ text: 'Is [MY_SECRET] it?' }] } })
    expect(readFileSync(fixture.folder().outbox, 'utf8')).toContain('Is [MY_SECRET] it?')
    await fixture.turn(shell(told, { env: { MY_SECRET: 'swordfish' } }), { secrets: ['MY_SECRET'] })
    expect(readFileSync(carriedOutbox(fixture.runDir, turnId), 'utf8')).toContain('Is [MY_SECRET] it?')
  })
})
