/** What the driver makes of what real agents said: recorded conversations, by version, said again by a stand-in. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { AgentEvent, TurnAnswer } from '../adapter.ts'
import { createProtocolParser } from '../protocol/protocol-parser.ts'
import { drive } from './driver/drive.ts'
import type { Instruction } from './instruction.ts'

const root = resolve(import.meta.dirname, '../../../test/recordings')
const replay = resolve(import.meta.dirname, '../../../test/kit/acp-replay.js')

type Tokens = [input: number, output: number, costUsd: number]

interface Expected {
  failure?: AgentErrorKind
  usage?: Tokens
  uses?: string[]
  /** What the session had cost before. */
  spentUsd?: number
  rights?: Instruction['rights']
}

interface Recorded {
  folder: string
  cases: Record<string, Expected>
  /** In which the agent says nothing any more, for ever. */
  silent?: string[]
  /** In which the client chose another mode than the driver does. */
  other?: string[]
}

/** As their scripts have it. */
const used = { text: [2_100, 30], write: [4_150, 50], command: [6_300, 70], first: [2_000, 30], second: [4_300, 40] } as const
const costing = (tokens: readonly [number, number], costUsd = 0): Tokens => [...tokens, costUsd]

const recorded: Recorded[] = [
  {
    folder: 'claude-agent-acp-0.99.1',
    cases: {
      'ok-text': { usage: costing(used.text, 0.00311) },
      'tool-write': { usage: costing(used.write, 0.00376), uses: ['Write'] },
      'tool-write-asking': { usage: costing(used.write, 0.00376), uses: ['Write'], rights: 'read' },
      'tool-command': { usage: costing(used.command, 0.00466), uses: ['Bash', 'Bash'] },
      'mcp-report': { usage: costing(used.write, 0.00376), uses: ['mcp__looper__report'] },
      'resume-first': { usage: costing(used.first, 0.00286) },
      'resume-second': { usage: costing(used.second, 0.0018), spentUsd: 0.00286, uses: ['Bash'] },
      'auth-401': { failure: 'auth' },
      'rate-limit-429': { failure: 'rate_limited' },
      // Whoever pays by the token is not told of windows of use.
      'usage-limit-429': { failure: 'rate_limited' },
      'overloaded-503': { failure: 'overloaded' },
      'overflow': { failure: 'context_overflow' },
      'dropped': { failure: 'network' },
      'garbage': { failure: 'bad_response' },
      'interrupted': { failure: 'interrupted' },
    },
  },
  {
    folder: 'codex-acp-2.6.0', other: ['tool-write-asking'],
    cases: {
      'ok-text': { usage: costing(used.text) },
      'tool-write': { usage: costing(used.write), uses: ['Editing files'] },
      'tool-command': { usage: costing(used.command), uses: ['exec_command', 'exec_command'] },
      'mcp-report': { usage: costing(used.write), uses: ['mcp.looper.report'] },
      'resume-first': { usage: costing(used.first) },
      'resume-second': { usage: costing(used.second), spentUsd: 0, uses: ['exec_command'] },
      'auth-401': { failure: 'auth' },
      'rate-limit-429': { failure: 'rate_limited' },
      'usage-limit-429': { failure: 'usage_limit' },
      'overloaded-503': { failure: 'overloaded' },
      'overflow': { failure: 'context_overflow' },
      'dropped': { failure: 'network' },
      'garbage': { failure: 'network' },
      'interrupted': { failure: 'interrupted' },
    },
  },
  {
    folder: 'gemini-acp-0.61.0',
    cases: {
      // It does not count its thoughts.
      'ok-text': { usage: [2_100, 22, 0] },
      'tool-write': { usage: costing(used.write), uses: ['Writing to hello.txt'] },
      'tool-write-asking': { usage: costing(used.write), uses: ['Writing to hello.txt'], rights: 'read' },
      'tool-command': { usage: costing(used.command), uses: ['echo one', 'echo two >&2; exit 3'] },
      'mcp-report': { usage: costing(used.write), uses: ['report (looper MCP Server)'] },
      'resume-first': { usage: costing(used.first) },
      // A session that is loaded in the minute in which it was begun is overwritten.
      'resume-second': { failure: 'session_not_found', spentUsd: 0 },
      'auth-401': { failure: 'auth' },
      'rate-limit-429': { failure: 'rate_limited' },
      'usage-limit-429': { failure: 'usage_limit' },
      'overloaded-503': { failure: 'overloaded' },
      'overflow': { failure: 'context_overflow' },
      'dropped': { failure: 'network' },
      'garbage': { failure: 'bad_response' },
      'interrupted': { failure: 'interrupted' },
    },
  },
  {
    folder: 'opencode-acp-1.18.33', silent: ['rate-limit-429', 'usage-limit-429', 'overloaded-503', 'dropped', 'garbage'],
    cases: {
      'ok-text': { usage: costing(used.text, 0.00306) },
      // It tells the tokens of its last request, and the cost of all.
      'tool-write': { usage: [2_150, 20, 0.00376], uses: ['write'] },
      'tool-write-asking': { usage: [2_150, 20, 0.00376], uses: ['write'] },
      'tool-command': { usage: [2_150, 20, 0.00466], uses: ['bash', 'bash'] },
      'mcp-report': { usage: [2_150, 20, 0.00376], uses: ['looper_report'] },
      'resume-first': { usage: costing(used.first, 0.00286) },
      'resume-second': { usage: [2_150, 20, 0.0018], spentUsd: 0.00286, uses: ['bash'] },
      'auth-401': { failure: 'auth' },
      'overflow': { failure: 'context_overflow' },
      'interrupted': { failure: 'interrupted' },
    },
  },
]

