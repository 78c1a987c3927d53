/** The plan: revised until its reviewer accepts it. */
import type { PlanSlice } from '../../model/state/plan.ts'
import { drop } from '../tasks/owners.ts'
import { startOver } from './resuming.ts'
import type { Slice } from './slice.ts'

export const planSlice = {
  initial: () => ({ plan: { revision: 0, accepted: false, score: null, feedback: null, verdict: null } }),

  on: {
    'run.resumed'(state) {
      if (state.status === 'failed') startOver(state)
    },

    'stage.entered'(state, { stage }) {
      if (stage === 'execute') drop(state, 'plan')
    },

    'plan.accepted'(state, { score }) {
      state.plan.accepted = true
      state.plan.score = score
      drop(state, 'backlog')
    },

    'plan.rejected'(state, { revision, score, feedback }) {
      state.plan = { ...state.plan, revision: revision + 1, score, feedback, verdict: null }
    },

    'verdict.given'(state, { subject, verdict }) {
      if (subject.kind === 'plan') state.plan.verdict = verdict
    },
  },
} satisfies Slice<PlanSlice>
