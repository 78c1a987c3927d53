/** The report stage: write up what happened, then end the run with the conclusion it came with. */
import type { RunState } from '../../model/state.ts'
import { outcomeOf } from '../answers.ts'
import { enter, record, want, type Proposal } from '../proposal.ts'

export function decideReport(state: RunState): Proposal {
  const id = `report/finish${state.gate.round}`
  if (!outcomeOf(state, id)) return want({ kind: 'finish', id })
  // A person added a task while the report was written.
  if (state.conclusion?.status === 'completed' && state.counts.todo > 0) return enter('execute')
  const { status, reason } = state.conclusion ?? { status: 'failed', reason: 'the run ended without a conclusion' }
  return record({ type: 'run.ended', status, reason })
}
