/** The line that an engine writes to its keeper at the start: facts that the journal does not hold. */
import { agentTypeOf } from '../model/agent-type.ts'
import type { AgentConfig } from '../model/config.ts'
import type { OutputLimits } from './output.ts'
import type { Timings } from './supervise.ts'

export interface KeeperGreeting {
  runDir: string
  /** What the marks of the run's processes begin with. */
  key: string
  /** Only the fields that bound a turn or price its tokens: no environment, no arguments. */
  agents: Record<string, AgentConfig>
  limits: OutputLimits
  timings: Timings
  /** The first walk through a workspace; the meter's own when absent. */
  firstWalkMs?: number
}

/** The last line of an engine that ended in order: there is nothing to keep. */
export const farewell = 'done'

/** The lock of the keeper that is on duty for a run; the run's folder must exist. */
export const keeperLock = (runLock: string): string => `keeper:${runLock}`

/** The part of the agents' settings that the keeper needs. */
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
