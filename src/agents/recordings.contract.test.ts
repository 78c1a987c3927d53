/** What every adapter makes of what the real programs printed: recorded streams, by version. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentConfig } from '../model/config.ts'
import type { AgentErrorKind } from '../model/agent-error.ts'
import type { Usage } from '../model/usage.ts'
import type { TurnWork } from '../model/work.ts'
import type { AgentAdapter, AgentEvent, Ending, TurnAnswer } from './adapter.ts'
import { claudeAdapter } from './claude/index.ts'
import { codexAdapter } from './codex/index.ts'
import { geminiAdapter } from './gemini/index.ts'
import { opencodeAdapter } from './opencode/index.ts'

const root = resolve(import.meta.dirname, '../../test/recordings')

interface Recording {
  lines: string[]
  ending: Ending
  startedAt: string
  resetsAt?: string
}

/** What is to come of a recording; what is not named is not there. */
interface Expected {
  value?: object
  /** Null: the turn ended well, and only its answer may be wrong. */
  failure?: AgentErrorKind
  message?: string
  /** The recorded one: to the second, or with what a clock without seconds leaves open. */
  resets?: 'exact' | 'within a minute'
  /** Seconds after its last event, where it tells a span of time. */
  resetsIn?: number
  /** Input (all of it), output, US dollars. */
  usage?: [input: number, output: number, costUsd: number]
  /** Whether the session can be resumed; most can. */
  session?: false
  steps?: number
  doomed?: AgentErrorKind
  events?: AgentEvent[] | ((recording: Recording) => AgentEvent[])
  agent?: AgentConfig
  work?: Partial<TurnWork>
}

interface Recorded {
  adapter: AgentAdapter
  folder: string
  agent: AgentConfig
  cases: Record<string, Expected>
}

const structured = { status: 'done', summary: 'Said hello.' }

