import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../platform/process-identity.ts'
import { createFixture, shell, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import { schemaFile } from './schema-file.ts'
import { readProcess } from './turn-folder.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const complete = `printf '{"status":"complete","summary":"done"}' > "$LOOPER_RESULT_FILE"`

describe('a command agent (D5, D8)', () => {
  test('reads its prompt on stdin, works in the workspace, answers in the result file', async () => {
    const outcome = await fixture.turn(
      shell(
        `cat > got.txt; env | grep '^LOOPER_' | sort > env.txt; cat "$LOOPER_RESULT_SCHEMA" > schema.txt; ${complete}`,
      ),
    )
    expect(outcome).toMatchObject({
      status: 'ok',
      result: { status: 'complete', summary: 'done', files: [] },
      edited: [],
      sessionId: null,
    })
    const read = (name: string): string => readFileSync(join(fixture.cwd, name), 'utf8')
    expect(read('got.txt')).toBe('Do the task.\n')
    expect(JSON.parse(read('schema.txt'))).toMatchObject({ required: ['status'] })
    const { result } = fixture.folder()
    expect(read('env.txt').trim().split('\n')).toEqual([
      'LOOPER_ATTEMPT=1',
      'LOOPER_INSIDE=1',
      `LOOPER_MARK=${fixture.key}:${turnId}:1`,
      expect.stringMatching(/^LOOPER_PORT_BASE=2\d{4}$|^LOOPER_PORT_BASE=3\d{4}$/),
      'LOOPER_PURPOSE=implement',
      `LOOPER_RESULT_FILE=${result}`,
      `LOOPER_RESULT_SCHEMA=${schemaFile(fixture.runDir, 'implement')}`,
      'LOOPER_ROLE=coder',
      'LOOPER_RUN=001-test',
      'LOOPER_SLOT=1',
      'LOOPER_TASK=T001',
      `LOOPER_TURN=${turnId}`,
    ])
  })

  test('no shell touches its arguments', async () => {
    const outcome = await fixture.turn({
      command: ['node', '-e', 'console.log(JSON.stringify({status:"complete",summary:process.argv[1]}))'],
      args: ['$HOME `id` "x"'],
    })
    expect(outcome).toMatchObject({ status: 'ok', result: { summary: '$HOME `id` "x"' } })
  })

  test('its environment is an allow-list, and says that it is inside (C7)', async () => {
    const env = {
      ...process.env,
      NODE_OPTIONS: '--no-warnings',
      GITHUB_TOKEN: 'outer-token',
      ANTHROPIC_API_KEY: 'inner-token',
    }
    await fixture.turn(shell(`env > env.txt; ${complete}`, { env: { MINE: 'added' } }), { env })
    const seen = readFileSync(join(fixture.cwd, 'env.txt'), 'utf8')
    expect(seen).toContain('ANTHROPIC_API_KEY=')
    expect(seen).toContain('MINE=added')
    expect(seen).toContain('LOOPER_INSIDE=1')
    expect(seen).not.toMatch(/NODE_OPTIONS|GITHUB_TOKEN/)
  })

  test('its configuration passes more variables by name, and secret values are masked', async () => {
    const env = { ...process.env, AWS_REGION: 'eu-north-1', AWS_SECRET_ACCESS_KEY: 'swordfish' }
    const agent = shell(
      `printf '{"status":"complete","summary":"%s"}' "$AWS_REGION $AWS_SECRET_ACCESS_KEY" > "$LOOPER_RESULT_FILE"`,
    )
    expect(await fixture.turn({ ...agent, pass: ['AWS_REGION', 'AWS_SECRET_ACCESS_KEY'] }, { env })).toMatchObject({
      result: { summary: 'eu-north-1 [AWS_SECRET_ACCESS_KEY]' },
    })
  })

  test('the valid answer decides, not the exit code and not an error event', async () => {
    const outcome = await fixture.turn(
      shell(
        `echo '{"type":"error","kind":"network"}'; echo '{"type":"session","id":"s1"}'; echo '{"status":"blocked"}'; exit 9`,
      ),
    )
    expect(outcome).toMatchObject({ status: 'ok', result: { status: 'blocked' }, sessionId: 's1' })
  })

  test('its files are private, and report which process it was', async () => {
    const noted = 'while [ ! -s "${LOOPER_RESULT_FILE%/*}/process.json" ]; do sleep 0.01; done'
    await fixture.turn(shell(`echo out; echo err >&2; ${noted}; ${complete}`))
    const folder = fixture.folder()
    expect(statSync(folder.path).mode & 0o777).toBe(0o700)
    for (const name of readdirSync(folder.path).filter((file) => file !== 'result.json')) {
      expect(`${name} ${(statSync(join(folder.path, name)).mode & 0o777).toString(8)}`).toBe(`${name} 600`)
    }
    expect(readFileSync(folder.stream, 'utf8')).toBe('out\n')
    expect(readFileSync(folder.stderr, 'utf8')).toBe('err\n')
    expect(isAlive(readProcess(folder)!)).toBe(false)
  })
})

test('quotas that an agent only writes down count like printed ones', async () => {
  const bin = join(fixture.runDir, 'codex.mjs')
  writeFileSync(
    bin,
    `#!/usr/bin/env node
    import fs from 'node:fs'
    const [id, timestamp] = ['01a1e193-bd2d-7d33-9564-4d3473c77081', new Date().toISOString()]
    const folder = process.env.CODEX_HOME + '/sessions/2026/11/15'
    fs.mkdirSync(folder, { recursive: true })
    const payload = { type: 'token_count', rate_limits: { primary: { used_percent: 25, window_minutes: 300 }, plan_type: 'plus' } }
    fs.writeFileSync(folder + '/rollout-x-' + id + '.jsonl', JSON.stringify({ timestamp, type: 'event_msg', payload }))
    console.log(JSON.stringify({ type: 'thread.started', thread_id: id }))`,
    { mode: 0o755 },
  )
  const { quotas } = await fixture.turn({ type: 'codex', bin, env: { CODEX_HOME: join(fixture.runDir, 'codex') } })
  expect(quotas).toEqual([{ name: 'five_hour', used: 0.25, resetsAt: null }])
})

describe('secrets', () => {
  test('names of quotas contain no secret and no escape sequence, and their length is limited', async () => {
    const bin = join(fixture.runDir, 'agent.mjs')
    writeFileSync(
      bin,
      `#!/usr/bin/env node
      const windows = [process.env.MY_SECRET, '\\u001b[31mred', '0'.repeat(1000)].map((name) => [name, { utilization: 0.5 }])
      console.log(JSON.stringify({ type: 'rate_limit_event', rate_limit_info: { unifiedWindows: Object.fromEntries(windows) } }))`,
      { mode: 0o755 },
    )
    const { quotas } = await fixture.turn({ type: 'claude', bin, env: { MY_SECRET: 'swordfish' } })
    expect(quotas?.map(({ name }) => name)).toEqual(['[MY_SECRET]', 'red', `…${'0'.repeat(99)}`])
  })

  test('are in none of the kept files and not in the result', async () => {
    const agent = shell(
      `cat; echo "token $MY_SECRET"; echo "key $OPENAI_API_KEY" >&2
printf '{"status":"complete","summary":"%s"}' "$MY_SECRET" > "$LOOPER_RESULT_FILE"`,
      { env: { MY_SECRET: 'swordfish', OPENAI_API_KEY: 'sk-abcdef' } },
    )
    const outcome = await fixture.turn(agent, { secrets: ['MY_SECRET'] })
    expect(outcome).toMatchObject({ status: 'ok', result: { summary: '[MY_SECRET]' } })
    const { stream, stderr, result, path } = fixture.folder()
    expect(readFileSync(stream, 'utf8')).toBe('Do the task.\ntoken [MY_SECRET]\n')
    expect(readFileSync(stderr, 'utf8')).toBe('key [OPENAI_API_KEY]\n')
    expect(JSON.parse(readFileSync(result, 'utf8'))).toMatchObject({ summary: '[MY_SECRET]' })
    for (const name of readdirSync(path))
      expect(readFileSync(join(path, name), 'utf8')).not.toMatch(/swordfish|sk-abcdef/)
  })

  test('of the orchestrator itself are masked too, wherever the agent found them', async () => {
    const outcome = await fixture.turn(shell(`echo '{"status":"complete","summary":"outer-secret"}'`), {
      secrets: ['OUTER'],
      env: { ...process.env, OUTER: 'outer-secret' },
    })
    expect(outcome).toMatchObject({ status: 'ok', result: { summary: '[OUTER]' } })
  })
})

describe('the port', () => {
  test('ensuring twice starts once; released work is forgotten', async () => {
    const dispatch = fixture.create({ agents: { mine: shell(`echo x >> count.txt; ${complete}`) } })
    expect(dispatch.inspect([turnId])).toEqual(new Map([[turnId, { state: 'absent' }]]))
    dispatch.ensure(fixture.request('mine'))
    dispatch.ensure(fixture.request('mine'))
    expect(dispatch.inspect([turnId]).get(turnId)).toMatchObject({ state: 'running' })
    dispatch.release(turnId)
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'done' })
    dispatch.ensure(fixture.request('mine'))
    expect(readFileSync(join(fixture.cwd, 'count.txt'), 'utf8')).toBe('x\n')
    dispatch.release(turnId)
    expect(dispatch.inspect([turnId]).get(turnId)).toEqual({ state: 'absent' })
  })

  test('a later start of lost work is new work, in a folder of its own', async () => {
    const dispatch = fixture.create({ agents: { mine: shell(complete), slow: shell('sleep 60') } })
    dispatch.ensure(fixture.request('slow'))
    dispatch.cancel(turnId, 'now')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    dispatch.ensure({ ...fixture.request('mine'), starts: 2 })
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'done' })
    expect(existsSync(fixture.folder(turnId, 2).result)).toBe(true)
  })

  test('usage under way is seen while the turn runs', async () => {
    const dispatch = fixture.create({
      agents: {
        mine: shell(`echo '{"type":"usage","costUsd":0.5}'; while [ ! -e go ]; do sleep 0.02; done; ${complete}`),
      },
    })
    dispatch.ensure(fixture.request('mine'))
    await new Promise<void>((resolve) => {
      const unwatch = dispatch.watch(() => {
        unwatch()
        resolve()
      })
    })
    expect(dispatch.inspect([turnId]).get(turnId)).toEqual({
      state: 'running',
      usage: { inputTokens: 0, outputTokens: 0, costUsd: 0.5 },
    })
    writeFileSync(join(fixture.cwd, 'go'), '')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'done', outcome: { usage: { costUsd: 0.5 } } })
  })

  test('quiet waits for everything under way', async () => {
    const dispatch = fixture.create({ agents: { mine: shell(`sleep 0.1; ${complete}`) } })
    await dispatch.quiet()
    for (const id of ['a', 'b']) dispatch.ensure(fixture.request('mine', { id }))
    await dispatch.quiet()
    expect([...dispatch.inspect(['a', 'b']).values()].map(({ state }) => state)).toEqual(['done', 'done'])
  })
})

test('the scripted agent is dispatched like any other', async () => {
  const script = join(fixture.runDir, 'script.yaml')
  writeFileSync(
    script,
    `turns:
  - match: { task: T001 }
    steps: [{ write: { path: a.txt, content: hi } }, { background: 60 }, { usage: { inputTokens: 3 } }, { result: { status: complete } }]
`,
  )
  expect(await fixture.turn({ script })).toMatchObject({ status: 'ok', usage: { inputTokens: 3 } })
  expect(readFileSync(join(fixture.cwd, 'a.txt'), 'utf8')).toBe('hi')
  expect(fixture.alive()).toEqual([])
})
