/** Coding programs that take a prompt on stdin and work without a terminal: how each is started as a command agent. */
import type { AgentConfig } from '../model/config.ts'

type Known = (model: readonly string[]) => string[]

const known: Readonly<Record<string, Known>> = {
  claude: (model) => ['-p', '--dangerously-skip-permissions', ...model],
  codex: (model) => ['exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', ...model],
  gemini: (model) => ['--approval-mode', 'yolo', '--skip-trust', ...model],
}

export const knownNames: readonly string[] = Object.keys(known)

/** Its command line; null for a program nobody here knows. */
export function knownCommand(name: string, { bin = name, model }: AgentConfig): string[] | null {
  const start = Object.hasOwn(known, name) ? known[name] : undefined
  const flag = name === 'claude' ? '--model' : '-m'
  return start === undefined ? null : [bin, ...start(model === undefined ? [] : [flag, model])]
}
