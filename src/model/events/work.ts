/** Events about work: what was started, what it resulted in, and what it cost. */
import type { CheckRecord } from '../check-record.ts'
import type { Usage } from '../usage.ts'
import type { Subject, Verdict } from '../verdict.ts'
import type { Outcome, Work } from '../work.ts'

export interface WorkEvents {
  /** Looper is about to do this work. The event is durable before the work starts. */
  'work.started': { work: Work }
  /** The work ended with an outcome. */
  'work.finished': { id: string; outcome: Outcome }
  /**
   * The work has no outcome and will be repeated if it is still needed. `revokes`: the seq of an event that is no
   * longer trusted, because the folder of the turn contradicts it.
   */
  'work.lost': { id: string; why: string; revokes?: number }
  /** Looper ran a check and judged its result. */
  'check.finished': CheckRecord
  /** A judge's score, with the level that Looper computed from it. */
  'verdict.given': { subject: Subject; verdict: Verdict }
  /** The cumulative usage of a turn so far. */
  'budget.spent': { work: string; usage: Usage }
}
