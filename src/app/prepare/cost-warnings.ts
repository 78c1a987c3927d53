/** Warns before a run when a cost limit may not hold, because the cost or price of an agent is unknown. */
import type { Capabilities } from '../../agents/adapter.ts'
import { priceOf } from '../../agents/prices.ts'
import { kindOf } from '../../agents/registry.ts'
import { agentTypeOf } from '../../model/agent-type.ts'
import type { AgentConfig, Config } from '../../model/config.ts'
import { entryOf } from './choose-agent.ts'

export function costWarnings(config: Config, names: readonly string[]): string[] {
  return config.limits.costUsd === null
    ? []
    : names.flatMap((name) => {
        const agent = entryOf(config, name)
        const type = agentTypeOf(name, agent)
        return type === null || agent.billing === 'subscription'
          ? []
          : warnings(kindOf(type).capabilities.cost, name, agent, modelsOf(config, name))
      })
}

function warnings(cost: Capabilities['cost'], name: string, agent: AgentConfig, models: readonly string[]): string[] {
  const remedy = `add it to agents.${name}.prices, or the cost limit`
  const unpriced = models.filter((model) => priceOf(model, agent) === null)
  switch (cost) {
    case 'reported':
      return []
    case 'unknown':
      return [`${name} may not report its usage: cost and token limits may not be enforced`]
    case 'partly':
      return unpriced
        .filter((model) => priceOf(model.slice(model.lastIndexOf('/') + 1), agent) === null)
        .map((model) => `${name} counts ${model} as free if it does not know its price: ${remedy} may not be enforced`)
    case 'priced':
      if (models.length === 0) {
        return [
          `the cost of ${name} is unknown without the name of its model: set agents.${name}.model, `
            + 'or the cost limit cannot be enforced',
        ]
      }
      return unpriced.map((model) => `the price of ${model} is unknown: ${remedy} cannot be enforced`)
  }
}

function modelsOf(config: Config, name: string): string[] {
  const { model, tiers = [] } = entryOf(config, name)
  const ofRoles = Object.values(config.roles).flatMap((role) =>
    role?.model !== undefined && (role.agent ?? config.agent ?? name) === name ? [role.model] : [],
  )
  return [...new Set([...tiers, ...(model === undefined ? [] : [model]), ...ofRoles])]
}
