/** Work under way, and the ledger of outcomes that decisions still need. */
import type { LedgerEntry } from '../../model/state.ts'
import type { WorkSlice } from '../../model/state/work.ts'
import { ownerOf } from '../owners.ts'
import { forgetWhatPaused, startsAsked } from './resuming.ts'
import { revoke } from './revoking.ts'
import type { Slice } from './slice.ts'

export const workSlice = {
  initial: () => ({ works: {}, ledger: {}, starts: {} }),

  on: {
    'work.started'(state, { work, at }) {
      const starts = (state.starts[work.id] ?? 0) + 1
      state.starts[work.id] = starts
      state.works[work.id] = { work, at, starts }
    },

    'work.finished'(state, { id, outcome, at }) {
      const started = state.works[id]
      if (!started) return
      delete state.works[id]
      if (state.unwrapped) delete state.unwrapped[id]
      const { work } = started
      const entry: LedgerEntry = { outcome, at }
      if (work.kind === 'turn') entry.by = { agent: work.agent, model: work.model }
      ;(state.ledger[ownerOf(id)] ??= book())[id] = entry
    },

    'work.lost'(state, { id, why, revokes }) {
      delete state.works[id]
      if (revokes !== undefined) revoke(state, id, { seq: revokes, why })
    },

    'run.forked'(state) {
      Object.assign(state, { works: {}, starts: {} })
    },

    'run.resumed': forgetWhatPaused,

    'run.ended'(state) {
      Object.assign(state, { ledger: {}, starts: startsAsked(state) })
    },
  },
} satisfies Slice<WorkSlice>

/** Without a prototype, because otherwise V8 would create a hidden class for the keys of each owner. */
const book = (): Record<string, LedgerEntry> => Object.create(null) as Record<string, LedgerEntry>
