/** Events about the task source and the loop stages of pipelines. */
import type { EndedPass } from '../pass.ts'

export interface BacklogEvents {
  /** The task source was polled; its changes are recorded. */
  'source.polled': {
    poll: number
    changes: number
    claimed: string | null
    complete: boolean
    problems: string[]
    text?: string
  }
  /** No tasks were left, and a review looked for more. */
  'backlog.reviewed': { round: number; added: number }
  /** A pass of a loop stage ended. A failed pass is repeated. */
  'iteration.finished': EndedPass
  /** A loop stage ended; the next one of the pipeline follows. */
  'loop.finished': { stage: number; name: string; iterations: number; why: string }
}
