/**
 * What the conversations that are recorded of every CLI (cases.js) amount to as a rule: each CLI's own cases say what
 * is particular.
 */
import type { AgentEvent } from '../../src/agents/adapter.ts'
import type { Expected } from '../kit/adapter-contract.ts'

const first: Expected['usage'] = [2_000, 30, 0.00286]

export const usualCases: Record<string, Expected> = {
  'ok-text': { usage: [2_100, 30, 0.00306], steps: 1, message: 'Hello from the scripted model.' },
  'tool-write': { usage: [4_150, 50, 0.00376], steps: 3 },
  'tool-command': { usage: [6_300, 70, 0.00466], steps: 5 },
  'mcp-report': { usage: [4_150, 50, 0.00376] },
  'resume-first': { usage: first },
  'resume-second': {
    usage: [4_300, 40, 0.0018],
    work: { session: { id: 'x', spent: { inputTokens: first[0], outputTokens: first[1], costUsd: first[2] } } },
  },
  'auth-401': { failure: 'auth' },
  'forbidden-403': { failure: 'auth' },
  'model-404': { failure: 'config' },
  'rate-limit-429': { failure: 'rate_limited' },
  'rate-limit-429-retry-after': { failure: 'rate_limited' },
  'rate-limit-429-long': { failure: 'rate_limited' },
  'usage-limit-429': { failure: 'usage_limit' },
  'usage-limit-429-soon': { failure: 'usage_limit' },
  'overloaded-503': { failure: 'overloaded' },
  'overloaded-529': { failure: 'overloaded' },
  'overloaded-in-stream': { failure: 'overloaded' },
  overflow: { failure: 'context_overflow' },
  dropped: { failure: 'network' },
  garbage: { failure: 'bad_response' },
  'retry-then-ok': { usage: first },
  interrupted: { failure: 'interrupted' },
  terminated: { failure: 'interrupted' },
  'session-not-found': { failure: 'session_not_found', session: false },
}

/** `failing`: what is so in all cases that fail. */
export const usuallyAnd = (particular: Record<string, Expected>, failing: Expected = {}): Record<string, Expected> =>
  Object.fromEntries(
    Object.keys({ ...usualCases, ...particular }).map((name) => {
      const expected = { ...usualCases[name], ...particular[name] }
      return [name, expected.failure === undefined ? expected : { ...failing, ...expected }]
    }),
  )

/**
 * The events of `tool-write`, `mcp-report` and `tool-command`, with the CLI's own name for the tool and what it is
 * told.
 */
export const writing = (name: string, input: object): AgentEvent[] => [
  { type: 'message', text: 'I write the file.' },
  { type: 'tool_use', name, input },
  { type: 'message', text: 'hello.txt is written.' },
]
export const reporting = (name: string): AgentEvent[] => [
  { type: 'tool_use', name, input: { summary: 'Said hello.' } },
  { type: 'message', text: 'Reported.' },
]
export const running = (
  name: string,
  more: object,
  exitCodes: unknown[],
  spell = (line: string): string => line,
): AgentEvent[] => [
  ...['echo one', 'echo two >&2; exit 3'].map(spell).flatMap(
    (command, index) =>
      [
        { type: 'tool_use', name, input: { command, ...more } },
        { type: 'command', command, exitCode: exitCodes[index] },
      ] as AgentEvent[],
  ),
  { type: 'message', text: 'The second one failed.' },
]
