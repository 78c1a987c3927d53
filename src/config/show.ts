/** The configuration for people and programs: each key with its value and where that came from, and nobody's tokens. */
import type { AgentConfig, Config } from '../model/config.ts'
import type { LoadedConfig, Sourced } from './layers.ts'

const mask = '***'
const tokenKey = /^agents\..+\.env\./

/**
 * Every value by its dotted key, and every group as a whole before its members. A group that several places had a say in
 * names them all.
 */
export function showConfig({ config, sources }: Pick<LoadedConfig, 'config' | 'sources'>): Record<string, Sourced> {
  const shown = Object.entries(sources).map(([key, { value, source }]): [string, Sourced] =>
    [key, { value: tokenKey.test(key) ? mask : value, source }])
  return Object.fromEntries(Object.entries(maskTokens(config)).flatMap(([name, value]) => {
    const members = shown.filter(([key]) => key === name || key.startsWith(`${name}.`))
    return members.some(([key]) => key === name) ? members : [[name, { value, source: sourcesOf(members) }], ...members]
  }))
}

const sourcesOf = (members: readonly [string, Sourced][]): string => [...new Set(members.map(([, { source }]) => source))].join(', ')

const maskTokens = (config: Config): Config =>
  ({ ...config, agents: Object.fromEntries(Object.entries(config.agents).map(([name, agent]) => [name, maskAgent(agent)])) })

const maskAgent = (agent: AgentConfig): AgentConfig =>
  agent.env === undefined ? agent : { ...agent, env: Object.fromEntries(Object.keys(agent.env).map((name) => [name, mask])) }
