/** What is recorded of every CLI: one conversation each with the scripted model. */

/** @typedef {import('./agents/agent.d.ts').Agent} Agent */
/** @typedef {import('./agents/agent.d.ts').Case} Case */

const usage = { input: 1_200, output: 30, cacheRead: 800, cacheWrite: 0 }
const later = { input: 150, output: 20, cacheRead: 2_000, cacheWrite: 0 }

/** When the limits of recorded answers are lifted, on the minute. @type {(hours: number) => string} */
const inHours = (hours) => new Date(Math.ceil((Date.now() + hours * 3_600_000) / 60_000) * 60_000).toISOString()
export const resetsAt = inHours(26)
export const resetsSoon = inHours(0.1)

const schema = {
  type: 'object', additionalProperties: false, required: ['status', 'summary'],
  properties: { status: { type: 'string', enum: ['done', 'blocked'] }, summary: { type: 'string' } },
}
const result = { status: 'done', summary: 'Said hello.' }

/** @type {(status: number, more?: object) => import('../../src/testing.ts').StepFor[]} */
const refused = (status, more = {}) => always({ status, ...more })
/** As often as any CLI tries again. @type {<T>(step: T) => T[]} */
export const always = (step) => Array.from({ length: 40 }, () => step)

/** @type {(agent: Agent) => Case[]} */
export const commonCases = (agent) => [
  { name: 'ok-text', steps: [{ text: 'Hello from the scripted model.', usage: { ...usage, cacheWrite: 100, reasoning: 8 } }] },
  {
    name: 'tool-write', prompt: 'Write hello.txt.',
    steps: [
      { text: 'I write the file.', toolCalls: [agent.write('hello.txt', 'hello\n')], usage },
      { text: 'hello.txt is written.', usage: later },
    ],
  },
  {
    name: 'tool-command', prompt: 'Run two commands.',
    steps: [
      { toolCalls: [agent.command('echo one')], usage },
      { toolCalls: [agent.command('echo two >&2; exit 3')], usage: later },
      { text: 'The second one failed.', usage: later },
    ],
  },
  {
    name: 'resume-first', prompt: 'Remember the word apple.', steps: [{ text: 'I remember apple.', usage }],
    next: {
      name: 'resume-second', prompt: 'Which word was it?',
      steps: [{ toolCalls: [agent.command('echo apple')], usage: later }, { text: 'It was apple.', usage: later }],
    },
  },
  {
    name: 'mcp-report', prompt: 'Report with the tool report of the server looper.', options: { mcp: true },
    steps: [{ toolCalls: [agent.report('Said hello.')], usage }, { text: 'Reported.', usage: later }],
  },
  { name: 'auth-401', steps: refused(401) },
  { name: 'forbidden-403', steps: refused(403) },
  { name: 'model-404', steps: refused(404) },
  { name: 'rate-limit-429', steps: refused(429) },
  { name: 'rate-limit-429-retry-after', steps: refused(429, { retryAfter: 2 }) },
  { name: 'usage-limit-429', steps: refused(429, { resetsAt, retryAfter: 26 * 3_600 }), resetsAt },
  { name: 'usage-limit-429-soon', steps: refused(429, { resetsAt: resetsSoon }), resetsAt: resetsSoon },
  { name: 'overloaded-503', steps: refused(503) },
  { name: 'overloaded-529', steps: refused(529) },
  { name: 'overloaded-in-stream', steps: refused(529, { inStream: true }) },
  { name: 'overflow', steps: always({ overflow: true }) },
  { name: 'dropped', steps: always({ text: 'This sentence is never', drop: true }) },
  { name: 'garbage', steps: always({ garbage: true }) },
  { name: 'retry-then-ok', steps: [{ status: 503 }, { status: 503 }, { text: 'At last.', usage }], options: { retries: 3 } },
  { name: 'interrupted', steps: [{ text: 'This sentence hangs', hang: true }], interrupt: 'SIGINT' },
  { name: 'terminated', steps: [{ text: 'This sentence hangs', hang: true }], interrupt: 'SIGTERM' },
  { name: 'session-not-found', steps: [{ text: 'Never said.' }], options: { session: agent.unknownSession } },
]

/** For CLIs that take a schema of the answer. @type {Case[]} */
export const structuredCases = [
  { name: 'structured', prompt: 'Report.', steps: [{ result, usage }, { text: 'Reported.', usage: later }], options: { schema } },
  { name: 'structured-missing', prompt: 'Report.', steps: always({ text: 'I would rather talk.', usage }), options: { schema } },
  { name: 'structured-invalid', prompt: 'Report.', steps: always({ result: { status: 'perhaps' }, usage }), options: { schema } },
]
