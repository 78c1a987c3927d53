/** How Claude Code is recorded. */
import { always, commonCases, resetsAt, resetsSoon, structuredCases } from '../cases.js'

const usage = { input: 1_000, output: 100, cacheRead: 0, cacheWrite: 0 }

/** @type {import('./agent.d.ts').Agent} */
export const claude = {
  name: 'claude',
  unknownSession: '00000000-0000-4000-8000-000000000000',
  write: (path, content) => ({ name: 'Write', input: { file_path: path, content } }),
  command: (command) => ({ name: 'Bash', input: { command, description: 'Run a command' } }),
  report: (summary) => ({ name: 'mcp__looper__report', input: { summary } }),
  start: ({ program, home, baseUrls, mcpServer, options }) => ({
    argv: [
      program, '-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions', '--model', 'claude-sonnet-5',
      ...(options.session ? ['--resume', options.session] : []),
      ...(options.schema ? ['--json-schema', JSON.stringify(options.schema)] : []),
      ...(options.maxTurns ? ['--max-turns', String(options.maxTurns)] : []),
      ...(options.budgetUsd ? ['--max-budget-usd', String(options.budgetUsd)] : []),
      '--strict-mcp-config', ...(options.mcp ? ['--mcp-config', mcpConfig(mcpServer)] : []),
    ],
    env: {
      ...(options.subscription ? { CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-scripted' } : { ANTHROPIC_API_KEY: 'sk-ant-scripted' }),
      ANTHROPIC_BASE_URL: baseUrls.anthropic, CLAUDE_CONFIG_DIR: `${home}/.claude`,
      DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      CLAUDE_CODE_MAX_RETRIES: String(options.retries ?? 1), IS_SANDBOX: '1',
    },
  }),
  sessionIn: (lines) => lines.map((line) => JSON.parse(line)).find(({ subtype }) => subtype === 'init').session_id,
  cases: [],
}

/** Without `alwaysLoad` the tool hides behind a search. @type {(server: string[]) => string} */
const mcpConfig = ([command, ...args]) => JSON.stringify({ mcpServers: { looper: { command, args, alwaysLoad: true } } })

claude.cases = [
  ...commonCases(claude),
  ...structuredCases,
  // Only who pays by subscription is told about windows of use.
  { name: 'subscription-ok', script: [{ text: 'Hello from the scripted model.', usage }], options: { subscription: true } },
  { name: 'subscription-auth-401', script: always({ status: 401 }), options: { subscription: true } },
  { name: 'subscription-rate-limit-429', script: always({ status: 429 }), options: { subscription: true } },
  { name: 'subscription-usage-limit-429', script: always({ status: 429, resetsAt }), options: { subscription: true }, resetsAt },
  {
    name: 'subscription-usage-limit-429-soon', options: { subscription: true },
    script: always({ status: 429, resetsAt: resetsSoon }), resetsAt: resetsSoon,
  },
  {
    name: 'max-turns', prompt: 'Never stop.', options: { maxTurns: 2 },
    script: always({ toolCalls: [claude.command('echo again')], usage }),
  },
  {
    name: 'budget', prompt: 'Spend.', options: { budgetUsd: 0.01 },
    script: always({ toolCalls: [claude.command('echo again')], usage: { ...usage, input: 5_000 } }),
  },
]
