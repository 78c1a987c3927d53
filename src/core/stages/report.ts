/** The report stage: writes the report, then ends the run with its conclusion. */
import type { RunState } from '../../model/state.ts'
import { stepId } from '../../model/work-id.ts'
import { workStage } from '../state/resuming.ts'
import { environment, enter, nothing, pause, record, type Proposal } from '../proposal.ts'
import { perform } from '../step.ts'
import { recordLanded } from './execute.ts'

export function decideReport(state: RunState): Proposal {
  const id = stepId('report', 'finish', state.gate.round)
  const step = perform(state, { kind: 'finish', id })
  if (step.status === 'failed') return pause(environment(step.failure))
  if (step.status === 'not-yet') return othersUnderWay(state, id) ? nothing : (recordLanded(state) ?? step.proposal)
  // A person added a task while the report was written.
  if (state.conclusion?.status === 'completed' && state.counts.todo > 0) return enter(workStage(state))
  const { status, reason } = state.conclusion ?? { status: 'failed', reason: 'the run ended without a conclusion' }
  return record({ type: 'run.ended', status, reason })
}

/** Work that the end of the run cancels must be over before the report is written. */
const othersUnderWay = (state: RunState, id: string): boolean => Object.keys(state.works).some((other) => other !== id)
