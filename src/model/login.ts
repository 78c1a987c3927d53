/** How to log in to an agent. `looper doctor` and a run that pauses for a missing login print the same text. */
import type { AgentType } from './config.ts'

const ways: Partial<Record<AgentType, string>> = {
  claude: 'run `claude` once and log in, or set ANTHROPIC_API_KEY',
  codex: 'run `codex login`, or set CODEX_API_KEY',
  gemini: 'run `gemini` once and log in, or set GEMINI_API_KEY',
  opencode: 'run `opencode auth login`, or set the key of a provider',
}

/** Text to put after a colon; null for an agent that Looper does not know. */
export const wayToLogIn = (type: AgentType | null): string | null => (type === null ? null : (ways[type] ?? null))
