/** The line that an engine sends to its keeper at the start, with facts that are not in the journal. */
import { agentTypeOf } from '../model/agent-type.ts'
import type { AgentConfig } from '../model/config.ts'
import type { OutputLimits } from './output.ts'
import type { Timings } from './supervise.ts'

export interface KeeperGreeting {
  runDir: string
  /** Prefix of the marks of the run's processes. */
  key: string
  /** Only the fields that bound a turn or price its tokens: no environment, no arguments. */
  agents: Record<string, AgentConfig>
  limits: OutputLimits
  timings: Timings
  /** Delay before the first walk through a workspace; the meter's default when absent. */
  firstWalkMs?: number
}

/** The last line of an engine that ended normally: the keeper has nothing to do. */
export const farewell = 'done'

/** Name of the lock of the run's active keeper; the run's folder must exist. */
export const keeperLock = (runLock: string): string => `keeper:${runLock}`

/** The agent settings that the keeper needs. */
export const boundsOf = (agents: Readonly<Record<string, AgentConfig>>): Record<string, AgentConfig> =>
  Object.fromEntries(
    Object.entries(agents).flatMap(([name, config]) => {
      const type = agentTypeOf(name, config)
      return type === null ? [] : [[name, { ...settingsOf(config), type }]]
    }),
  )

function settingsOf({ model, billing, prices, timeoutMinutes, stallSeconds, maxSteps }: AgentConfig): AgentConfig {
  const settings = { model, billing, prices, timeoutMinutes, stallSeconds, maxSteps }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}
