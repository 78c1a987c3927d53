/** Checks rules across keys: settings that contradict each other, and references to unknown names. */
import type { AgentType, Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { builtInAgents } from './keys/agents.ts'
import { nearest } from '../views/text/nearest.ts'
import { invalid, meant } from './problem.ts'
import type { Origin } from './problem.ts'
import { quote } from '../platform/quote.ts'
import { pathText } from '../schema/path.ts'

/** Returns the source of the value of a key. */
export type OriginOf = (path: readonly string[]) => Origin

/** Throws CONFIG_INVALID or CONFIG_UNKNOWN_AGENT. */
export function checkRules(config: Config, originOf: OriginOf): void {
  const refuse = (path: readonly string[], message: string): never => {
    throw invalid(originOf(path), message, { key: pathText(path) })
  }
  checkParallel(config, refuse)
  checkAgentEntries(config, refuse)
  checkAgentNames(config, originOf)
  checkSchedule(config, refuse)
  checkThresholds(config, refuse)
  checkNames(config, refuse)
}

type Refuse = (path: readonly string[], message: string) => never

function checkParallel({ workspace, parallel }: Config, refuse: Refuse): void {
  if (workspace.mode === 'worktree' || parallel === 1) return
  refuse(['parallel'], `"parallel" must be 1 when "workspace.mode" is "in-place", not ${parallel}`)
}

function checkAgentEntries({ agents }: Config, refuse: Refuse): void {
  for (const [name, agent] of Object.entries(agents)) {
    const path = ['agents', name]
    const key = quote(pathText(path))
    const [first, second] = starters.filter((starter) => agent[starter] !== undefined)
    if (second !== undefined) refuse(path, `${key} has both ${quote(first ?? '')} and ${quote(second)}`)
    for (const starter of ['command', 'acp'] as const) {
      if (agent[starter]?.[0]?.trim() === '')
        refuse([...path, starter], `the ${quote(starter)} of ${key} must begin with a program`)
    }
    const needed = agent.type === undefined ? undefined : typeNeeds[agent.type]
    if (needed !== undefined && agent[needed] === undefined)
      refuse(path, `${key} is of type ${quote(agent.type ?? '')} and needs ${quote(needed)}`)
    if (first === undefined && agent.type === undefined && !isBuiltIn(name)) {
      refuse(path, `${key} needs a "command", like ["my-agent"], or a "type"${meant(nearest(name, builtInAgents))}`)
    }
  }
}

/** How an agent is started: at most one of these. Agents with a built-in name or type need none. */
const starters = ['command', 'acp', 'script'] as const
const typeNeeds: Partial<Record<AgentType, (typeof starters)[number]>> = {
  command: 'command',
  acp: 'acp',
  scripted: 'script',
}

const isBuiltIn = (name: string): boolean => builtInAgents.some((agent) => agent === name)

function checkAgentNames(config: Config, originOf: OriginOf): void {
  for (const [path, name] of agentReferences(config)) {
    if (Object.hasOwn(config.agents, name) || isBuiltIn(name)) continue
    const key = pathText(path)
    const suggestion = nearest(name, [...Object.keys(config.agents), ...builtInAgents])
    throw new LooperError(
      'CONFIG_UNKNOWN_AGENT',
      `${originOf(path).where}: ${quote(key)} names an unknown agent, ${quote(name)}${meant(suggestion)}`,
      { details: { key, agent: name, nearest: suggestion } },
    )
  }
}

function* agentReferences(config: Config): Iterable<[path: string[], name: string]> {
  if (config.agent !== null) yield [['agent'], config.agent]
  for (const [role, { agent }] of Object.entries(config.roles))
    if (agent !== undefined) yield [['roles', role, 'agent'], agent]
  for (const name of config.rotation) yield [['rotation'], name]
  for (const [agent, { fallback }] of Object.entries(config.agents)) {
    for (const name of fallback ?? []) yield [['agents', agent, 'fallback'], name]
  }
}

/** Warns of fallbacks that are valid but have no effect: probably another agent was meant. */
export function ruleWarnings({ agents }: Config, originOf: OriginOf): string[] {
  return Object.entries(agents).flatMap(([agent, { fallback = [] }]) => {
    const path = ['agents', agent, 'fallback']
    const warning = (what: string): string =>
      `${originOf(path).where}: ${quote(pathText(path))} names ${what}, which changes nothing`
    const twice = fallback.filter((name, index) => name !== agent && fallback.indexOf(name) !== index)
    return [
      ...(fallback.includes(agent) ? [warning('the agent itself')] : []),
      ...[...new Set(twice)].map((name) => warning(`${quote(name)} more than once`)),
    ]
  })
}

function checkSchedule({ schedule, rotation }: Config, refuse: Refuse): void {
  if (schedule !== 'single' && rotation.length === 0)
    refuse(['schedule'], `"schedule" ${quote(schedule)} needs agents in "rotation"`)
}

function checkThresholds({ thresholds: { approve, revise } }: Config, refuse: Refuse): void {
  if (revise <= approve) return
  refuse(
    ['thresholds', 'revise'],
    `"thresholds.revise" (${revise}) must not be above "thresholds.approve" (${approve})`,
  )
}

function checkNames({ checks }: Config, refuse: Refuse): void {
  const seen = new Set<string>()
  for (const { name } of checks ?? []) {
    if (seen.has(name)) refuse(['checks'], `"checks" has two entries named ${quote(name)}`)
    seen.add(name)
  }
}
