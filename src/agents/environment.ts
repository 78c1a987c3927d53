/** What an agent sees of the environment: an allow-list, so that no variable leaks by being forgotten. */
import type { AgentConfig } from '../model/config.ts'

const names = new Set([
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'TERM', 'TMPDIR', 'TZ', 'SSH_AUTH_SOCK',
  // Where certificates of a company's proxy are, without which no agent behind one reaches its model.
  'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR',
])
const proxies = new Set(['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'])
const prefixes = ['LC_', 'XDG_', 'ANTHROPIC_', 'OPENAI_', 'CODEX_', 'GEMINI_', 'GOOGLE_', 'OPENCODE_', 'CLAUDE_']

const allowed = (name: string): boolean =>
  names.has(name) || proxies.has(name.toLowerCase()) || prefixes.some((prefix) => name.startsWith(prefix))

/** The allowed part of `source` and what the agent's configuration lets pass besides, with its `env` on top. */
export function agentEnvironment(source: NodeJS.ProcessEnv, { env, pass = [] }: Pick<AgentConfig, 'env' | 'pass'>): Record<string, string> {
  const seen: Record<string, string> = {}
  for (const [name, value] of Object.entries(source)) if (value !== undefined && (allowed(name) || pass.includes(name))) seen[name] = value
  return Object.assign(seen, env)
}
