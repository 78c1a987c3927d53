/** Law of resuming: an honest journal never has a verdict, a plan or a done task without its turn. */
import { createTurnClaims } from '../../core/claims/turn-claims.ts'
import type { EventType } from '../../model/event.ts'
import type { Checker } from '../checker.ts'

const claiming: ReadonlySet<EventType> = new Set<EventType>([
  'verdict.given',
  'plan.accepted',
  'plan.rejected',
  'task.finished',
  'stage.entered',
  'run.resumed',
  'run.ended',
])

export const turnsBackFacts: Checker = {
  law: 'turns-back-facts',
  watch(_history, report) {
    const claims = createTurnClaims()
    const reported = new Set<number>()
    return {
      after(event, state) {
        claims.add(event, state)
        if (event.type === 'work.lost' && event.revokes !== undefined) report('an honest event is revoked', event.seq)
        // A crash can follow any event, so no event may seem forged. Other events change no claim.
        if (!claiming.has(event.type)) return
        for (const { seq, why } of claims.unbacked(state)) {
          if (!reported.has(seq)) report(`event ${seq} would not be believed: ${why}`, event.seq)
          reported.add(seq)
        }
      },
    }
  },
}
