/** How OpenCode is recorded, with a provider that speaks OpenAI's Chat Completions. */
import { always, commonCases } from '../cases.js'

/** @type {import('./agent.d.ts').Agent} */
export const opencode = {
  name: 'opencode',
  unknownSession: 'ses_000000000000000000000000000',
  write: (path, content) => ({ name: 'write', input: { filePath: path, content } }),
  command: (command) => ({ name: 'bash', input: { command, description: 'Run a command' } }),
  report: (summary) => ({ name: 'looper_report', input: { summary } }),
  start: ({ program, baseUrls, mcpServer, options }) => ({
    argv: [
      program, 'run', '--format', 'json', '--auto', '-m', 'scripted/model', ...(options.session ? ['--session', options.session] : []),
      ...(options.logs ? ['--print-logs', '--log-level', 'ERROR'] : []),
    ],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: { scripted: provider(baseUrls.openai) }, share: 'disabled',
        ...(options.mcp ? { mcp: { looper: { type: 'local', command: mcpServer, enabled: true } } } : {}),
      }),
    },
  }),
  sessionIn: (lines) => lines.map((line) => JSON.parse(line)).find(({ sessionID }) => sessionID !== undefined).sessionID,
  cases: [],
}

/** @type {(baseURL: string) => object} */
const provider = (baseURL) => ({
  npm: '@ai-sdk/openai-compatible', name: 'Scripted', options: { baseURL, apiKey: 'scripted' },
  models: { model: { name: 'Model', cost: { input: 2, output: 10, cache_read: 0.2 }, limit: { context: 200_000, output: 32_000 } } },
})

/** These it bears in silence for ever. @type {Record<string, number>} */
const endless = { 'rate-limit-429-long': 15_000, 'usage-limit-429': 15_000 }

/** What it would repeat for ever; after some rounds there is silence. @type {(step: StepFor) => Script} */
const rounds = (step) => ({ steps: Array.from({ length: 12 }, () => step), otherwise: { hang: 'silent' } })

opencode.cases = [
  ...commonCases(opencode).map((scenario) => (scenario.name === 'garbage'
    ? { ...scenario, script: rounds({ garbage: true }), patienceMs: 15_000 }
    : { ...scenario, patienceMs: endless[scenario.name] })),
  // It makes the conversation shorter again and again, because the model says each time that it was too long.
  { name: 'compaction-loop', script: rounds({ text: 'More.', usage: { input: 250_000, output: 10 } }), patienceMs: 15_000 },
  {
    name: 'overflow-loop', patienceMs: 15_000,
    script: { rules: [{ when: ({ tools }) => tools.length === 0, always: { text: 'What happened so far.' } }], ...rounds({ overflow: true }) },
  },
  // Only its logs tell at once that something is wrong.
  { name: 'rate-limit-429-logs', script: always({ status: 429 }), options: { logs: true }, patienceMs: 15_000 },
]

/** @typedef {import('../../../src/testing.ts').Script} Script */
/** @typedef {import('../../../src/testing.ts').StepFor} StepFor */
