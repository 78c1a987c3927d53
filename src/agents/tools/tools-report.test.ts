import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Answer, file, folder, program, talk, variables, useToolsFolder } from '../../../test/kit/tools-talk.ts'
import type { Purpose } from '../../model/purposes.ts'

useToolsFolder()

const call = (name: string, input: unknown): object => ({
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})
const said = ({ result }: Answer): string => result.content[0]!.text
const outbox = (): unknown[] =>
  readFileSync(file('outbox.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('report', () => {
  test('writes the answer to the result file, readable only by the user', async () => {
    const answers = await talk([
      call('report', { status: 'complete', summary: 'first' }),
      call('report', { status: 'complete', extra: 'é' }),
    ])
    expect(answers.map(({ result }) => result.isError)).toEqual([false, false])
    expect(JSON.parse(readFileSync(file('result.json'), 'utf8'))).toEqual({ status: 'complete', extra: 'é' })
    expect(statSync(file('result.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).toSorted()).toEqual(['result.json', 'schema.json'])
  })

  test('names what is wrong, and leaves nothing', async () => {
    const [wrong, none, list] = await talk([
      call('report', { status: 'done', files: [1] }),
      { id: 1, method: 'tools/call', params: { name: 'report' } },
      call('report', []),
    ])
    expect(said(wrong!)).toContain(
      '- status: expected one of "complete"|"blocked"|"needs_clarification"\n- files[0]: expected string',
    )
    expect(said(none!)).toContain("not a coder's answer")
    expect(said(list!)).toContain('answer: expected object')
    expect([wrong, none, list].map((answer) => answer?.result.isError)).toEqual([true, true, true])
    expect(existsSync(file('result.json'))).toBe(false)
  })

  test('an answer that Looper would not read to its end is refused', async () => {
    const [answer] = await talk([call('report', { status: 'complete', more: 'x'.repeat(4 * 1024 * 1024) })])
    expect(said(answer!)).toContain('too long')
  })

  test('says why it could not be kept', async () => {
    writeFileSync(file('a-file'), '')
    const child = spawnSync(process.execPath, [program], {
      env: { ...variables('implement'), LOOPER_RESULT_FILE: join(file('a-file'), 'result.json') },
      input: `${JSON.stringify({ jsonrpc: '2.0', ...call('report', { status: 'complete' }) })}\n`,
    })
    const { result } = JSON.parse(child.stdout.toString()) as Answer
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('ENOTDIR') }] })
  })

  test('is described even when the schema file is gone or spoilt', async () => {
    for (const content of [null, 'spoilt', '[]', '{"type":"string"}']) {
      rmSync(file('schema.json'), { force: true })
      if (content !== null) writeFileSync(file('schema.json'), content)
      const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
      const { stdout } = spawnSync(process.execPath, [program], { env: variables('test'), input })
      expect((JSON.parse(stdout.toString()) as Answer).result.tools[0]?.inputSchema).toMatchObject({
        type: 'object',
        required: ['status'],
      })
    }
  })
})

describe('reporting while working', () => {
  const decision = { title: 'Use a map', choice: 'map', alternatives: [{ option: 'list', why: 'slow' }] }
  const task = { title: 'Document it', complexity: 'simple' }
  const question = { text: 'Which port?', options: ['80', '8080'], default: '8080' }

  test('is one line each in the outbox, and returns at once', async () => {
    const answers = await talk([call('record_decision', decision), call('add_task', task), call('ask', question)])
    expect(answers.map(({ result }) => result.isError)).toEqual([false, false, false])
    expect(said(answers[2]!)).toMatch(/^Recorded\. .*continue with what does not depend on it/)
    expect(outbox()).toEqual([
      { kind: 'decision', value: decision },
      { kind: 'task', value: task },
      { kind: 'question', value: question },
    ])
    expect(statSync(file('outbox.jsonl')).mode & 0o777).toBe(0o600)
  })

  test('is refused when it is wrong', async () => {
    const huge = { title: 'A', complexity: 'huge' }
    const answers = await talk([call('record_decision', {}), call('add_task', huge), call('ask', { text: '' })])
    expect(answers.map(said)).toEqual([
      'Not accepted: title: required',
      'Not accepted: complexity: expected one of "simple"|"medium"|"complex"',
      expect.stringMatching(/^Not accepted: text: /),
    ])
    expect(existsSync(file('outbox.jsonl'))).toBe(false)
  })

  test('is bounded in size and number, also over several starts of the program', async () => {
    const [long] = await talk([call('ask', { text: 'x'.repeat(20_000) })])
    expect(long?.result.isError).toBe(true)
    for (const times of [30, 30])
      await talk(Array.from({ length: times }, (_, i) => call('ask', { text: `question ${times} ${i}` })))
    expect(outbox()).toHaveLength(50)
    await talk(
      Array.from({ length: 20 }, (_, i) => call('add_task', { title: `task ${i}`, description: 'x'.repeat(15_000) })),
    )
    expect(statSync(file('outbox.jsonl')).size).toBeLessThanOrEqual(128 * 1024)
  })

  test('is refused at once when the outbox is not a regular file', async () => {
    writeFileSync(file('victim'), 'precious')
    for (const plant of [
      () => symlinkSync(file('victim'), file('outbox.jsonl')),
      () => void spawnSync('mkfifo', [file('outbox.jsonl')]),
    ]) {
      plant()
      const [answer] = await talk([call('ask', question)])
      expect(answer?.result.isError).toBe(true)
      rmSync(file('outbox.jsonl'))
    }
    expect(readFileSync(file('victim'), 'utf8')).toBe('precious')
  })

  test.each<[Purpose, string[]]>([
    ['plan', ['report', 'record_decision', 'add_task', 'ask']],
    ['verify-task', ['report']],
    ['test', ['report']],
    ['judge', ['report']],
  ])('%s is offered only what its answer has a place for', async (purpose, names) => {
    const [answer] = await talk([{ id: 1, method: 'tools/list' }], purpose)
    expect(answer?.result.tools.map(({ name }) => name)).toEqual(names)
  })
})
