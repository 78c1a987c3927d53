/**
 * Records for people: decisions of agents, findings, changes outside the workspaces. No decision of the core depends on
 * them.
 */
import type { RecordsSlice } from '../../model/state/records.ts'
import type { Slice } from './slice.ts'

/** Enough for the status and the report; the journal has all of them. */
const mostOutside = 200

export const recordsSlice = {
  initial: () => ({ decisions: [], findings: [] }),

  on: {
    'run.forked'(state) {
      delete state.outside
    },

    'finding.raised'(state, { severity, title, detail, task, origin }) {
      state.findings.push({ severity, title, detail, task, origin })
    },

    'decision.recorded'(state, { decision }) {
      state.decisions.push(decision)
    },

    'outside.changed'(state, { during, paths, more }) {
      const known = state.outside ?? []
      if (known.length < mostOutside) state.outside = [...known, { during, paths, more }]
    },
  },
} satisfies Slice<RecordsSlice>
