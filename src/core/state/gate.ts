/** The gate: checks and verdict on the goal as a whole. */
import type { CheckRecord } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { GateSlice } from '../../model/state/gate.ts'
import { drop } from '../tasks/owners.ts'
import { recordOf } from './check-record.ts'
import type { Slice } from './slice.ts'

export const gateSlice = {
  initial: () => ({ gate: { round: 0, checks: [], verdict: null }, goalIteration: 0 }),

  on: {
    'stage.entered'(state, { stage }) {
      if (stage === 'report') drop(state, 'report')
      if (stage !== 'gate') return
      state.gate = { round: state.gate.round + 1, checks: [], verdict: null }
      drop(state, 'gate')
    },

    'run.resumed'(state) {
      checkAgain(state)
      if (state.status !== 'running') state.goalIteration = 0
    },

    'task.reopened'(state, { why }) {
      if (why === 'goal-iteration') state.goalIteration++
    },

    'check.finished'(state, event) {
      if (event.task !== null) return
      keepNewest(state.stage === 'loop' && state.loop ? state.loop : state.gate, recordOf(event))
    },

    'verdict.given'(state, { subject, verdict }) {
      if (subject.kind === 'goal') state.gate.verdict = verdict
    },
  },
} satisfies Slice<GateSlice>

/** The process that declares completion runs every check itself, so checks of an earlier process do not count. */
function checkAgain(state: RunState): void {
  state.gate.checks = []
  if (state.loop) state.loop.checks = state.loop.checks.filter(({ round }) => round !== state.gate.round)
  delete state.ledger['gate']
}

/** Drops the checks of earlier rounds. */
function keepNewest(known: { checks: CheckRecord[] }, record: CheckRecord): void {
  known.checks = [...known.checks.filter(({ round }) => round === record.round), record]
}
