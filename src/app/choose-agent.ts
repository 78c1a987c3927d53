/** Which agent a run uses: the configured one, else the first that is set up, else the first that is installed. */
import { knownCommand, knownNames } from '../agents/known.ts'
import type { AgentConfig, Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { findProgram, type Place } from './locate-agent.ts'

export interface Choice {
  agent: string
  /** Why this one, for the card. */
  from: string
}

/** A known agent needs no entry, or one that says only what differs. */
export const entryOf = (config: Config, name: string): AgentConfig => {
  const entry = config.agents[name] ?? {}
  if (entry.command !== undefined || entry.script !== undefined) return entry
  const command = knownCommand(name, entry)
  // These speak only when they are done: silence is no sign of a stall.
  return command === null ? entry : { stallSeconds: 0, ...entry, command }
}

const canStart = ({ command, script }: AgentConfig): boolean => (command?.length ?? 0) > 0 || script !== undefined

export async function chooseAgent(config: Config, source: string, place: Place): Promise<Choice> {
  if (config.agent !== null) return { agent: config.agent, from: source === 'default' ? 'configured' : source }
  const configured = Object.keys(config.agents).find((name) => canStart(entryOf(config, name)))
  if (configured !== undefined) return { agent: configured, from: 'the one that is configured' }
  for (const name of knownNames) if ((await findProgram(name, place)) !== null) return { agent: name, from: 'the installed one' }
  throw new LooperError('CONFIG_NO_AGENT', `No agent is configured, and none of ${knownNames.join(', ')} is installed.`)
}

/** Every agent the run may call: the default, those of roles and schedule, and their fallbacks. */
export function agentsInUse(config: Config, agent: string): string[] {
  const direct = [agent, ...Object.values(config.roles).flatMap((role) => role?.agent ?? []), ...(config.schedule === 'single' ? [] : config.rotation)]
  return [...new Set([...direct, ...direct.flatMap((name) => config.agents[name]?.fallback ?? [])])]
}
