/** Waves of attempts, and whether they converge: baseline, audits, checkpoints, recoveries and rollbacks. */
import type { Convergence } from '../../model/convergence.ts'
import type { WavesSlice } from '../../model/state/waves.ts'
import { waveOwner } from '../../model/work-id.ts'
import { drop, ownerOf } from '../owners.ts'
import { isRival } from '../rivals.ts'
import { notePass, noteTree, noteTurn } from './accepted-tree.ts'
import { beginAnew, closeWave, noteAudit, noteDone, noteFailure, noteFlaky, recover } from './convergence.ts'
import { noteEpisode } from './history.ts'
import { callOff } from './leave-workspaces.ts'
import type { Slice } from './slice.ts'
import { rollBack, undone } from './undoing.ts'

export const initialConvergence = (): Convergence => ({
  health: 'PROGRESSING',
  evidence: null,
  failures: [],
  before: null,
  fell: [],
  rose: [],
  worse: [],
  recoveries: {},
  proofs: {},
  audited: 0,
  red: [],
  kept: 0,
  next: null,
})

export const wavesSlice = {
  initial: () => ({
    wave: 0,
    waveTasks: [],
    waveReviewed: 0,
    baseline: null,
    flaky: {},
    convergence: initialConvergence(),
    landings: [],
    checkpoints: [],
    antiPatterns: [],
  }),

  on: {
    'run.resumed'(state) {
      if (state.status !== 'running') beginAnew(state)
    },

    'baseline.taken'(state, { tree, checks }) {
      state.baseline = { tree, checks: checks.map(({ flaky: _flaky, ...known }) => known) }
      for (const { check, passed, flaky } of checks) {
        if (passed) state.convergence.proofs[check] = 0
        if (flaky) noteFlaky(state, check, flaky, null)
      }
      drop(state, 'baseline')
    },

    'task.started'(state, { task: id, wave, lane }) {
      const task = state.tasks[id]
      if (!task || isRival(task, lane)) return
      state.wave = wave
      state.waveTasks.push(id)
    },

    'task.finished'(state, event) {
      const task = state.tasks[event.task]
      if (task && event.status === 'done' && event.by !== 'source') noteDone(state, task, event)
    },

    'attempt.failed'(state, event) {
      if (state.tasks[event.task] && event.next !== 'none') noteFailure(state, event)
    },

    'task.undone': undone,

    'iteration.finished'(state, event) {
      if (state.loop) notePass(state, event)
    },

    'work.started'(state, { work }) {
      noteTurn(state, work)
    },

    'work.finished'(state, { id, outcome }) {
      if (!state.works[id]) return
      if (outcome.kind === 'prepare' || outcome.kind === 'inspect') noteTree(state, outcome, ownerOf(id))
    },

    'check.finished'(state, { check, flaky, task }) {
      if (flaky) noteFlaky(state, check, flaky, task)
    },

    'check.flaky'(state, { check, elsewhere, runs, passed, tests }) {
      noteFlaky(state, check, { runs, passed, ...(tests ? { tests } : {}) }, null)
      if (elsewhere) state.convergence.doubts = (state.convergence.doubts ?? 0) + 1
    },

    'verdict.given'(state, { subject }) {
      if (subject.kind === 'wave') state.waveReviewed = subject.wave
    },

    'wave.closed'(state, event) {
      state.waveTasks = []
      closeWave(state, event)
      if (event.next) return
      // When a person resumes the run, red checks run again under the same ids, so their start counts must stay.
      if (state.convergence.red.length > 0) delete state.ledger[waveOwner(event.wave)]
      else drop(state, waveOwner(event.wave))
    },

    'health.changed'(state, { health, evidence, wave }) {
      Object.assign(state.convergence, { health, evidence })
      noteEpisode(state, { wave, health, evidence })
    },

    'branch.audited': noteAudit,

    'recovery.begun'(state, event) {
      const { n, from, evidence, tasks } = event
      recover(state, event)
      noteEpisode(state, { wave: state.wave, health: from, evidence, recovery: { n, tasks } })
      drop(state, waveOwner(state.wave))
    },

    'checkpoint.made'(state, { checkpoint }) {
      state.checkpoints.push(checkpoint)
      Object.assign(state.convergence, { kept: Number(checkpoint.id.slice(1)), next: null })
      drop(state, waveOwner(state.wave))
    },

    'rollback.requested'({ convergence }, { to, checkpoint }) {
      convergence.next = { do: 'roll-back', why: 'person', evidence: '', to, checkpoint, tasks: [] }
    },

    'rollback.withdrawn'({ convergence }, { next }) {
      convergence.next = next
    },

    'rolled.back'(state, event) {
      state.active.slice().forEach((id) => callOff(state, id))
      rollBack(state, event)
      drop(state, waveOwner(state.wave))
    },
  },
} satisfies Slice<WavesSlice>
