/** What is recorded of every CLI: one conversation each with the scripted model. */

/** @typedef {import('./agents/agent.d.ts').Agent} Agent */
/** @typedef {import('./agents/agent.d.ts').Case} Case */
/** @typedef {import('../../src/testing.ts').Script} Script */
/** @typedef {import('../../src/testing.ts').StepFor} StepFor */

const usage = { input: 1_200, output: 30, cacheRead: 800, cacheWrite: 0 }
const later = { input: 150, output: 20, cacheRead: 2_000, cacheWrite: 0 }

/** When the limits of recorded answers are lifted, on the minute. @type {(hours: number) => string} */
const inHours = (hours) => new Date(Math.ceil((Date.now() + hours * 3_600_000) / 60_000) * 60_000).toISOString()
export const resetsAt = inHours(26)
export const resetsSoon = inHours(0.1)

const schema = {
  type: 'object',
  additionalProperties: false,
  required: ['status', 'summary'],
  properties: { status: { type: 'string', enum: ['done', 'blocked'] }, summary: { type: 'string' } },
}
const result = { status: 'done', summary: 'Said hello.' }

/** @type {(status: number, more?: object) => Script} */
const refused = (status, more = {}) => always({ status, ...more })
/** However often a CLI tries. @type {(step: StepFor) => Script} */
export const always = (step) => ({ otherwise: step })

/** @type {(agent: Agent) => Case[]} */
export const commonCases = (agent) => [
  {
    name: 'ok-text',
    script: [{ text: 'Hello from the scripted model.', usage: { ...usage, cacheWrite: 100, reasoning: 8 } }],
  },
  {
    name: 'tool-write',
    prompt: 'Write hello.txt.',
    script: [
      { text: 'I write the file.', toolCalls: [agent.write('hello.txt', 'hello\n')], usage },
      { text: 'hello.txt is written.', usage: later },
    ],
  },
  {
    name: 'tool-command',
    prompt: 'Run two commands.',
    script: [
      { toolCalls: [agent.command('echo one')], usage },
      { toolCalls: [agent.command('echo two >&2; exit 3')], usage: later },
      { text: 'The second one failed.', usage: later },
    ],
  },
  {
    name: 'resume-first',
    prompt: 'Remember the word apple.',
    script: [{ text: 'I remember apple.', usage }],
    next: {
      name: 'resume-second',
      prompt: 'Which word was it?',
      script: [
        { toolCalls: [agent.command('echo apple')], usage: later },
        { text: 'It was apple.', usage: later },
      ],
    },
  },
  {
    name: 'mcp-report',
    prompt: 'Report with the tool report of the server looper.',
    options: { mcp: true },
    script: [
      { toolCalls: [agent.report('Said hello.')], usage },
      { text: 'Reported.', usage: later },
    ],
  },
  { name: 'auth-401', script: refused(401) },
  { name: 'forbidden-403', script: refused(403) },
  { name: 'model-404', script: refused(404) },
  { name: 'rate-limit-429', script: refused(429) },
  { name: 'rate-limit-429-retry-after', script: refused(429, { retryAfter: 2 }) },
  { name: 'rate-limit-429-long', script: refused(429, { retryAfter: 7_200 }) },
  { name: 'usage-limit-429', script: refused(429, { resetsAt, retryAfter: 26 * 3_600 }), resetsAt },
  { name: 'usage-limit-429-soon', script: refused(429, { resetsAt: resetsSoon }), resetsAt: resetsSoon },
  { name: 'overloaded-503', script: refused(503) },
  { name: 'overloaded-529', script: refused(529) },
  { name: 'overloaded-in-stream', script: refused(529, { inStream: true }) },
  { name: 'overflow', script: always({ overflow: true }) },
  { name: 'dropped', script: always({ text: 'This sentence is never', drop: true }) },
  { name: 'garbage', script: always({ garbage: true }) },
  {
    name: 'retry-then-ok',
    script: [{ status: 503 }, { status: 503 }, { text: 'At last.', usage }],
    options: { retries: 3 },
  },
  { name: 'interrupted', script: [{ text: 'This sentence hangs', hang: true }], interrupt: 'SIGINT' },
  { name: 'terminated', script: [{ text: 'This sentence hangs', hang: true }], interrupt: 'SIGTERM' },
  { name: 'session-not-found', script: [{ text: 'Never said.' }], options: { session: agent.unknownSession } },
]

/** For CLIs that take a schema of the answer. @type {Case[]} */
export const structuredCases = [
  {
    name: 'structured',
    prompt: 'Report.',
    script: [
      { result, usage },
      { text: 'Reported.', usage: later },
    ],
    options: { schema },
  },
  {
    name: 'structured-missing',
    prompt: 'Report.',
    script: always({ text: 'I would rather talk.', usage }),
    options: { schema },
  },
  {
    name: 'structured-invalid',
    prompt: 'Report.',
    script: always({ result: { status: 'perhaps' }, usage }),
    options: { schema },
  },
]
