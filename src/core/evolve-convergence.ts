/**
 * How events about convergence change the state: the part of `evolve` for baseline, waves, checkpoints and rollbacks.
 */
import type { EventType } from '../model/event.ts'
import { noteAudit, noteFlaky, recover, rollBack, undone } from './convergence.ts'
import type { Handlers } from './handlers.ts'
import { callOff } from './leave-workspaces.ts'
import { drop } from './owners.ts'
import { noteEpisode } from './past.ts'
import { attemptOf } from './rivals.ts'
import { stopClock } from './run-clock.ts'

type Own = Extract<
  EventType,
  | 'baseline.taken'
  | 'health.changed'
  | 'branch.audited'
  | 'task.undone'
  | 'recovery.begun'
  | 'checkpoint.made'
  | 'rollback.requested'
  | 'rollback.withdrawn'
  | 'rolled.back'
  | 'race.decided'
  | 'proof.given'
  | 'check.flaky'
>

export const convergenceHandlers: Pick<Handlers, Own> = {
  'baseline.taken'(state, { tree, checks }) {
    state.baseline = { tree, checks: checks.map(({ flaky: _flaky, ...known }) => known) }
    for (const { check, passed, flaky } of checks) {
      if (passed) state.convergence.proofs[check] = 0
      if (flaky) noteFlaky(state, check, flaky, null)
    }
    drop(state, 'baseline')
  },

  'race.decided'(state, { task: id, winner, losers }) {
    const task = state.tasks[id]
    const attempt = attemptOf(task, winner)
    if (!task || !attempt) return
    task.attempt = attempt
    task.race = { winner, fixes: attempt.round, losers }
    delete task.rivals
  },

  'proof.given'(state, { task, attempt: n, proved, why }) {
    const attempt = attemptOf(state.tasks[task], n)
    if (attempt)
      Object.assign(attempt, { proof: proved ? 'proved' : 'no proof', ...(why === undefined ? {} : { unproven: why }) })
  },

  'health.changed'(state, { health, evidence, wave }) {
    Object.assign(state.convergence, { health, evidence })
    noteEpisode(state, { wave, health, evidence })
  },

  'branch.audited'(state, event) {
    noteAudit(state, event)
  },

  'task.undone'(state, event) {
    undone(state, event)
  },

  'recovery.begun'(state, event) {
    recover(state, event)
    noteEpisode(state, {
      wave: state.wave,
      health: event.from,
      evidence: event.evidence,
      recovery: { n: event.n, tasks: event.tasks },
    })
    drop(state, `wave${state.wave}`)
  },

  'checkpoint.made'(state, { checkpoint }) {
    state.checkpoints.push(checkpoint)
    Object.assign(state.convergence, { kept: Number(checkpoint.id.slice(1)), next: null })
    drop(state, `wave${state.wave}`)
  },

  'check.flaky'(state, { check, elsewhere, runs, passed, tests }) {
    noteFlaky(state, check, { runs, passed, ...(tests ? { tests } : {}) }, null)
    if (elsewhere) state.convergence.doubts = (state.convergence.doubts ?? 0) + 1
  },

  'rollback.requested'({ convergence }, { to, checkpoint }) {
    convergence.next = { do: 'roll-back', why: 'person', evidence: '', to, checkpoint, tasks: [] }
  },

  'rollback.withdrawn'({ convergence }, { next }) {
    convergence.next = next
  },

  'rolled.back'(state, event) {
    stopClock(state, state.lastAt)
    state.active.slice().forEach((id) => callOff(state, id))
    rollBack(state, event)
    if (state.status === 'running') state.activeSince = event.at
    drop(state, `wave${state.wave}`)
  },
}
