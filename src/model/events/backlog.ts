/** Events about the task source and the loop stages of pipelines. */
import type { Iteration } from '../iteration.ts'

export interface BacklogEvents {
  /** The task source was looked at, and what it had to tell is recorded. */
  'source.looked': {
    look: number
    changes: number
    claimed: string | null
    complete: boolean
    problems: string[]
    text?: string
  }
  /** Nothing was left to do, and a review looked for more tasks. */
  'backlog.reviewed': { round: number; added: number }
  /** One pass of a loop stage is over. A failed one is done again. */
  'iteration.finished': Iteration
  /** A loop stage is over; the next one of the pipeline follows. */
  'loop.finished': { stage: number; name: string; iterations: number; why: string }
}