const recorded: Recorded[] = [
  {
    adapter: claudeAdapter, folder: 'claude-2.1.325', agent: { bin: 'claude', env: { TZ: 'UTC' } },
    cases: {
      'ok-text': { usage: [2_100, 30, 0.00311], steps: 1, message: 'Hello from the scripted model.' },
      'tool-write': {
        usage: [4_150, 50, 0.00376], steps: 3,
        events: [
          { type: 'message', text: 'I write the file.' },
          { type: 'tool_use', name: 'Write', input: { file_path: 'hello.txt', content: 'hello\n' } },
          { type: 'message', text: 'hello.txt is written.' },
        ],
      },
      'tool-command': {
        usage: [6_300, 70, 0.00466], steps: 5,
        events: [
          { type: 'tool_use', name: 'Bash', input: { command: 'echo one', description: 'Run a command' } },
          { type: 'command', command: 'echo one', exitCode: 0 },
          { type: 'tool_use', name: 'Bash', input: { command: 'echo two >&2; exit 3', description: 'Run a command' } },
          { type: 'command', command: 'echo two >&2; exit 3', exitCode: 3 },
          { type: 'message', text: 'The second one failed.' },
        ],
      },
      'resume-first': { usage: [2_000, 30, 0.00286] },
      'resume-second': {
        usage: [4_300, 40, 0.0018],
        work: { session: { id: 'x', spent: { inputTokens: 2_000, outputTokens: 30, costUsd: 0.00286 } } },
      },
      'mcp-report': { usage: [4_150, 50, 0.00376] },
      'structured': { value: structured, usage: [2_000, 30, 0.00286], steps: 2 },
      'structured-missing': { usage: [4_000, 60, 0.00572] },
      'structured-invalid': { value: { status: 'perhaps' }, usage: [10_000, 150, 0.0143], message: 'Output does not match' },
      'max-turns': { failure: 'max_turns', usage: [2_000, 200, 0.006], message: 'Reached maximum number of turns (2)' },
      'budget': { failure: 'budget', usage: [5_000, 100, 0.011], message: 'Reached maximum budget ($0.01)' },
      'auth-401': { failure: 'auth', doomed: 'auth', message: 'Invalid API key' },
      'forbidden-403': { failure: 'auth', message: 'Failed to authenticate.' },
      'model-404': { failure: 'config', message: 'There\'s an issue with the selected model (claude-sonnet-5).' },
      'rate-limit-429': { failure: 'rate_limited' },
      'rate-limit-429-retry-after': { failure: 'rate_limited' },
      'rate-limit-429-long': { failure: 'rate_limited' },
      'usage-limit-429': { failure: 'rate_limited' },
      'usage-limit-429-soon': { failure: 'rate_limited' },
      'overloaded-503': { failure: 'overloaded' },
      'overloaded-529': { failure: 'overloaded' },
      'overloaded-in-stream': { failure: 'overloaded', usage: [20, 2, 0.00006] },
      'overflow': { failure: 'context_overflow', message: 'Prompt is too long' },
      'dropped': { failure: 'network', usage: [10, 1, 0.00003] },
      'garbage': { failure: 'bad_response' },
      'retry-then-ok': { usage: [2_000, 30, 0.00286] },
      'interrupted': { failure: 'interrupted' },
      'terminated': { failure: 'interrupted' },
      'session-not-found': { failure: 'session_not_found', session: false, message: 'No conversation found' },
      'subscription-ok': { usage: [1_000, 100, 0] },
      'subscription-auth-401': { failure: 'auth', doomed: 'auth', message: 'Not logged in' },
      'subscription-rate-limit-429': { failure: 'rate_limited' },
      'subscription-usage-limit-429': {
        failure: 'usage_limit', resets: 'exact',
        events: ({ resetsAt = null }) => [{ type: 'quota', name: 'five_hour', used: 1, resetsAt }],
      },
      'subscription-usage-limit-429-soon': { failure: 'usage_limit', resets: 'exact', message: 'You\'ve hit your limit' },
    },
  },
  {
    adapter: codexAdapter, folder: 'codex-0.166.0',
    agent: { bin: 'codex', model: 'gpt-5.5', env: { TZ: 'UTC' }, prices: { 'gpt-5.5': { input: 2, cachedInput: 0.2, output: 10 } } },
    cases: {
      'ok-text': { usage: [2_100, 30, 0.00306], steps: 1, message: 'Hello from the scripted model.' },
      'tool-write': {
        usage: [4_150, 50, 0.00376], steps: 3,
        events: [
          { type: 'message', text: 'I write the file.' },
          { type: 'tool_use', name: 'apply_patch', input: { changes: [{ path: '{workspace}/hello.txt', kind: 'add' }] } },
          { type: 'message', text: 'hello.txt is written.' },
        ],
      },
      'tool-command': {
        usage: [6_300, 70, 0.00466], steps: 3,
        events: [
          { type: 'tool_use', name: 'exec_command', input: { command: '/bin/bash -lc \'echo one\'' } },
          { type: 'command', command: '/bin/bash -lc \'echo one\'', exitCode: 0 },
          { type: 'tool_use', name: 'exec_command', input: { command: '/bin/bash -lc \'echo two >&2; exit 3\'' } },
          { type: 'command', command: '/bin/bash -lc \'echo two >&2; exit 3\'', exitCode: 3 },
          { type: 'message', text: 'The second one failed.' },
        ],
      },
      'resume-first': { usage: [2_000, 30, 0.00286] },
      'resume-second': {
        usage: [4_300, 40, 0.0018],
        work: { session: { id: 'x', spent: { inputTokens: 2_000, outputTokens: 30, costUsd: 0.00286 } } },
      },
      'mcp-report': {
        usage: [4_150, 50, 0.00376], steps: 2,
        events: [{ type: 'tool_use', name: 'looper.report', input: { summary: 'Said hello.' } }, { type: 'message', text: 'Reported.' }],
      },
      'structured': { value: structured, usage: [2_000, 30, 0.00286], steps: 1 },
      'structured-missing': { usage: [2_000, 30, 0.00286] },
      'structured-invalid': { value: { status: 'perhaps' }, usage: [2_000, 30, 0.00286] },
      'auth-401': { failure: 'auth', message: 'Incorrect API key provided.' },
      'forbidden-403': { failure: 'auth', message: 'You are not allowed to use this model.' },
      'model-404': { failure: 'config', message: 'The model does not exist' },
      'rate-limit-429': { failure: 'rate_limited' },
      'rate-limit-429-retry-after': { failure: 'rate_limited' },
      'rate-limit-429-long': { failure: 'rate_limited' },
      'usage-limit-429': { failure: 'usage_limit', resets: 'within a minute' },
      'usage-limit-429-soon': { failure: 'usage_limit', resets: 'within a minute' },
      'overloaded-503': { failure: 'overloaded' },
      'overloaded-529': { failure: 'overloaded' },
      'overloaded-in-stream': { failure: 'overloaded' },
      'overflow': { failure: 'context_overflow' },
      'dropped': { failure: 'network' },
      // It says no more than that the stream ended too early, which a bad connection explains as well.
      'garbage': { failure: 'network' },
      'dropped-then-ok': { usage: [10, 5, 0.00007] },
      'retry-then-ok': { usage: [2_000, 30, 0.00286] },
      // Nothing tells that it was asked to stop.
      'interrupted': { failure: 'crash' },
      'terminated': { failure: 'interrupted' },
      'session-not-found': { failure: 'session_not_found', session: false, message: 'no rollout found for thread id' },
    },
  },
  {
    adapter: geminiAdapter, folder: 'gemini-0.61.0',
    agent: { bin: 'gemini', prices: { 'gemini-2.5-pro': { input: 2, cachedInput: 0.2, output: 10 } } },
    cases: {
      'ok-text': { usage: [2_100, 30, 0.00306], steps: 1, message: 'Hello from the scripted model.' },
      'tool-write': {
        usage: [4_150, 50, 0.00376], steps: 3,
        events: [
          { type: 'message', text: 'I write the file.' },
          { type: 'tool_use', name: 'write_file', input: { file_path: 'hello.txt', content: 'hello\n' } },
          { type: 'message', text: 'hello.txt is written.' },
        ],
      },
      'tool-command': {
        usage: [6_300, 70, 0.00466], steps: 5,
        events: [
          { type: 'tool_use', name: 'run_shell_command', input: { command: 'echo one', description: 'Run a command' } },
          { type: 'command', command: 'echo one', exitCode: null },
          { type: 'tool_use', name: 'run_shell_command', input: { command: 'echo two >&2; exit 3', description: 'Run a command' } },
          { type: 'command', command: 'echo two >&2; exit 3', exitCode: null },
          { type: 'message', text: 'The second one failed.' },
        ],
      },
      'resume-first': { usage: [2_000, 30, 0.00286] },
      'resume-second': {
        usage: [4_300, 40, 0.0018],
        work: { session: { id: 'x', spent: { inputTokens: 2_000, outputTokens: 30, costUsd: 0.00286 } } },
      },
      'mcp-report': {
        usage: [4_150, 50, 0.00376],
        events: [
          { type: 'tool_use', name: 'mcp_looper_report', input: { summary: 'Said hello.' } },
          { type: 'message', text: 'Reported.' },
        ],
      },
      'max-turns': { failure: 'max_turns', usage: [20, 10, 0.00014], message: 'Reached max session turns' },
      'auth-401': { failure: 'auth', session: false, message: 'Request had invalid authentication credentials.' },
      'forbidden-403': { failure: 'auth', session: false, message: 'The caller does not have permission' },
      'model-404': { failure: 'config', session: false, message: 'models/m is not found' },
      'rate-limit-429': { failure: 'rate_limited', session: false },
      'rate-limit-429-retry-after': { failure: 'rate_limited', session: false, resetsIn: 2 },
      'rate-limit-429-long': { failure: 'rate_limited', session: false, resetsIn: 7_200 },
      // It leaves out when.
      'usage-limit-429': { failure: 'usage_limit', session: false, message: 'You have exhausted your daily quota on this model.' },
      'usage-limit-429-soon': { failure: 'usage_limit', session: false },
      'overloaded-503': { failure: 'overloaded', session: false },
      'overloaded-529': { failure: 'overloaded', session: false },
      // It tells no more than that the stream ended too early.
      'overloaded-in-stream': { failure: 'network', session: false },
      'overflow': { failure: 'context_overflow', session: false },
      'dropped': { failure: 'network', session: false },
      'garbage': { failure: 'bad_response', session: false },
      'retry-then-ok': { usage: [2_000, 30, 0.00286] },
      // Asked to stop, it goes as if all were well.
      'interrupted': { failure: 'crash', session: false },
      'terminated': { failure: 'crash', session: false },
      'session-not-found': { failure: 'session_not_found', session: false, message: 'No previous sessions found' },
    },
  },
  {
    adapter: opencodeAdapter, folder: 'opencode-1.18.33', agent: { bin: 'opencode' },
    cases: {
      'ok-text': { usage: [2_100, 30, 0.00306], steps: 1, message: 'Hello from the scripted model.' },
      'tool-write': {
        usage: [4_150, 50, 0.00376], steps: 3,
        events: [
          { type: 'message', text: 'I write the file.' },
          { type: 'tool_use', name: 'write', input: { filePath: 'hello.txt', content: 'hello\n' } },
          { type: 'message', text: 'hello.txt is written.' },
        ],
      },
      'tool-command': {
        usage: [6_300, 70, 0.00466], steps: 5,
        events: [
          { type: 'tool_use', name: 'bash', input: { command: 'echo one', description: 'Run a command' } },
          { type: 'command', command: 'echo one', exitCode: 0 },
          { type: 'tool_use', name: 'bash', input: { command: 'echo two >&2; exit 3', description: 'Run a command' } },
          { type: 'command', command: 'echo two >&2; exit 3', exitCode: 3 },
          { type: 'message', text: 'The second one failed.' },
        ],
      },
      'resume-first': { usage: [2_000, 30, 0.00286] },
      'resume-second': {
        usage: [4_300, 40, 0.0018],
        work: { session: { id: 'x', spent: { inputTokens: 2_000, outputTokens: 30, costUsd: 0.00286 } } },
      },
      'mcp-report': {
        usage: [4_150, 50, 0.00376],
        events: [{ type: 'tool_use', name: 'looper_report', input: { summary: 'Said hello.' } }, { type: 'message', text: 'Reported.' }],
      },
      'auth-401': { failure: 'auth', message: 'Incorrect API key provided.' },
      'forbidden-403': { failure: 'auth', message: 'You are not allowed to use this model.' },
      'model-404': { failure: 'config', message: 'The model does not exist' },
      'rate-limit-429': { failure: 'rate_limited' },
      'rate-limit-429-retry-after': { failure: 'rate_limited', resetsIn: 2 },
      'usage-limit-429-soon': { failure: 'usage_limit', resets: 'exact' },
      // It said nothing until it was killed.
      'rate-limit-429-long': { failure: 'crash', session: false },
      'rate-limit-429-logs': { failure: 'crash', session: false },
      'usage-limit-429': { failure: 'crash', session: false },
      'overloaded-503': { failure: 'overloaded' },
      'overloaded-529': { failure: 'overloaded' },
      'overloaded-in-stream': { failure: 'overloaded', steps: 6, message: 'The server had an error' },
      'overflow': { failure: 'context_overflow' },
      'dropped': { failure: 'network' },
      // These would never have ended by themselves.
      'overflow-loop': { failure: 'context_overflow', doomed: 'context_overflow', steps: 7, usage: [70, 35, 0.00049] },
      'garbage': { failure: 'crash', doomed: 'bad_response', steps: 12 },
      'compaction-loop': { failure: 'crash', doomed: 'context_overflow', steps: 12, usage: [3_000_000, 120, 6.0012] },
      'retry-then-ok': { usage: [2_000, 30, 0.00286] },
      'interrupted': { failure: 'interrupted' },
      'terminated': { failure: 'interrupted' },
      'session-not-found': { failure: 'session_not_found', session: false, message: 'Session not found' },
    },
  },
]

