/** Orders to a run, live or resting. */
import type { Command } from '../model/event.ts'
import type { LeftAgent } from '../views/status/liveness.ts'
import type { ReadRun } from './runs.ts'

type WithoutId<T> = T extends { id: string } ? Omit<T, 'id'> : never
export type Order = WithoutId<Command>

export interface OrderReceipt {
  run: string
  live: boolean
  /** The id of the task that was added to a resting run. */
  added?: string
  /** The checkpoint or commit that a rollback goes to. */
  target?: string
  /** The ref that keeps the undone commits of a rollback that has been carried out. */
  kept?: string
  /** Why the source of the run's tasks is not updated yet. */
  trouble?: string
  /** The process of the run, which was suspended and has been continued to obey. */
  woken?: number
  /** Agents of a crashed run that were ended. */
  ended?: LeftAgent[]
}

export interface Control {
  /** `run` null: the live run, else the newest. Applied at once to a resting run. Throws USAGE_* when it refuses. */
  sendOrder(run: string | null, order: Order): Promise<OrderReceipt>
  /** Waits until no process holds the run; null when one still does after that time. */
  rest(run: string, patienceMs: number): Promise<ReadRun | null>
}
