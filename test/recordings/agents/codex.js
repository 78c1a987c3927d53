/** How Codex is recorded. */
import { commonCases, structuredCases } from '../cases.js'

/** @type {import('./agent.d.ts').Agent} */
export const codex = {
  name: 'codex',
  unknownSession: '00000000-0000-7000-8000-000000000000',
  write: (path, content) =>
    ({ name: 'apply_patch', input: `*** Begin Patch\n*** Add File: ${path}\n${content.replace(/^(?=.)/gm, '+')}*** End Patch\n` }),
  command: (cmd) => ({ name: 'exec_command', input: { cmd } }),
  report: (summary) => ({ namespace: 'mcp__looper', name: 'report', input: { summary } }),
  start: ({ program, home, workspace, baseUrls, mcpServer: [command, ...args], options }) => ({
    argv: [
      program, 'exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-m', 'gpt-5.5', '-C', workspace,
      '-c', 'model_provider="scripted"', '-c', `model_providers.scripted=${providerTable(baseUrls.openai, options.retries ?? 0)}`,
      ...(options.mcp ? ['-c', `mcp_servers.looper={command=${JSON.stringify(command)},args=${JSON.stringify(args)},required=true}`] : []),
      ...(options.schema ? ['--output-schema', `${home}/schema.json`] : []),
      '-o', `${home}/last-message.txt`,
      ...(options.session ? ['resume', options.session] : []), '-',
    ],
    env: { CODEX_HOME: `${home}/.codex`, SCRIPTED_KEY: 'sk-scripted' },
    files: { [`${home}/.codex/.keep`]: '', ...(options.schema ? { [`${home}/schema.json`]: JSON.stringify(options.schema) } : {}) },
    lastMessage: `${home}/last-message.txt`,
  }),
  sessionIn: (lines) => lines.map((line) => JSON.parse(line)).find(({ type }) => type === 'thread.started').thread_id,
  cases: [],
}

/** @type {(url: string, retries: number) => string} */
const providerTable = (url, retries) => `{name="scripted",base_url="${url}",env_key="SCRIPTED_KEY",wire_api="responses",` +
  `request_max_retries=${retries},stream_max_retries=${retries},stream_idle_timeout_ms=60000}`

codex.cases = [
  ...commonCases(codex),
  ...structuredCases,
  { name: 'dropped-then-ok', script: [{ text: 'This sentence is never', drop: true }, { text: 'At last.' }], options: { retries: 2 } },
]
