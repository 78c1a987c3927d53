/**
 * Chooses the response to a diagnosis: another approach, a rollback, or a question to a person. Each recovery counts
 * against a limit.
 */
import type { Checkpoint, NextStep } from '../../model/convergence.ts'
import type { RunState } from '../../model/state.ts'
import { takenBackLater } from '../tasks/rollback-target.ts'
import { isHopeless, within } from './ladder.ts'
import type { Diagnosis } from './monitor.ts'

export function nextStep(
  state: RunState,
  { health, evidence, tasks, since }: Diagnosis,
  keepsCommits: boolean,
): NextStep | null {
  if (health === 'PROGRESSING' || health === 'BLOCKED') return keepsCommits ? worthKeeping(state) : null
  const why = evidence ?? health
  if (!within(state.convergence.recoveries[health] ?? 0, state.config.limits.recoveries)) {
    return health === 'STALLED' && isUntried(state, tasks) ? null : { do: 'escalate', from: health, evidence: why }
  }
  const target = goodBefore(state, since)
  if (health === 'STALLED' || !keepsCommits || !isAnythingIn(state, target.landings, tasks)) {
    const open = [...new Set(tasks.flatMap((id) => stillToDo(state, id)))]
    return open.length === 0 ? null : { do: 'recover', from: health, evidence: why, tasks: open }
  }
  return { do: 'roll-back', why: health, evidence: why, to: target.commit, checkpoint: target.id, tasks }
}

/**
 * Whether a rollback would remove a change of these tasks from the branch. A change that was reverted is gone already.
 */
function isAnythingIn({ landings }: RunState, kept: number, tasks: readonly string[]): boolean {
  const since = landings.slice(kept)
  const reverts = (task: string): number => since.filter((landing) => landing.task === task && landing.revert).length
  const changes = (task: string): number => since.filter((landing) => landing.task === task && !landing.revert).length
  return tasks.length === 0 ? since.length > 0 : tasks.some((task) => changes(task) > reverts(task))
}

/** The tasks to try again for this one: the task itself, or the parts it was split into. */
function stillToDo(state: RunState, id: string): string[] {
  const task = state.tasks[id]
  if (task?.status === 'split') return task.children.flatMap((child) => stillToDo(state, child))
  if (task?.status === 'failed')
    return within(state.goalIteration, state.config.limits.goalIterations) && !isHopeless(state, task) ? [id] : []
  return task?.status === 'todo' ? [id] : []
}

/** A stall does not end the run while a ready task is left that is not part of it. */
const isUntried = ({ ready }: RunState, tasks: readonly string[]): boolean => ready.some((id) => !tasks.includes(id))

/** A checkpoint when no task regressed, no check is red, and something landed since the last checkpoint. */
function worthKeeping(state: RunState): NextStep | null {
  const {
    landings,
    checkpoints,
    config,
    convergence: { regressed, red, audited },
  } = state
  if (regressed.length > 0 || red.length > 0 || landings.length === (checkpoints.at(-1)?.landings ?? 0)) return null
  // Changes that the `when: wave` checks have not covered yet are not known to be good.
  if (audited !== landings.length && config.checks.some(({ when }) => when === 'wave')) return null
  return { do: 'checkpoint', passing: passing(state) }
}

const mostNamed = 200

/** Checks that passed on exactly the current landings, and the criteria of done tasks. */
function passing({ convergence: { proofs }, landings, order, tasks }: RunState): string[] {
  const checks = Object.keys(proofs).filter((check) => proofs[check] === landings.length)
  const met: string[] = []
  for (const id of order) {
    if (checks.length + met.length >= mostNamed) break
    const task = tasks[id]
    if (task?.status === 'done')
      met.push(...(task.criteria.length === 0 ? [id] : task.criteria.map((criterion) => `${id}: ${criterion}`)))
  }
  return [...checks, ...met].slice(0, mostNamed)
}

type Good = Pick<Checkpoint, 'commit' | 'landings'> & { id: string | null }

/** The last good checkpoint from before the trouble began; without one, the base of the run. */
const goodBefore = ({ checkpoints, landings, base }: RunState, wave: number): Good =>
  checkpoints.findLast((known) => known.wave < wave && takenBackLater(landings, known.landings) === null) ?? {
    id: null,
    commit: base.commit,
    landings: 0,
  }
