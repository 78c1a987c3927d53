/** Which agent and model takes a turn. */
import type { RunConfig } from '../../model/config.ts'
import type { Role } from '../../model/role.ts'

export interface Route {
  agent: string
  model: string | null
}

/** `turn` counts from 1 and drives schedules; `attempt` climbs the agent's tiers, cheap to strong. */
export function route(config: RunConfig, role: Role, turn: number, attempt: number): Route {
  const preferred = config.roles[role]
  const agent = preferred?.agent ?? scheduled(config, turn)
  return { agent, model: preferred?.model ?? modelOf(config, agent, attempt) }
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

/** Who takes over from `current` in the chain of `agent`; null at its end. Nobody is in it twice, or it would have none. */
export function fallback(config: RunConfig, agent: string, current: string, attempt: number): Route | null {
  const chain = [...new Set([agent, ...config.agents[agent]?.fallback ?? []])]
  const next = chain[chain.indexOf(current) + 1]
  return next === undefined ? null : { agent: next, model: modelOf(config, next, attempt) }
}

export const quotaKey = ({ agent, model }: Route): string => `${agent}/${model ?? ''}`
