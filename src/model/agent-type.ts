/** How an agent is driven, as far as its name and its configuration tell. */
import { agentTypes, type AgentConfig, type AgentType } from './config.ts'

/** Programs that need no word of configuration, in the order in which they are looked for; a type each. */
export const knownPrograms = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly AgentType[]

/** Null when neither its configuration nor its name tells. */
export function agentTypeOf(name: string, config: AgentConfig): AgentType | null {
  if (config.type !== undefined) return agentTypes.find((type) => type === config.type) ?? null
  if (config.script !== undefined) return 'scripted'
  if (config.acp !== undefined) return 'acp'
  if (config.command !== undefined) return 'command'
  return knownPrograms.find((type) => type === name) ?? null
}
