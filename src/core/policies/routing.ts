/** Which agent and model takes a turn. */
import type { RunConfig } from '../../model/config.ts'
import type { LoopStage } from '../../model/loop.ts'
import type { Role } from '../../model/purposes.ts'

export interface Route {
  agent: string
  model: string | null
}

/**
 * `turn` counts from 1 and selects the agent in a schedule; `attempt` selects the agent's tier, from cheap to strong.
 */
export function route(config: RunConfig, role: Role, turn: number, attempt: number): Route {
  const preferred = config.roles[role]
  const agent = preferred?.agent ?? scheduled(config, turn)
  return { agent, model: preferred?.model ?? modelOf(config, agent, attempt) }
}

/** A loop stage may name the agent and the model of its turns. */
export function stageRoute(
  config: RunConfig,
  { agent, model }: Pick<LoopStage, 'agent' | 'model'>,
  turn: number,
  attempt: number,
): Route {
  if (agent !== null) return { agent, model: model ?? modelOf(config, agent, attempt) }
  const usual = route(config, 'iterator', turn, attempt)
  return { ...usual, model: model ?? usual.model }
}

/**
 * An agent other than the usual one, for work that stalls; without another agent, the strongest tier of the usual one.
 */
export function around(config: RunConfig, usual: Route, n: number): Route {
  const others = otherAgents(config, usual.agent)
  const agent = others[(n - 1) % others.length] ?? usual.agent
  const { model } = strongest(config, agent)
  return { agent, model: agent === usual.agent ? (model ?? usual.model) : model }
}

/** The agent with its strongest tier. */
export const strongest = (config: RunConfig, agent: string): Route => ({
  agent,
  model: modelOf(config, agent, Number.MAX_SAFE_INTEGER),
})

/** The agents that can take over from this one: its fallbacks, those of the rotation, those that are configured. */
export function otherAgents(config: RunConfig, agent: string): string[] {
  const own = Object.entries(config.agents)
    .filter(([, { command, acp, script }]) => command ?? acp ?? script)
    .map(([name]) => name)
  const all = new Set([...(config.agents[agent]?.fallback ?? []), ...config.rotation, ...own])
  return [...all].filter((name) => name !== agent)
}

function modelOf(config: RunConfig, agent: string, attempt: number): string | null {
  const { model, tiers } = config.agents[agent] ?? {}
  return tiers?.[Math.min(attempt, tiers.length) - 1] ?? model ?? null
}

function scheduled(config: RunConfig, turn: number): string {
  const { schedule, rotation, agent } = config
  if (schedule === 'single' || rotation.length === 0) return agent
  const size = schedule === 'odd-even' ? Math.min(2, rotation.length) : rotation.length
  return rotation[(turn - 1) % size] ?? agent
}

export type Chain = readonly [Route, ...Route[]]

/**
 * The agents for a turn, in order: the first takes it, the others take over when a quota ends. Each agent occurs once;
 * otherwise the fallback would not terminate.
 */
export function chain(config: RunConfig, first: Route, attempt: number): Chain {
  const others = config.onUsageLimit === 'fallback' ? new Set(config.agents[first.agent]?.fallback) : new Set<string>()
  others.delete(first.agent)
  return [first, ...[...others].map((agent) => ({ agent, model: modelOf(config, agent, attempt) }))]
}

export const quotaKey = ({ agent, model }: Route): string => `${agent}/${model ?? ''}`