const turn: TurnWork = {
  kind: 'turn', id: 'T001/a1/implement', slot: 'T001/a1', workspace: 'T001', role: 'coder', purpose: 'implement', agent: 'it',
  model: null, task: 'T001', attempt: 1, errors: [], tree: null, base: null,
}

function load(folder: string, name: string): Recording {
  const facts = JSON.parse(readFileSync(join(root, folder, `${name}.json`), 'utf8'))
  return {
    lines: readFileSync(join(root, folder, `${name}.jsonl`), 'utf8').split('\n').filter((line) => line !== ''),
    ending: { ...facts.exit, file: null, stderr: facts.stderr, extra: null }, startedAt: facts.startedAt, resetsAt: facts.resetsAt,
  }
}

const namesIn = (folder: string): string[] =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length)).toSorted()

/** Sizes of messages and times are of no interest here. */
const telling = (events: AgentEvent[]): AgentEvent[] =>
  events.filter(({ type }) => ['message', 'tool_use', 'command', 'quota'].includes(type))

describe.each(recorded)('$folder', ({ adapter, folder, agent, cases }) => {
  const parserFor = ({ startedAt }: Recording, expected: Expected) =>
    adapter.parser({ agent: { ...agent, ...expected.agent }, work: { ...turn, ...expected.work }, startedAt })

  test('every recording is expected', () => {
    expect(Object.keys(cases).toSorted()).toEqual(namesIn(folder))
  })

  test.each(Object.entries(cases))('%s (D5)', (name, expected) => {
    const recording = load(folder, name)
    const parser = parserFor(recording, expected)
    const events = recording.lines.flatMap((line) => parser.push(line))
    const answer: TurnAnswer = parser.end(recording.ending)
    const [inputTokens, outputTokens, costUsd] = expected.usage ?? [0, 0, 0]

    expect(answer.value).toEqual(expected.value ?? null)
    expect(answer.failure?.kind ?? null).toBe(expected.failure ?? null)
    expect(`${answer.failure?.message ?? ''} ${answer.problem ?? ''} ${answer.text}`).toContain(expected.message ?? '')
    expectReset(answer.failure?.resetsAt ?? null, recording, expected)
    expectUsage(answer.usage, { inputTokens, outputTokens, costUsd })
    expect(answer.usage).toEqual(parser.usage())
    expect(answer.sessionId).toBe(expected.session === false ? null : sessionIn(recording))
    expect(answer.sessionId).toBe(parser.session())
    if (expected.steps !== undefined) expect(parser.steps()).toBe(expected.steps)
    expect(parser.doomed()?.kind).toBe(expected.doomed)
    const wanted = typeof expected.events === 'function' ? expected.events(recording) : expected.events
    if (wanted !== undefined) expect(telling(events)).toEqual(wanted)
  })

  test('costs nothing where it is paid by subscription (D5)', () => {
    for (const [name, expected] of Object.entries(cases)) {
      const recording = load(folder, name)
      const parser = parserFor(recording, { ...expected, agent: { ...expected.agent, billing: 'subscription' } })
      for (const line of recording.lines) parser.push(line)
      expect(parser.end(recording.ending).usage.costUsd).toBe(0)
    }
  })

  test('what usage events tell adds up', () => {
    for (const [name, expected] of Object.entries(cases).filter(([, { failure }]) => failure === undefined)) {
      const recording = load(folder, name)
      const parser = parserFor(recording, expected)
      const told = recording.lines.flatMap((line) => parser.push(line)).flatMap((event) => event.type === 'usage' ? [event.usage] : [])
      const sum = (key: keyof Usage): number => told.reduce((total, usage) => total + usage[key], 0)
      expectUsage(parser.usage(), { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), costUsd: sum('costUsd') })
    }
  })

  test('an event nobody knows is kept as it is, and changes nothing', () => {
    const unknown = [
      '{"type":"surprise","n":1}', '{"type":"system","subtype":"surprise"}', '{"type":"item.completed","item":{"type":"surprise"}}',
      '{"n":1}', 'words', '{"type":', '[]', 'null', '',
    ]
    for (const [name, expected] of Object.entries(cases)) {
      const recording = load(folder, name)
      const [plain, disturbed] = [parserFor(recording, expected), parserFor(recording, expected)]
      for (const line of recording.lines) {
        plain.push(line)
        for (const odd of unknown) expect(disturbed.push(odd)).toEqual([{ type: 'raw', text: odd }])
        disturbed.push(line)
      }
      expect(disturbed.end(recording.ending)).toEqual(plain.end(recording.ending))
    }
  })

  test('a stream that is cut anywhere is no success', () => {
    for (const [name, expected] of Object.entries(cases)) {
      const recording = load(folder, name)
      // One that was killed while it went round in circles looks each time as if it had come to an end.
      if (recording.ending.signal === 'SIGKILL') continue
      for (let kept = 0; kept < recording.lines.length; kept++) {
        const parser = parserFor(recording, expected)
        for (const line of recording.lines.slice(0, kept)) parser.push(line)
        parser.push(recording.lines[kept]!.slice(0, -1))
        expect(parser.end({ ...recording.ending, code: 0, signal: null, stderr: '' }).failure, name).not.toBeNull()
      }
    }
  })

  test('nothing that a stream can hold makes it throw', () => {
    const recordings = Object.keys(cases).map((name) => load(folder, name))
    const disturbed = fc.constantFrom(...recordings).chain((recording) => fc.record({
      recording: fc.constant(recording),
      lines: fc.array(fc.oneof(fc.constantFrom(...recording.lines, '').chain(damaged), fc.json(), fc.string()), { maxLength: 12 }),
      ending: fc.record({
        code: fc.option(fc.nat(255)), signal: fc.constantFrom(null, 'SIGKILL', 'SIGTERM'), stderr: fc.string(),
        file: fc.option(fc.oneof(fc.string(), fc.json())), extra: fc.option(fc.oneof(fc.string(), fc.json())),
      }),
    }))
    fc.assert(fc.property(disturbed, ({ recording, lines, ending }) => {
      const parser = parserFor(recording, {})
      for (const line of lines) expect(parser.push(line).length).toBeGreaterThan(0)
      parser.skip(1e7)
      const { usage, sessionId, value } = parser.end(ending)
      expect(Object.values(usage).every((count) => Number.isFinite(count) && count >= 0)).toBe(true)
      expect(sessionId === null || /^\w[\w-]*$/.test(sessionId)).toBe(true)
      expect(value === null || (typeof value === 'object' && !Array.isArray(value))).toBe(true)
    }), { numRuns: 300 })
  })
})

