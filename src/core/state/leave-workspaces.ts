/** What becomes of attempts under way when a run goes on elsewhere: their workspaces stay behind. */
import type { LedgerEntry, RunState } from '../../model/state.ts'
import { drop } from '../owners.ts'
import { endWork } from './history.ts'
import { setStatus } from '../task-graph.ts'

/**
 * Nothing is left of any workspace: attempts under way never began, but for those that have landed and only need to be
 * told.
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

/** The attempt is called off and costs nothing. The next one has another number: late outcomes of this one are ignored. */
export function callOff(state: RunState, id: string): void {
  const task = state.tasks[id]
  if (!task?.attempt) return
  Object.assign(task, { attempt: null, attemptsLeft: task.attemptsLeft + 1 + (task.rivals?.length ?? 0) })
  delete task.rivals
  endWork(state, task, state.lastAt)
  drop(state, id)
  setStatus(state, task, 'todo')
  state.waveTasks.splice(state.waveTasks.lastIndexOf(id), 1)
}

/** The attempt never was. */
export function takeBack(state: RunState, id: string): void {
  const task = state.tasks[id]
  if (!task?.attempt) return
  const { attempts, attemptsLeft, fixCycles, attempt, rivals = [] } = task
  const rounds = [attempt, ...rivals].reduce((sum, { round }) => sum + round, 0)
  const n = 1 + rivals.length
  Object.assign(task, {
    attempt: null,
    attempts: attempts - n,
    attemptsLeft: attemptsLeft + n,
    fixCycles: fixCycles - rounds,
    startedAt: null,
  })
  delete task.rivals
  delete task.begunMs
  delete state.ledger[id]
  setStatus(state, task, 'todo')
  state.waveTasks.splice(state.waveTasks.lastIndexOf(id), 1)
  // The wave began with an attempt that never was.
  if (state.waveTasks.length === 0) state.wave--
}
