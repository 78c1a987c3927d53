/**
 * Which workspaces a run uses, and whether it tracks trees: in place without checks and commits, git is not used at
 * all.
 */
import { mostAtOnce } from '../model/config.ts'
import type { PauseReason } from '../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../model/state.ts'
import type { FailureOutcome, WorkspaceId } from '../model/work.ts'
import { environment, pause } from './proposal.ts'
import { done, notYet, perform, type Step } from './step.ts'

export const inPlace = (state: RunState): boolean => state.config.workspace.mode === 'in-place'

export const tracksTrees = (state: RunState): boolean =>
  !inPlace(state) || state.config.checks.length > 0 || state.config.workspace.commit

/** Whether passes land changes that belong to no task. Such a run cannot be rolled back. */
export const hasPasses = ({ pipeline }: RunState): boolean =>
  pipeline?.stages.some(({ completion }) => completion.kind !== 'tasks-empty') ?? false

/** The workspace of an attempt: each attempt in a race has its own. */
export const placeOf = (task: TaskState, { racer }: Pick<AttemptState, 'racer'>): WorkspaceId =>
  racer === undefined ? task.id : `${task.id}~${racer}`

/**
 * Every workspace that attempts at a task may have used: up to one per attempt, because all may have been in one race.
 */
export const placesOf = (task: TaskState): WorkspaceId[] =>
  Array.from({ length: Math.min(task.attempts, mostAtOnce) }, (_, racer) => placeOf(task, racer === 0 ? {} : { racer }))

/** Every workspace that active attempts use, and `main`. */
export const placesUnderWay = ({ active, tasks }: RunState): WorkspaceId[] => [
  'main',
  ...active.flatMap((id) => {
    const task = tasks[id]
    const attempts = task ? [...(task.attempt ? [task.attempt] : []), ...(task.racers ?? [])] : []
    return task && attempts.length > 0 ? attempts.map((attempt) => placeOf(task, attempt)) : [id]
  }),
]

/** Whether tasks are judged together when their wave closes, instead of one by one. */
export const reviewsWaves = ({ workflow, config, backlog }: RunState): boolean =>
  workflow === 'meta' && config.review && backlog === null

/** The commit and tree of a workspace; null when trees are not tracked. */
export interface Prepared {
  base: string | null
  tree: string | null
}

/** Prepares a workspace of the run or of a task; pauses the run when that fails. */
export function prepared(state: RunState, id: string, workspace: WorkspaceId, task?: string): Step<Prepared> {
  if (!tracksTrees(state)) return done({ base: null, tree: null })
  const step = perform(state, { kind: 'prepare', id, workspace, ...(task === undefined ? {} : { task }) })
  return step.status === 'failed' ? notYet(pause(refused(step.failure))) : step
}

export function refused(failure: FailureOutcome): PauseReason {
  if (failure.code === 'WORKSPACE_SETUP') {
    const hint = 'Fix "workspace.setup" in .looper/config.json, then: looper resume --settings'
    return { kind: 'setup', detail: failure.message, hint }
  }
  return failure.code === 'CONFIG_INVALID'
    ? { kind: 'config', detail: failure.message, hint: 'Fix the configuration, then: looper resume' }
    : environment(failure)
}
