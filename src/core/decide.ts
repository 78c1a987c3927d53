/**
 * decide: where the run stands now → what should be recorded, and what should be under way.
 * Level-triggered: it looks at the state, never at what just happened, so starting again is all that resuming is.
 */
import type { Fact, PauseReason, StageName } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'
import { deadline, timeIsUp, turnsAreUp } from './policies/budget.ts'
import { enterNext, nothing, pause, record, type Proposal } from './proposal.ts'
import { decideExecute } from './stages/execute.ts'
import { decideGate } from './stages/gate.ts'
import { decidePlan } from './stages/plan.ts'
import { decideReport } from './stages/report.ts'

const stages: Record<StageName, (state: RunState) => Proposal> = {
  plan: decidePlan,
  execute: decideExecute,
  gate: decideGate,
  report: decideReport,
}

export function decide(state: RunState): Proposal {
  if (state.request === 'abort' && (state.status === 'running' || state.status === 'paused')) {
    return whenQuiet(state, { type: 'run.ended', status: 'aborted', reason: 'aborted by the user' })
  }
  if (state.status !== 'running') return nothing
  if (state.request === 'stop') return whenQuiet(state, { type: 'run.paused', reason: byUser })
  const late = state.stage === 'report' ? null : timeIsUp(state)
  if (late) return whenQuiet(state, { type: 'run.paused', reason: late })

  if (state.stage === null) return enterNext(state)
  const proposal = stages[state.stage](state)
  return proposal.facts.length > 0 ? proposal : hold(state, proposal.work)
}

const byUser: PauseReason = { kind: 'user', detail: 'stopped by the user', hint: 'Go on: looper resume' }

/** Wants nothing any more, so that everything under way is cancelled; records the fact when that is so. */
const whenQuiet = (state: RunState, fact: Fact): Proposal => (Object.keys(state.works).length > 0 ? nothing : record(fact))

/** What the stage wants, less what limits and a pause hold back. When that leaves nothing to wait for, the run pauses. */
function hold(state: RunState, wanted: readonly Work[]): Proposal {
  const work: Work[] = []
  let why: PauseReason | null = null
  let turns = 0
  let checks = wanted.filter(({ kind, id }) => kind === 'check' && state.works[id]).length
  for (const item of wanted) {
    if (!state.works[item.id]) {
      const held = state.request === 'pause' ? byUser : item.kind === 'turn' ? turnsAreUp(state, turns) : null
      if (held) {
        why = held
        continue
      }
      if (item.kind === 'check' && checks++ >= state.config.checksParallel) continue
      if (item.kind === 'turn') turns++
    }
    work.push(item)
  }
  if (state.request === 'pause' && work.length === 0) return pause(byUser)
  if (why && work.length === 0) return pause(why)
  const until = state.stage === 'report' ? null : deadline(state)
  return { facts: [], work: until === null ? work : [...work, { kind: 'wait', id: `limit/time/${until}`, until }] }
}
