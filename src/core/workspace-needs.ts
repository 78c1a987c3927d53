/** When trees must be tracked: in place with nothing to check or commit, git is not asked at all. */
import { mostAtOnce } from '../model/config.ts'
import type { PauseReason } from '../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../model/state.ts'
import type { FailureOutcome, WorkspaceId } from '../model/work.ts'
import { environment, pause } from './proposal.ts'
import { done, notYet, perform, type Step } from './step.ts'

export const inPlace = (state: RunState): boolean => state.config.workspace.mode === 'in-place'

export const tracksTrees = (state: RunState): boolean =>
  !inPlace(state) || state.config.checks.length > 0 || state.config.workspace.commit

/** Changes land that belong to no task: what came before them cannot be gone back to. */
export const hasPasses = ({ pipeline }: RunState): boolean =>
  pipeline?.stages.some(({ completion }) => completion.kind !== 'tasks-empty') ?? false

/** Where an attempt happens: those that race have a place each. */
export const placeOf = (task: TaskState, { lane }: Pick<AttemptState, 'lane'>): WorkspaceId =>
  lane === undefined ? task.id : `${task.id}~${lane}`

/** The task that a place belongs to. */
export const taskAt = (workspace: WorkspaceId): string => workspace.split('~')[0] ?? ''

/** Every place that attempts at a task may have had: as many as there were, for each may have been a race. */
export const placesOf = (task: TaskState): WorkspaceId[] =>
  Array.from({ length: Math.min(task.attempts, mostAtOnce) }, (_, lane) => placeOf(task, lane === 0 ? {} : { lane }))

/** Every place where somebody is at work. */
export const placesUnderWay = ({ active, tasks }: RunState): WorkspaceId[] => [
  'main',
  ...active.flatMap((id) => {
    const task = tasks[id]
    const attempts = task ? [...(task.attempt ? [task.attempt] : []), ...(task.rivals ?? [])] : []
    return task && attempts.length > 0 ? attempts.map((attempt) => placeOf(task, attempt)) : [id]
  }),
]

/** Tasks are judged together when their wave closes, and not one by one. */
export const reviewsWaves = ({ workflow, config, backlog }: RunState): boolean =>
  workflow === 'meta' && config.review && backlog === null

/** What a workspace holds; null where trees are not tracked. */
export interface Prepared {
  base: string | null
  tree: string | null
}

/** A workspace to work in. */
export function prepared(state: RunState, id: string, workspace: WorkspaceId, at?: string): Step<Prepared> {
  if (!tracksTrees(state)) return done({ base: null, tree: null })
  const step = perform(state, { kind: 'prepare', id, workspace, ...(at === undefined ? {} : { at }) })
  return step.status === 'failed' ? notYet(pause(refused(step.failure))) : step
}

export function refused(failure: FailureOutcome): PauseReason {
  if (failure.code === 'WORKSPACE_SETUP') {
    const hint = 'Fix "workspace.setup" in .looper/config.json, then: looper resume --settings'
    return { kind: 'setup', detail: failure.message, hint }
  }
  return failure.code === 'CONFIG_INVALID'
    ? { kind: 'config', detail: failure.message, hint: 'Mend the configuration, then: looper resume' }
    : environment(failure)
}
