/** Events about work: what was started, what it resulted in, and what it cost. */
import type { CheckRecord } from '../check-record.ts'
import type { Usage } from '../usage.ts'
import type { Subject, Verdict } from '../verdict.ts'
import type { Outcome, Work } from '../work.ts'

export interface WorkEvents {
  /** Looper is about to do this piece of work; durable before it happens. */
  'work.started': { work: Work }
  /** The work came to an outcome. */
  'work.finished': { id: string; outcome: Outcome }
  /**
   * The work came to nothing and will be done again if it is still wanted. `revokes`: the event that says otherwise is
   * not believed, because the folder of the turn contradicts it.
   */
  'work.lost': { id: string; why: string; revokes?: number }
  /** A check that Looper ran itself was judged. */
  'check.finished': CheckRecord
  /** A judge's score, with the level that Looper computed from it. */
  'verdict.given': { subject: Subject; verdict: Verdict }
  /** What a turn has consumed so far, cumulative for that turn. */
  'budget.spent': { work: string; usage: Usage }
}
