/** What a resume repeats from the start. */
import { errorPolicy } from '../../model/agent-error.ts'
import type { StageName } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { Outcome } from '../../model/work.ts'
import { ownerOf, waveIn, type FixedOwner } from '../../model/work-id.ts'

const askedAgain: ReadonlySet<string> = new Set<FixedOwner>(['backlog', 'baseline', 'gate'])

/**
 * Start counts of work that a resume repeats under the same ids: the plan (until it is accepted), the backlog, the
 * baseline, the gate and the wave. They are kept so that no turn folder is used twice.
 */
export function startsAsked({ plan, starts }: RunState): RunState['starts'] {
  const isAsked = (id: string): boolean => askedAgain.has(ownerOf(id)) || waveIn(id) !== null
  return plan.accepted ? Object.fromEntries(Object.entries(starts).filter(([id]) => isAsked(id))) : starts
}

/** Makes the plan again, with the feedback of the last review. */
export function startOver(state: RunState): void {
  if (state.plan.accepted) return
  delete state.ledger['plan']
  state.plan = { revision: 0, accepted: false, score: null, feedback: state.plan.feedback, verdict: null }
}

/**
 * Drops the outcomes that paused the run, so that the work is repeated: a person may have fixed the cause, or the wait
 * is over.
 */
export function forgetWhatPaused(state: RunState): void {
  const { ledger, pause } = state
  const waited = pause?.kind === 'wait' || pause?.kind === 'limit'
  for (const entries of Object.values(ledger)) {
    const last = new Map(Object.entries(entries).map(([id, { outcome, question = id }]) => [question, { id, outcome }]))
    for (const { id, outcome } of last.values()) {
      if (!paused(outcome, waited)) continue
      delete entries[id]
      if (outcome.kind === 'failure' && outcome.answer) state.unwrapped = { ...state.unwrapped, [id]: outcome.answer }
    }
  }
}

function paused(outcome: Outcome, waited: boolean): boolean {
  if (outcome.kind === 'failure' || (outcome.kind === 'rollback' && outcome.status === 'moved')) return true
  if (outcome.kind !== 'turn' || outcome.status !== 'error') return false
  const policy = errorPolicy(outcome.error.kind)
  return policy === 'pause' || (waited && policy === 'wait')
}

/** The stage that works on the tasks of this run. */
export const workStage = ({ stages }: RunState): StageName =>
  stages.find((stage) => stage === 'backlog' || stage === 'loop') ?? 'execute'
