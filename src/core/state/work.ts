/** Work under way, and the ledger of outcomes that decisions still need. */
import type { LedgerEntry } from '../../model/state.ts'
import type { WorkSlice } from '../../model/state/work.ts'
import type { Outcome, WaitWork, Work } from '../../model/work.ts'
import { ownerOf } from '../../model/work-id.ts'
import { setFields } from '../../model/set-fields.ts'
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
      ;(state.ledger[ownerOf(id)] ??= book())[id] = entryOf(started.work, outcome, at)
    },

    'work.lost'(state, { id, why, revokes }) {
      delete state.works[id]
      if (revokes !== undefined) revoke(state, id, { seq: revokes, why })
    },

    'run.forked'(state) {
      setFields(state, { works: {}, starts: {} })
    },

    'run.resumed': forgetWhatPaused,

    'run.ended'(state) {
      setFields(state, { ledger: {}, starts: startsAsked(state) })
    },
  },
} satisfies Slice<WorkSlice>

function entryOf(work: Work, outcome: Outcome, at: string): LedgerEntry {
  if (work.kind === 'turn') {
    const { agent, model, slot: question, purpose, attempt } = work
    return { outcome, at, by: { agent, model }, question, purpose, attempt }
  }
  const question = work.kind === 'sync' ? work.repeats : work.kind === 'wait' ? delayed(work) : undefined
  return { outcome, at, ...(question === undefined ? {} : { question }) }
}

const delayed = ({ awaits }: WaitWork): string | undefined => (awaits.kind === 'retry' ? awaits.question : undefined)

/** Without a prototype, because otherwise V8 would create a hidden class for the keys of each owner. */
const book = (): Record<string, LedgerEntry> => Object.create(null) as Record<string, LedgerEntry>
