/** How CLIs are recorded that speak the Agent Client Protocol, themselves or through an adapter. */
import { commonCases } from '../cases.js'
import { claude } from './claude.js'
import { codex } from './codex.js'
import { gemini } from './gemini.js'
import { opencode } from './opencode.js'

const told = [
  'ok-text', 'tool-write', 'tool-command', 'resume-first', 'mcp-report', 'auth-401', 'rate-limit-429', 'usage-limit-429', 'overloaded-503',
  'overflow', 'dropped', 'garbage', 'interrupted',
]

/** @type {(name: string, install: string, mode: string | undefined, base: Agent, start: Agent['start']) => Agent} */
const acpAgent = (name, install, mode, base, start) => ({
  ...base, name, install, speaks: 'acp',
  // The protocol itself tells of MCP servers.
  start: (setup) => start({ ...setup, options: { ...setup.options, mcp: false } }),
  sessionIn: (lines) => lines.map((line) => JSON.parse(line)).find(({ result }) => result?.sessionId !== undefined).result.sessionId,
  cases: casesOf(base, mode),
})

/** @type {(base: Agent, mode: string | undefined) => Case[]} */
function casesOf(base, mode) {
  /** @type {(turn: Turn) => Turn} */
  const adapt = (turn) => ({ ...turn, script: besidesGreetings(turn.script), options: { ...turn.options, mode }, patienceMs: 30_000 })
  const cases = commonCases(base).filter(({ name }) => told.includes(name))
  const asking = cases.filter(({ name }) => name === 'tool-write')
    .map((scenario) => ({ ...adapt(scenario), name: 'tool-write-asking', options: {} }))
  return [...cases.map((scenario) => ({ ...adapt(scenario), ...(scenario.next ? { next: adapt(scenario.next) } : {}) })), ...asking]
}

/** Claude's adapter warms the model up with a request that offers no tools. @type {(script: ScriptSource) => Script} */
const besidesGreetings = (script) => ({
  rules: [{ when: ({ tools, system }) => tools.length === 0 && system.endsWith('official CLI for Claude.'), always: { text: 'Hi.' } }],
  ...('length' in script ? { steps: script } : script),
})

/** @typedef {import('./agent.d.ts').Case} Case */
/** @typedef {import('./agent.d.ts').Turn} Turn */
/** @typedef {import('../../../src/testing.ts').Script} Script */
/** @typedef {import('../../../src/testing.ts').ScriptSource} ScriptSource */
/** @typedef {import('./agent.d.ts').Agent} Agent */

export const acpAgents = [
  acpAgent('gemini-acp', 'gemini', 'yolo', gemini, (setup) =>
    ({ ...gemini.start(setup), argv: [setup.program, '--acp', '--skip-trust', '-m', 'gemini-2.5-pro'] })),
  acpAgent('opencode-acp', 'opencode', undefined, opencode, (setup) => {
    const { env } = opencode.start(setup)
    const config = { ...JSON.parse(env['OPENCODE_CONFIG_CONTENT'] ?? ''), model: 'scripted/model' }
    return { argv: [setup.program, 'acp'], env: { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify(config) } }
  }),
  acpAgent('claude-agent-acp', 'claude-agent-acp', 'bypassPermissions', claude, (setup) => {
    const { env } = claude.start(setup)
    return { argv: [setup.program], env: { ...env, ANTHROPIC_MODEL: 'claude-sonnet-5' } }
  }),
  acpAgent('codex-acp', 'codex-acp', 'agent-full-access', codex, (setup) => {
    const { argv, env } = codex.start(setup)
    const overrides = argv.filter((_, index) => argv[index - 1] === '-c')
    const config = ['model="gpt-5.5"', ...overrides, '']
    return { argv: [setup.program], env, files: { [`${setup.home}/.codex/config.toml`]: config.join('\n') } }
  }),
]
