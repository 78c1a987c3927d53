/** Undoes done tasks: one by one, or all since an earlier commit. */
import type { Event } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { setFields } from '../../model/set-fields.ts'
import { setStatus } from '../tasks/task-graph.ts'

/** The task is no longer done and starts again, with the recorded failure. */
export function undo(state: RunState, task: TaskState): void {
  if (task.status !== 'done') return
  setFields(task, {
    evidence: [],
    commit: null,
    summary: null,
    endedAt: null,
    verdict: null,
    conflicts: 0,
    attemptsLeft: Math.max(task.attemptsLeft, 1),
  })
  for (const key of ['proof', 'unproven', 'race'] as const) delete task[key]
  state.recent = state.recent.filter((id) => id !== task.id)
  setStatus(state, task, 'todo')
}

export function undone(state: RunState, { task: id, failure, revert, reverts }: Event<'task.undone'>): void {
  const task = state.tasks[id]
  if (!task) return
  undo(state, task)
  task.falls = (task.falls ?? 0) + 1
  state.convergence.regressed.push(task.id)
  task.failures = [...task.failures.slice(-4), failure]
  if (revert === null) return
  delete state.convergence.doubts
  const { wave, met } = state
  state.landings.push({
    task: id,
    commit: revert,
    wave,
    met,
    revert: true,
    ...(reverts === undefined ? {} : { reverts }),
  })
}

/** Only for a checkpoint and for the base is it known which checks were green. */
function proveAt({ convergence: { proofs }, checkpoints, baseline }: RunState, name: string, landings: number): void {
  const known = checkpoints.find((checkpoint) => checkpoint.landings === landings)
  if (known?.passing.includes(name)) proofs[name] = landings
  else if (baseline?.checks.some(({ check, passed }) => check === name && passed)) proofs[name] = 0
  else delete proofs[name]
}

export function rollBack(state: RunState, { tasks, landings, kept, antiPattern }: Event<'rolled.back'>): void {
  const { convergence } = state
  state.landings = state.landings.slice(0, landings)
  state.checkpoints = state.checkpoints.filter((known) => known.landings <= landings)
  for (const id of tasks) {
    const task = state.tasks[id]
    if (task) undo(state, task)
  }
  for (const [name, at] of Object.entries(convergence.proofs)) if (at > landings) proveAt(state, name, landings)
  state.antiPatterns.push(kept === null ? antiPattern : { ...antiPattern, kept })
  // Red checks of commits that were removed say nothing about the current tip.
  if (landings < convergence.audited) setFields(convergence, { audited: landings, red: [] })
  delete convergence.doubts
  convergence.next = null
}