/** A line cut short, with something else in the place of one of its values, or with a part of it twice. */
function damaged(line: string): fc.Arbitrary<string> {
  const cut = fc.nat(line.length).map((at) => line.slice(0, at))
  const doubled = fc.tuple(fc.nat(line.length), fc.nat(line.length)).map(([from, to]) => line.slice(0, from) + line.slice(to))
  const replaced = fc.tuple(fc.nat(200), fc.json()).map(([nth, json]) => {
    let count = 0
    return line.replace(/(?<=:)(?:"[^"\\]*"|-?\d+|true|false|null|\{|\[)/g, (value) => count++ === nth ? json : value)
  })
  return fc.oneof(fc.constant(line), cut, doubled, replaced)
}

function expectReset(found: string | null, { resetsAt, lines }: Recording, { resets, resetsIn }: Expected): void {
  if (resetsIn !== undefined) {
    const { timestamp } = JSON.parse(lines.at(-1) ?? '{}')
    return expect(found).toBe(new Date(new Date(timestamp).getTime() + resetsIn * 1_000).toISOString())
  }
  if (resets === undefined) return expect(found).toBeNull()
  const late = Date.parse(found ?? '') - Date.parse(resetsAt ?? '')
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThanOrEqual(resets === 'exact' ? 999 : 60_000)
}

function expectUsage(found: Usage, expected: Usage): void {
  expect([found.inputTokens, found.outputTokens]).toEqual([expected.inputTokens, expected.outputTokens])
  expect(found.costUsd).toBeCloseTo(expected.costUsd, 8)
}

const sessionIn = ({ lines }: Recording): string | null => {
  const first = JSON.parse(lines[0] ?? '{}')
  return first.session_id ?? first.thread_id ?? first.sessionID ?? null
}
