/** Waves of attempts, and whether they converge: baseline, audits, checkpoints, recoveries and rollbacks. */
import type { Convergence } from '../../model/convergence.ts'
import type { RunState } from '../../model/state.ts'
import type { WavesSlice } from '../../model/state/waves.ts'
import { ownerOf, waveOwner } from '../../model/work-id.ts'
import { setFields } from '../../model/set-fields.ts'
import { drop } from '../tasks/owners.ts'
import { joinsRace } from '../tasks/racers.ts'
import { hasBegun } from '../tasks/has-begun.ts'
import { recordPass, recordTree, recordTurn } from './accepted-tree.ts'
import { beginAnew, closeWave, recordAudit, recordDone, recordFailure, recordFlaky, recover } from './convergence.ts'
import { recordEpisode } from './history.ts'
import { callOff } from './leave-workspaces.ts'
import type { Slice } from './slice.ts'
import { forgetShown, recordFix, recordShown } from './shown-failures.ts'
import { rollBack, undone } from './undoing.ts'

export const initialConvergence = (): Convergence => ({
  health: 'PROGRESSING',
  evidence: null,
  failures: [],
  before: null,
  regressed: [],
  completed: [],
  worse: [],
  recoveries: {},
  proofs: {},
  audited: 0,
  red: [],
  kept: 0,
  next: null,
})

/** A person may have repaired the environment or corrected the settings, so red checks of the base run again. */
function retakeBaseline(state: RunState): void {
  if (state.baseline === null || hasBegun(state) || state.baseline.checks.every(({ passed }) => passed)) return
  state.baseline = null
  state.preflights = (state.preflights ?? 0) + 1
  state.convergence.proofs = {}
}

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
      retakeBaseline(state)
    },

    'baseline.taken'(state, { tree, checks }) {
      state.baseline = { tree, checks: checks.map(({ flaky: _flaky, ...known }) => known) }
      for (const { check, passed, flaky } of checks) {
        if (passed) state.convergence.proofs[check] = 0
        if (flaky) recordFlaky(state, check, flaky, null)
      }
      drop(state, 'baseline')
    },

    'task.started'(state, { task: id, wave, racer }) {
      const task = state.tasks[id]
      if (!task || joinsRace(task, racer)) return
      state.wave = wave
      state.waveTasks.push(id)
    },

    'task.finished'(state, event) {
      const task = state.tasks[event.task]
      if (task && event.status === 'done' && event.by !== 'source') recordDone(state, task, event)
      forgetShown(state, event)
    },

    'attempt.fixing': recordFix,

    'attempt.failed'(state, event) {
      if (state.tasks[event.task] && event.next !== 'none') recordFailure(state, event)
    },

    'task.undone': undone,

    'iteration.finished'(state, event) {
      if (state.loop) recordPass(state, event)
    },

    'work.started'(state, { work }) {
      recordTurn(state, work)
    },

    'work.finished'(state, { id, outcome }) {
      if (!state.works[id]) return
      if (outcome.kind === 'prepare' || outcome.kind === 'inspect') recordTree(state, outcome, ownerOf(id))
    },

    'check.finished'(state, event) {
      const { check, flaky, task } = event
      if (flaky) recordFlaky(state, check, flaky, task)
      recordShown(state, event)
    },

    'check.flaky'(state, { check, elsewhere, runs, passed, tests }) {
      recordFlaky(state, check, { runs, passed, ...(tests ? { tests } : {}) }, null)
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
      setFields(state.convergence, { health, evidence })
      recordEpisode(state, { wave, health, evidence })
    },

    'branch.audited': recordAudit,

    'recovery.begun'(state, event) {
      const { n, from, evidence, tasks } = event
      recover(state, event)
      recordEpisode(state, { wave: state.wave, health: from, evidence, recovery: { n, tasks } })
      drop(state, waveOwner(state.wave))
    },

    'checkpoint.made'(state, { checkpoint }) {
      state.checkpoints.push(checkpoint)
      setFields(state.convergence, { kept: Number(checkpoint.id.slice(1)), next: null })
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
