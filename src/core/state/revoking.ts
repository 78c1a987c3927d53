/** What follows when a recorded outcome failed verification: the work is done again, or the run cannot continue. */
import type { RunState } from '../../model/state.ts'
import { ownerOf, waveIn } from '../../model/work-id.ts'
import { setFields } from '../../model/set-fields.ts'
import { callOff } from './leave-workspaces.ts'
import { startOver } from './resuming.ts'

/**
 * Everything that was decided by the outcome is undone with it: an attempt starts again, a plan that is not accepted
 * yet is made again. A plan or a task that the run has already built on cannot be removed.
 */
export function revoke(state: RunState, id: string, { seq, why }: { seq: number; why: string }): void {
  const owner = ownerOf(id)
  if (state.tasks[owner]?.attempt) return callOff(state, owner)
  if (owner === 'plan' && !state.plan.accepted) return startOver(state)
  if (owner === 'gate') {
    delete state.ledger[owner]
    setFields(state.gate, { checks: [], verdict: null })
  } else if (isRedone(state, owner)) {
    delete state.ledger[owner]
    if (waveIn(owner) === state.waveReviewed) state.waveReviewed = 0
  } else state.distrusted ??= { id, seq, why }
}

/**
 * Whether nothing builds on the outcomes yet: they are still in the ledger, or they review a wave that is still open.
 */
const isRedone = ({ ledger, tasks, wave, waveTasks }: RunState, owner: string): boolean =>
  tasks[owner] === undefined && (ledger[owner] !== undefined || (waveIn(owner) === wave && waveTasks.length > 0))
