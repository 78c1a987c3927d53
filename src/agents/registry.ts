/** Which adapter drives which agent. */
import { agentTypes, type AgentConfig, type AgentType } from '../model/config.ts'
import type { AgentAdapter } from './adapter.ts'
import { claudeAdapter } from './claude/index.ts'
import { commandAdapter } from './command/index.ts'
import { createScriptedAdapter } from './scripted/index.ts'
import type { PlayerOptions } from './scripted/plan.ts'

/** Types that are told by the agent's name; the others by what they are configured with. */
const named: readonly AgentType[] = ['claude', 'codex', 'gemini', 'opencode']

/** How an agent is driven; null when neither its configuration nor its name tells. */
export function adapterFor(name: string, config: AgentConfig): AgentType | null {
  if (config.type !== undefined) return agentTypes.find((type) => type === config.type) ?? null
  if (config.script !== undefined) return 'scripted'
  if (config.acp !== undefined) return 'acp'
  if (config.command !== undefined) return 'command'
  return named.find((type) => type === name) ?? null
}

/** Every adapter there is, by type. */
export const createAdapters = (options: PlayerOptions): Readonly<Partial<Record<AgentType, AgentAdapter>>> => ({
  claude: claudeAdapter,
  command: commandAdapter,
  scripted: createScriptedAdapter(options),
})
