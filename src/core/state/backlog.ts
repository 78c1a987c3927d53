/** What the run knows about its task source; present only in runs with a backlog or a loop stage. */
import type { BacklogSlice, BacklogState } from '../../model/state/backlog.ts'
import { setFields } from '../../model/set-fields.ts'
import { drop } from '../tasks/owners.ts'
import { joinsRace } from '../tasks/racers.ts'
import type { Slice } from './slice.ts'

const initialBacklog = (): BacklogState => ({
  polls: 0,
  claimed: null,
  fresh: false,
  problems: [],
  reviews: 0,
  complete: false,
  written: 0,
  finished: 0,
})

export const backlogSlice = {
  initial: () => ({ backlog: null }),

  on: {
    'stage.entered'(state, { stage }) {
      if (stage === 'backlog' || stage === 'loop') state.backlog ??= initialBacklog()
    },

    /** A person who resumes a run wants failed steps to be tried again. */
    'run.resumed'({ status, backlog }) {
      if (status !== 'running' && backlog) setFields(backlog, { fresh: false, written: 0 })
    },

    'source.polled'(state, { poll, claimed, complete, problems, text }) {
      if (!state.backlog) return
      const { reviews, written, finished } = state.backlog
      const words = text === undefined ? {} : { text }
      state.backlog = {
        polls: poll + 1,
        fresh: true,
        claimed,
        complete,
        problems,
        reviews,
        written,
        finished,
        ...words,
      }
      drop(state, 'look')
    },

    'backlog.reviewed'(state, { round, added }) {
      if (!state.backlog) return
      setFields(state.backlog, { reviews: round, complete: added === 0 })
      drop(state, 'backlog')
    },

    /** The next stage must poll its source itself. */
    'loop.finished'({ backlog }) {
      if (backlog) setFields(backlog, { fresh: false, claimed: null })
    },

    'task.started'({ tasks, backlog }, { task: id, racer }) {
      const task = tasks[id]
      if (backlog && task && !joinsRace(task, racer))
        setFields(backlog, { claimed: null, fresh: false, complete: false })
    },

    'task.finished'({ tasks, backlog }, { task, status, by }) {
      if (backlog && tasks[task] && status === 'done' && by !== 'source') backlog.finished++
    },

    /** A write counts when it has ended, not while it is under way. */
    'work.finished'({ works, backlog }, { id, outcome }) {
      const work = works[id]?.work
      if (backlog && work?.kind === 'sync' && work.write !== null && outcome.kind === 'sync') backlog.written++
    },
  },
} satisfies Slice<BacklogSlice>
