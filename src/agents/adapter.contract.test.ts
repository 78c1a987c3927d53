/** What every adapter has to do, played by real processes: the command agent as a shell line, the scripted agent by its player. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import type { AgentConfig } from '../model/config.ts'
import { noUsage } from '../model/usage.ts'
import type { TurnWork } from '../model/work.ts'
import type { AgentAdapter, AgentEvent, PlanRequest, TurnAnswer } from './adapter.ts'
import { commandAdapter } from './command/index.ts'
import { agentEnvironment } from './environment.ts'
import { createScriptedAdapter } from './scripted/index.ts'

const root = mkdtempSync(join(tmpdir(), 'looper-adapters-'))
afterAll(() => rmSync(root, { recursive: true }))

const work: TurnWork = {
  kind: 'turn',
  id: 'T001/a2/implement',
  slot: 'T001/a2',
  workspace: 'T001',
  role: 'coder',
  purpose: 'implement',
  agent: 'mine',
  model: 'large',
  task: 'T001',
  attempt: 2,
  errors: [],
  tree: null,
  base: null,
}

const turns = {
  answers: {
    shell: `echo '{"type":"session","id":"s-1"}'; echo '{"type":"message","text":"hi"}'
echo '{"type":"tool_use","name":"edit","input":{"file":"a"}}'; echo hello > a.txt; true
echo '{"type":"command","command":"true","exitCode":0}'; echo '{"type":"usage","inputTokens":10,"outputTokens":5,"costUsd":0.25}'
echo '{"type":"usage","inputTokens":1}'; printf '{"status":"complete","summary":"done"}' > "$LOOPER_RESULT_FILE"`,
    steps: `[{ session: s-1 }, { message: hi }, { tool_use: { name: edit, input: { file: a } } },
      { write: { path: a.txt, content: "hello\\n" } },
      { run: ["true"] }, { usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.25 } }, { usage: { inputTokens: 1 } },
      { result: { status: complete, summary: done } }]`,
  },
  fails: { shell: 'echo oops >&2; exit 3', steps: '[{ exit: 3 }]' },
  crashes: { shell: 'kill -SEGV $$', steps: '[{ signal: SIGSEGV }]' },
  complains: {
    shell: `echo '{"type":"error","kind":"usage_limit","message":"no more","resetsAt":"2030-01-01T00:00:00Z"}'; exit 1`,
    steps: '[{ error: { kind: usage_limit, message: no more, resetsAt: "2030-01-01T00:00:00Z" } }, { exit: 1 }]',
  },
  answersAndFails: {
    shell: `printf '{"status":"blocked"}' > "$LOOPER_RESULT_FILE"; exit 1`,
    steps: '[{ result: { status: blocked } }, { exit: 1 }]',
  },
  saysNothing: { shell: ':', steps: '[]' },
  babbles: { shell: `printf '{\\377\\000\\033[31m"\\n'`, steps: '[{ garbage: true }]' },
}
type Name = keyof typeof turns

const adapters: { adapter: AgentAdapter; configure(name: Name, folder: string): AgentConfig }[] = [
  { adapter: commandAdapter, configure: (name) => ({ command: ['sh', '-c', turns[name].shell] }) },
  {
    adapter: createScriptedAdapter({ playerPath: new URL('scripted/player.js', import.meta.url).pathname }),
    configure(name, folder) {
      const script = join(folder, 'script.yaml')
      writeFileSync(script, `turns:\n  - match: { role: coder, task: T001, attempt: 2 }\n    steps: ${turns[name].steps}\n`)
      return { script }
    },
  },
]

function request(folder: string, agent: AgentConfig, change: Partial<TurnWork> = {}): PlanRequest {
  return {
    env: {},
    home: '/r/homes/x',
    run: '001-x',
    work: { ...work, ...change },
    agent,
    prompt: 'Do it.\n',
    cwd: folder,
    folder: join(folder, 'turns', 'T'),
    rights: 'write',
    mcp: { command: process.execPath, args: [], env: {} },
    resultFile: join(folder, 'turns', 'T', 'result.json'),
    schemaFile: join(folder, 'turns', 'T', 'schema.json'),
    schema: '{"type":"object"}',
  }
}

function play(
  adapter: AgentAdapter,
  configure: (folder: string) => AgentConfig,
): { folder: string; events: AgentEvent[]; answer: TurnAnswer } {
  const folder = mkdtempSync(join(root, 'turn-'))
  mkdirSync(join(folder, 'turns', 'T'), { recursive: true })
  const asked = request(folder, configure(folder))
  const {
    argv: [program, ...args],
    env,
    stdin,
    files,
  } = adapter.plan(asked)
  for (const { path, content } of files) writeFileSync(path, content)
  const { stdout, stderr, status, signal } = spawnSync(program, args, {
    cwd: folder,
    env: agentEnvironment(process.env, { env }),
    input: stdin,
  })
  const parser = adapter.parser({ agent: asked.agent, work: asked.work, startedAt: new Date().toISOString() })
  const events = stdout
    .toString()
    .split('\n')
    .filter((line) => line !== '')
    .flatMap((line) => parser.push(line))
  const file = existsSync(asked.resultFile) ? readFileSync(asked.resultFile, 'utf8') : null
  return { folder, events, answer: parser.end({ code: status, signal, file, stderr: stderr.toString(), extra: null }) }
}

describe.each(adapters)('$adapter.id', ({ adapter, configure }) => {
  const run = (name: Name) => play(adapter, (folder) => configure(name, folder))

  test('works in its folder, tells what it does, answers', () => {
    const { folder, events, answer } = run('answers')
    expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('hello\n')
    expect(events.filter(({ type }) => type !== 'raw')).toEqual([
      { type: 'session', id: 's-1' },
      { type: 'message', text: 'hi' },
      { type: 'tool_use', name: 'edit', input: { file: 'a' } },
      { type: 'command', command: 'true', exitCode: 0 },
      { type: 'usage', usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.25 } },
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 0, costUsd: 0 } },
    ])
    expect(answer).toMatchObject({
      value: { status: 'complete', summary: 'done' },
      failure: null,
      problem: null,
      sessionId: 's-1',
      usage: { inputTokens: 11, outputTokens: 5, costUsd: 0.25 },
    })
  })

  test.each<[Name, object]>([
    ['fails', { value: null, failure: { kind: 'crash' } }],
    ['crashes', { value: null, failure: { kind: 'crash', message: 'the agent was ended by SIGSEGV' } }],
    ['complains', { value: null, failure: { kind: 'usage_limit', message: 'no more', resetsAt: '2030-01-01T00:00:00.000Z' } }],
    ['answersAndFails', { value: { status: 'blocked' } }],
    ['saysNothing', { value: null, failure: null, problem: 'no JSON object was given as the answer' }],
    ['babbles', { value: null, failure: null }],
  ])('%s', (name, expected) => {
    expect(run(name).answer).toMatchObject(expected)
  })

  test('a plan is pure: the same request, the same plan, and nothing on disk', () => {
    const folder = mkdtempSync(join(root, 'plan-'))
    const asked = request(folder, configure('answers', folder))
    expect(adapter.plan(asked)).toEqual(adapter.plan(asked))
    expect(existsSync(join(folder, 'turns'))).toBe(false)
  })

  test('the protocol is in the environment, and the configuration cannot bend it', () => {
    const folder = mkdtempSync(join(root, 'plan-'))
    const agent = { ...configure('answers', folder), env: { MINE: '1', LOOPER_INSIDE: '0' } }
    const asked = request(folder, agent, { task: null, model: null })
    const plan = adapter.plan(asked)
    expect(plan.env).toEqual({
      MINE: '1',
      LOOPER_RUN: '001-x',
      LOOPER_TASK: '',
      LOOPER_ROLE: 'coder',
      LOOPER_PURPOSE: 'implement',
      LOOPER_TURN: work.id,
      LOOPER_ATTEMPT: '2',
      LOOPER_RESULT_FILE: asked.resultFile,
      LOOPER_RESULT_SCHEMA: asked.schemaFile,
      LOOPER_INSIDE: '1',
    })
    const within = { session: 'auth', stage: 'draft', type: 'polish' }
    expect(adapter.plan(request(folder, agent, { within, session: { id: 's-1', spent: noUsage } })).env).toMatchObject({
      LOOPER_SESSION: 'auth', LOOPER_STAGE: 'draft', LOOPER_AGENT_SESSION: 's-1',
      CLAUDE_LOOP_AGENT: '1', CLAUDE_LOOP_SESSION: 'auth', CLAUDE_LOOP_TYPE: 'polish',
    })
    expect(plan.stdin).toBe('Do it.\n')
    expect(plan.files).toEqual([{ path: asked.schemaFile, content: '{"type":"object"}' }])
    expect(adapter.plan(request(folder, agent)).env).toMatchObject({ LOOPER_TASK: 'T001', LOOPER_MODEL: 'large' })
  })

  test('an agent that is not configured for it is refused', () => {
    expect(() => adapter.plan(request(root, {}))).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }))
  })

  test('it is asked to stop before it is made to', () => {
    expect(adapter.stopSignals).toEqual(['SIGINT', 'SIGTERM', 'SIGKILL'])
  })
})

describe('the scripted agent', () => {
  const [, { adapter }] = adapters as [unknown, (typeof adapters)[number]]
  const script =
    (text: string) =>
    (folder: string): AgentConfig => {
      writeFileSync(join(folder, 'script.yaml'), text)
      return { script: join(folder, 'script.yaml') }
    }

  test('says that the script has no such turn', () => {
    expect(play(adapter, script('turns: []')).answer.failure).toEqual({
      kind: 'config',
      message: 'the script has no turn for role=coder purpose=implement task=T001 attempt=2',
      resetsAt: null,
    })
  })

  test.each([
    ['turns:\n  - steps:\n      - jump: 1', /^script\.yaml:3: unknown key "jump"/],
    ['turns:\n  - steps:\n      - replace: { path: none.txt, find: a, with: b }', /^the script failed: ENOENT/],
    [
      'turns:\n  - steps:\n      - write: { path: a, content: b }\n      - replace: { path: a, find: zzz, with: b }',
      /a does not hold "zzz"/,
    ],
    ['turns:\n  - steps:\n      - run: [no-such-program-anywhere]', /ENOENT/],
  ])('%j is a matter of configuration', (text, message) => {
    expect(play(adapter, script(text)).answer.failure).toEqual({
      kind: 'config',
      message: expect.stringMatching(message) as string,
      resetsAt: null,
    })
  })

  test("edits files for real, with the turn's own names", () => {
    const { folder, answer } = play(
      adapter,
      script(`turns:
  - steps:
      - write: { path: "deep/\${LOOPER_TASK}.txt", content: "one two \${other}\\n" }
      - append: { path: "deep/T001.txt", content: "three\\n" }
      - replace: { path: "deep/T001.txt", find: two, with: "$& 2" }
      - write: { path: gone.txt, content: "" }
      - delete: gone.txt
      - run: [cp, deep/T001.txt, copy.txt]
      - result: { status: complete, summary: "\${LOOPER_ROLE} \${LOOPER_ATTEMPT}" }
`),
    )
    expect(readFileSync(join(folder, 'copy.txt'), 'utf8')).toBe('one $& 2 ${other}\nthree\n')
    expect(existsSync(join(folder, 'gone.txt'))).toBe(false)
    expect(answer.value).toEqual({ status: 'complete', summary: 'coder 2' })
  })

  test('floods to the byte', () => {
    const { events } = play(adapter, script('turns: [{ steps: [{ flood: 200000 }] }]'))
    expect(events.map((event) => (event.type === 'raw' ? event.text.length + 1 : 0)).reduce((a, b) => a + b) - 1).toBe(200_000)
  })
})
