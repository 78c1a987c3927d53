/** The report stage: write up what happened, then end the run with the conclusion it came with. */
import type { RunState } from '../../model/state.ts'
import { environment } from '../answers.ts'
import { workStage } from '../state/resuming.ts'
import { outcomeOf } from '../ledger.ts'
import { enter, nothing, pause, record, want, type Proposal } from '../proposal.ts'
import { tellLanded } from './execute.ts'

export function decideReport(state: RunState): Proposal {
  const id = `report/finish${state.gate.round}`
  const outcome = outcomeOf(state, id)
  if (outcome?.kind === 'failure') return pause(environment(outcome))
  if (!outcome) return othersUnderWay(state, id) ? nothing : (tellLanded(state) ?? want({ kind: 'finish', id }))
  // A person added a task while the report was written.
  if (state.conclusion?.status === 'completed' && state.counts.todo > 0) return enter(workStage(state))
  const { status, reason } = state.conclusion ?? { status: 'failed', reason: 'the run ended without a conclusion' }
  return record({ type: 'run.ended', status, reason })
}

/** What the run's end has cut off must be over before it is written up. */
const othersUnderWay = (state: RunState, id: string): boolean => Object.keys(state.works).some((other) => other !== id)
