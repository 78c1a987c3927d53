/** Derives how an agent is driven from its name and configuration. */
import { agentTypes, type AgentConfig, type AgentType } from './config.ts'

/** Programs that work without configuration, in the order of detection; one per agent type. */
export const knownPrograms = ['claude', 'codex', 'gemini', 'opencode'] as const satisfies readonly AgentType[]

/** Null when neither the configuration nor the name determines the type. */
export function agentTypeOf(name: string, config: AgentConfig): AgentType | null {
  if (config.type !== undefined) return agentTypes.find((type) => type === config.type) ?? null
  if (config.script !== undefined) return 'scripted'
  if (config.acp !== undefined) return 'acp'
  if (config.command !== undefined) return 'command'
  return knownPrograms.find((type) => type === name) ?? null
}
