/** The report stage: writes the report, then ends the run with its conclusion. */
import type { PauseReason } from '../../model/pause.ts'
import type { RunState } from '../../model/state.ts'
import type { FailureOutcome } from '../../model/work.ts'
import { stepId } from '../../model/work-id.ts'
import { workStage } from '../state/resuming.ts'
import { environment, enter, nothing, pause, record, type Proposal } from '../proposal.ts'
import { perform } from '../step.ts'
import { recordLanded } from './execute.ts'
import { broken } from './source/poll-source.ts'

export function decideReport(state: RunState): Proposal {
  const id = stepId('report', 'finish', state.gate.round)
  const step = perform(state, { kind: 'finish', id })
  if (step.status === 'failed') return pause(unfinished(state, step.failure))
  if (step.status === 'not-yet') return othersUnderWay(state, id) ? nothing : (recordLanded(state) ?? step.proposal)
  // A person added a task while the report was written.
  if (state.conclusion?.status === 'completed' && state.counts.todo > 0) return enter(workStage(state))
  const { status, reason } = state.conclusion ?? { status: 'failed', reason: 'the run ended without a conclusion' }
  return record({ type: 'run.ended', status, reason })
}

/** The end of a run is also written to its backlog, which a person may have broken meanwhile. */
const unfinished = (state: RunState, failure: FailureOutcome): PauseReason =>
  failure.code === 'CONFIG_BACKLOG' ? broken(state, [failure.message]) : environment(failure)

/** Work that the end of the run cancels must be over before the report is written. */
const othersUnderWay = (state: RunState, id: string): boolean => Object.keys(state.works).some((other) => other !== id)
