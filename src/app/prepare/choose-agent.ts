/** Which agent a run uses: the configured one, else the first that is set up, else the first that is installed. */
import { agentTypeOf, knownPrograms } from '../../model/agent-type.ts'
import type { AgentConfig, Config } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { findProgram, type ProgramSearch } from './locate-agent.ts'

export interface Choice {
  agent: string
  /** Why this agent was chosen, for the card. */
  from: string
}

/** A known agent needs no entry, or one with only the keys that differ. */
export const entryOf = (config: Config, name: string): AgentConfig => config.agents[name] ?? {}

export async function chooseAgent(config: Config, source: string, search: ProgramSearch): Promise<Choice> {
  if (config.agent !== null) return { agent: config.agent, from: source === 'default' ? 'configured' : source }
  const configured = Object.keys(config.agents).filter((name) => agentTypeOf(name, entryOf(config, name)) !== null)
  const [first] = configured
  const which =
    configured.length === 1 ? 'the one that is configured' : `the first of ${configured.length} that are configured`
  if (first !== undefined) return { agent: first, from: which }
  for (const name of knownPrograms)
    if ((await findProgram(name, search)) !== null) return { agent: name, from: 'the installed one' }
  throw new LooperError(
    'CONFIG_NO_AGENT',
    `No agent is configured, and none of ${knownPrograms.join(', ')} is installed.`,
  )
}

/** The configuration with this model for the agent, in every role and instead of its tiers. */
export function withModel(config: Config, agent: string, model: string | undefined): Config {
  if (model === undefined) return config
  const { tiers: _tiers, ...entry } = entryOf(config, agent)
  const roles = Object.entries(config.roles).map(([role, preferred]) => [
    role,
    preferred !== undefined && (preferred.agent ?? agent) === agent ? { ...preferred, model } : preferred,
  ])
  return {
    ...config,
    agents: { ...config.agents, [agent]: { ...entry, model } },
    roles: Object.fromEntries(roles) as Config['roles'],
  }
}

/** Every agent the run may call: the default, those of roles and schedule, and their fallbacks. */
export function agentsInUse(config: Config, agent: string): string[] {
  const direct = [
    agent,
    ...Object.values(config.roles).flatMap((role) => role?.agent ?? []),
    ...(config.schedule === 'single' ? [] : config.rotation),
  ]
  return [...new Set([...direct, ...direct.flatMap((name) => config.agents[name]?.fallback ?? [])])]
}

/** Agents that are used only when work stalls or attempts race. */
export const agentsInReserve = ({ agents, rotation }: Config): string[] => [
  ...new Set([
    ...rotation,
    ...Object.keys(agents).filter((name) => agents[name]?.command ?? agents[name]?.acp ?? agents[name]?.script),
  ]),
]