async function play(path: string, { spentUsd, rights = 'write' }: Expected): Promise<{ events: AgentEvent[]; answer: TurnAnswer }> {
  const id = /"sessionId\\":\\"(?<id>[^\\]+)/.exec(readFileSync(`${path}.json`, 'utf8'))?.groups?.['id'] ?? ''
  const instruction: Instruction = {
    argv: [process.execPath, replay, `${path}.jsonl`], rights, model: null, countsCost: true, mcp: { command: 'x', args: [], env: {} },
    session: spentUsd === undefined ? null : { id, spentUsd },
  }
  const parser = createProtocolParser()
  const events: AgentEvent[] = []
  const print = (event: object): void => { events.push(...parser.push(JSON.stringify(event))) }
  const code = await drive({ instruction, prompt: 'Do it.', cwd: '/', env: process.env, print, pulse: () => {} }).over
  return { events, answer: parser.end({ code, signal: null, file: null, stderr: '', extra: null }) }
}

describe.each(recorded)('$folder', ({ folder, cases, silent = [], other = [] }) => {
  test('every recording is expected to amount to something', () => {
    const names = readdirSync(join(root, folder)).filter((name) => name.endsWith('.jsonl')).map((name) => name.slice(0, -'.jsonl'.length))
    expect([...Object.keys(cases), ...silent, ...other].toSorted()).toEqual(names.toSorted())
  })

  test.concurrent.each(Object.entries(cases))('%s', async (name, expected) => {
    const path = join(root, folder, name)
    expect(existsSync(`${path}.jsonl`)).toBe(true)
    const { events, answer } = await play(path, expected)
    expect(answer.failure?.kind ?? null).toBe(expected.failure ?? null)
    expect(events.flatMap((event) => event.type === 'tool_use' ? event.name : [])).toEqual(expected.uses ?? [])
    if (expected.usage === undefined) return
    const [inputTokens, outputTokens, costUsd] = expected.usage
    expect(answer.usage).toEqual({ inputTokens, outputTokens, costUsd: expect.closeTo(costUsd, 10) })
    expect(answer.sessionId).not.toBeNull()
    expect(answer.text.trim()).not.toBe('')
  })
})
