/** What happens to attempts under way when a run is forked: the fork has none of their workspaces. */
import type { LedgerEntry, RunState } from '../../model/state.ts'
import { setFields } from '../../model/set-fields.ts'
import { drop } from '../tasks/owners.ts'
import { endWork } from './history.ts'
import { setStatus } from '../tasks/task-graph.ts'

/**
 * Removes attempts under way as if they had never started, because their workspaces are gone. Attempts that have landed
 * stay: only their end must still be recorded.
 */
export function leaveWorkspaces(state: RunState): void {
  const landed = ({ outcome }: LedgerEntry): boolean => outcome.kind === 'integrate' && outcome.status === 'landed'
  const keeps = (owner: string): boolean => Object.values(state.ledger[owner] ?? {}).some(landed)
  for (const [owner, entries] of Object.entries(state.ledger)) {
    if (keeps(owner)) continue
    for (const [id, { outcome }] of Object.entries(entries)) if (outcome.kind === 'prepare') delete entries[id]
  }
  for (const id of state.active.slice()) if (!keeps(id)) takeBack(state, id)
}

/**
 * Cancels the attempt without cost. The next attempt gets another number, so that late outcomes of this one are
 * ignored.
 */
export function callOff(state: RunState, id: string): void {
  const task = state.tasks[id]
  if (!task?.attempt) return
  setFields(task, { attempt: null, attemptsLeft: task.attemptsLeft + 1 + (task.racers?.length ?? 0) })
  delete task.racers
  endWork(state, task, state.lastAt)
  drop(state, id)
  setStatus(state, task, 'todo')
  state.waveTasks.splice(state.waveTasks.lastIndexOf(id), 1)
}

/** Removes the attempt as if it had never started. */
export function takeBack(state: RunState, id: string): void {
  const task = state.tasks[id]
  if (!task?.attempt) return
  const { attempts, attemptsLeft, fixCycles, attempt, racers = [] } = task
  const rounds = [attempt, ...racers].reduce((sum, { round }) => sum + round, 0)
  const n = 1 + racers.length
  setFields(task, {
    attempt: null,
    attempts: attempts - n,
    attemptsLeft: attemptsLeft + n,
    fixCycles: fixCycles - rounds,
    startedAt: null,
  })
  delete task.racers
  delete task.begunMs
  delete state.ledger[id]
  setStatus(state, task, 'todo')
  state.waveTasks.splice(state.waveTasks.lastIndexOf(id), 1)
  // The removed attempt was the only one of its wave, so the wave is removed, too.
  if (state.waveTasks.length === 0) state.wave--
}
