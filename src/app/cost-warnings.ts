/** Where a limit on money cannot hold, the user is told before the run. */
import { priceOf } from '../agents/prices.ts'
import { adapterOf } from '../agents/registry.ts'
import { agentTypeOf } from '../model/agent-type.ts'
import type { Config } from '../model/config.ts'
import { entryOf } from './choose-agent.ts'

export function costWarnings(config: Config, names: readonly string[]): string[] {
  return config.limits.costUsd === null ? [] : names.flatMap((name) => {
    const agent = entryOf(config, name)
    const type = agentTypeOf(name, agent)
    const cost = type === null ? undefined : adapterOf(type)?.capabilities.cost
    if (agent.billing === 'subscription' || cost === undefined || cost === 'reported') return []
    if (cost === 'unknown') return [`${name} does not tell what it consumes: limits on money and tokens cannot hold`]
    const models = modelsOf(config, name)
    if (models.length === 0) return [
      `what ${name} costs can be told only of a model that is named: set agents.${name}.model, or the limit on money cannot hold`,
    ]
    return models.filter((model) => priceOf(model, agent) === null)
      .map((model) => `no price of ${model} is known: add it to agents.${name}.prices, or the limit on money cannot hold`)
  })
}

function modelsOf(config: Config, name: string): string[] {
  const { model, tiers = [] } = entryOf(config, name)
  const ofRoles = Object.values(config.roles).flatMap(
    (role) => (role?.model !== undefined && (role.agent ?? config.agent ?? name) === name ? [role.model] : []),
  )
  return [...new Set([...tiers, ...model === undefined ? [] : [model], ...ofRoles])]
}
