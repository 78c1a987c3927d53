/** How Gemini CLI is recorded. */
import { always, commonCases } from '../cases.js'

/** @type {import('./agent.d.ts').Agent} */
export const gemini = {
  name: 'gemini',
  unknownSession: '00000000-0000-4000-8000-000000000000',
  write: (path, content) => ({ name: 'write_file', input: { file_path: path, content } }),
  command: (command) => ({ name: 'run_shell_command', input: { command, description: 'Run a command' } }),
  report: (summary) => ({ name: 'mcp_looper_report', input: { summary } }),
  start: ({ program, home, baseUrls, mcpServer: [command, ...args], options }) => ({
    argv: [
      program, '-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust', '-m', 'gemini-2.5-pro',
      ...(options.session ? ['--resume', options.session] : []),
    ],
    env: {
      GEMINI_API_KEY: 'scripted', GOOGLE_GEMINI_BASE_URL: baseUrls.gemini, GEMINI_CLI_HOME: home, GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    },
    files: {
      [`${home}/.gemini/settings.json`]: JSON.stringify({
        security: { auth: { selectedType: 'gemini-api-key' } },
        general: { maxAttempts: options.retries ?? 1, disableAutoUpdate: true },
        model: { maxSessionTurns: options.maxTurns ?? -1 },
        privacy: { usageStatisticsEnabled: false },
        ...(options.mcp ? { mcpServers: { looper: { command, args, trust: true } } } : {}),
      }),
    },
  }),
  sessionIn: (lines) => lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'init').session_id,
  cases: [],
}

gemini.cases = [
  ...commonCases(gemini),
  {
    name: 'max-turns', prompt: 'Never stop.', options: { maxTurns: 2 },
    script: always({ toolCalls: [gemini.command('echo again')] }),
  },
]
