/**
 * decide: from the state of the run to the facts to record and the work that should be under way.
 * Level-triggered: it reads the state, never the last event. To resume a run is therefore the same as to call it again.
 */
import type { Fact, PauseReason, StageName } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'
import { timeLimitId } from '../model/work-id.ts'
import { resumeNow } from '../model/resume-hint.ts'
import { distrust } from './claims/distrust.ts'
import { deadline, timeIsUp, turnsAreUp } from './policies/budget.ts'
import { enterNext, nothing, record, type Proposal } from './proposal.ts'
import { decideBacklog } from './stages/backlog.ts'
import { decideBaseline } from './stages/baseline.ts'
import { decideExecute, recordLanded } from './stages/execute.ts'
import { decideGate } from './stages/gate.ts'
import { decideLoop } from './stages/loop.ts'
import { decidePlan } from './stages/plan.ts'
import { decideReport } from './stages/report.ts'
import { decideScaffold } from './stages/scaffold.ts'
import { closeWave } from './stages/wave/wave.ts'
import { inPlace } from './tasks/workspace-needs.ts'

const stages: Record<StageName, (state: RunState) => Proposal> = {
  plan: decidePlan,
  scaffold: decideScaffold,
  execute: decideExecute,
  gate: decideGate,
  backlog: decideBacklog,
  loop: decideLoop,
  report: decideReport,
}

export function decide(state: RunState): Proposal {
  if (
    state.request === 'abort'
    && (state.status === 'running' || state.status === 'paused' || state.status === 'failed')
  ) {
    return whenQuiet(state, { type: 'run.ended', status: 'aborted', reason: 'aborted by the user' })
  }
  if (state.status !== 'running') return nothing
  if (state.request === 'stop') return whenQuiet(state, { type: 'run.paused', reason: whyStopped(state) })
  if (state.distrusted) return whenQuiet(state, { type: 'run.paused', reason: distrust(state, state.distrusted) })
  const late = state.stage === 'report' ? null : timeIsUp(state)
  if (late) return whenQuiet(state, { type: 'run.paused', reason: late })

  if (state.stage === null) return enterNext(state)
  const asked = rollbackAsked(state)
  if (asked) return settle(state, asked)
  const baseline = decideBaseline(state)
  if (baseline && (baseline.facts.length > 0 || !mayPlanMeanwhile(state))) return settle(state, baseline)
  const proposal = stages[state.stage](state)
  return settle(state, baseline ? besides(proposal, baseline) : proposal)
}

/**
 * A person's request comes first. Work under way is cancelled because it builds on commits that the rollback removes.
 */
function rollbackAsked(state: RunState): Proposal | null {
  const { next } = state.convergence
  if (next?.do !== 'roll-back' || next.why !== 'person') return null
  const isBusy = Object.values(state.works).some(({ work }) => work.kind !== 'rollback')
  return isBusy ? nothing : (recordLanded(state) ?? closeWave(state))
}

/**
 * A planner only reads, so the baseline checks can run beside it. In place they would run in the planner's own files.
 */
const mayPlanMeanwhile = (state: RunState): boolean => state.stage === 'plan' && !inPlace(state)

const besides = (proposal: Proposal, other: Proposal): Proposal => {
  const pause = proposal.pause ?? other.pause
  return { facts: proposal.facts, work: [...proposal.work, ...other.work], ...(pause ? { pause } : {}) }
}

const settle = (state: RunState, proposal: Proposal): Proposal =>
  proposal.facts.length > 0 ? proposal : applyLimits(state, proposal)

const byUser: PauseReason = { kind: 'user', detail: 'stopped by the user', ...resumeNow }

const byHangup: PauseReason = { kind: 'user', detail: 'stopped because its terminal was closed', ...resumeNow }

const whyStopped = ({ requestWhy }: RunState): PauseReason => (requestWhy === 'hangup' ? byHangup : byUser)

/** Wants no work, so that everything under way is cancelled; records the fact when nothing is under way any more. */
const whenQuiet = (state: RunState, fact: Fact): Proposal =>
  Object.keys(state.works).length > 0 ? nothing : (recordLanded(state) ?? record(fact))

/** Applies limits and a requested pause to what the stage wants. When no work is left to wait for, the run pauses. */
function applyLimits(state: RunState, { work: wanted, pause }: Proposal): Proposal {
  const why = state.request === 'pause' ? byUser : pause
  if (why)
    return pauseAfter(
      state,
      why,
      wanted.filter(({ id, kind }) => (state.works[id] ? kind !== 'wait' : isProbe(state, kind))),
    )
  const work: Work[] = []
  let limit: PauseReason | null = null
  let turns = 0
  let busy: Busy | null = null
  for (const item of wanted) {
    if (!state.works[item.id]) {
      const pause = item.kind === 'turn' ? turnsAreUp(state, turns) : null
      if (pause) {
        limit = pause
        continue
      }
      if (item.kind === 'check' && (busy ??= underWay(state)).checks++ >= state.config.checksParallel) continue
      if (item.kind === 'turn' && !takeTurn(state, (busy ??= underWay(state)).turns, item.agent)) continue
      if (item.kind === 'turn') turns++
    }
    work.push(item)
  }
  return limit && work.length === 0 ? pauseAfter(state, limit, []) : { facts: [], work: withDeadline(state, work) }
}

/** In place, a person may edit the files that a coder left. The run inspects them before it pauses. */
const isProbe = ({ convergence: { accepted } }: RunState, kind: Work['kind']): boolean =>
  accepted?.touched === true && (kind === 'inspect' || kind === 'prepare')

/** The work under way that limits count. A check that is no longer wanted occupies a slot until it has ended. */
interface Busy {
  checks: number
  /** By agent. */
  turns: Map<string, number>
}

function underWay(state: RunState): Busy {
  const busy: Busy = { checks: 0, turns: new Map() }
  for (const { work } of Object.values(state.works)) {
    if (work.kind === 'check') busy.checks++
    else if (work.kind === 'turn') busy.turns.set(work.agent, (busy.turns.get(work.agent) ?? 0) + 1)
  }
  return busy
}

/** Counts one more turn of the agent; false when the agent is at its concurrency limit. */
function takeTurn({ config }: RunState, busy: Map<string, number>, agent: string): boolean {
  const turns = busy.get(agent) ?? 0
  const most = config.agents[agent]?.concurrency
  if (most !== undefined && turns >= most) return false
  busy.set(agent, turns + 1)
  return true
}

const pauseAfter = (state: RunState, reason: PauseReason, ending: Work[]): Proposal =>
  ending.length > 0
    ? { facts: [], work: withDeadline(state, ending) }
    : whenQuiet(state, { type: 'run.paused', reason })

/**
 * The time limit is a wait like any other. While all work is waiting, running time does not pass and needs no deadline.
 */
function withDeadline(state: RunState, work: Work[]): Work[] {
  const until = state.stage === 'report' || work.every(({ kind }) => kind === 'wait') ? null : deadline(state)
  return until === null
    ? work
    : [...work, { kind: 'wait', id: timeLimitId(until), until, awaits: { kind: 'time-limit' } }]
}
