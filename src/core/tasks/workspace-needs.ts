/**
 * Which workspaces a run uses, and whether it tracks trees: runs of older versions in place, without checks and
 * commits, do not use git at all.
 */
import { mostAtOnce } from '../../model/config.ts'
import type { PauseReason } from '../../model/event.ts'
import type { AttemptState, RunState, TaskState } from '../../model/state.ts'
import { verificationWorkspace, type FailureOutcome, type PrepareWork, type WorkspaceId } from '../../model/work.ts'
import { ownerOf } from '../../model/work-id.ts'
import { resumeAfter } from '../../model/resume-hint.ts'
import { environment, pause } from '../proposal.ts'
import { done, notYet, performWhenOpen, type Step } from '../step.ts'

export const inPlace = (state: RunState): boolean => state.config.workspace.mode === 'in-place'

export const tracksTrees = (state: RunState): boolean =>
  !inPlace(state)
  || state.config.checks.length > 0
  || state.config.workspace.commit
  || state.config.inspectsInPlace === true

/** Whether passes land changes that belong to no task. Such a run cannot be rolled back. */
export const hasPasses = ({ pipeline }: RunState): boolean =>
  pipeline?.stages.some(({ completion }) => completion.kind !== 'tasks-empty') ?? false

/** Where checks run: in place, in the user's checkout; otherwise in a verification workspace at `commit`. */
export const checkWorkspace = (
  state: RunState,
  workspace: WorkspaceId,
  commit: string | null,
): { workspace: WorkspaceId; commit?: string } =>
  inPlace(state) || commit === null ? { workspace } : { workspace: verificationWorkspace, commit }

/** The workspace of an attempt: each attempt in a race has its own. */
export const workspaceOf = (task: TaskState, { racer }: Pick<AttemptState, 'racer'>): WorkspaceId =>
  racer === undefined ? task.id : `${task.id}~${racer}`

/**
 * Every workspace that attempts at a task may have used: up to one per attempt, because all may have been in one race.
 */
export const workspacesOf = (task: TaskState): WorkspaceId[] =>
  Array.from({ length: Math.min(task.attempts, mostAtOnce) }, (_, racer) =>
    workspaceOf(task, racer === 0 ? {} : { racer }),
  )

/** Every workspace that active attempts use, and `main`. */
export const workspacesUnderWay = ({ active, tasks }: RunState): WorkspaceId[] => [
  'main',
  ...active.flatMap((id) => {
    const task = tasks[id]
    const attempts = task ? [...(task.attempt ? [task.attempt] : []), ...(task.racers ?? [])] : []
    return task && attempts.length > 0 ? attempts.map((attempt) => workspaceOf(task, attempt)) : [id]
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

export interface PrepareOptions {
  /** The task whose workspace it is. */
  task?: string
  /** False: an agent that only reads works there, so set-up need not run first. */
  setup?: false
}

/** Prepares a workspace of the run or of a task; pauses the run when that fails. */
export function prepared(
  state: RunState,
  id: string,
  workspace: WorkspaceId,
  { task, setup }: PrepareOptions = {},
): Step<Prepared> {
  if (!tracksTrees(state)) return done({ base: null, tree: null })
  const step = performWhenOpen(state, { kind: 'prepare', id }, ownerOf(task ?? id), (): PrepareWork => ({
    kind: 'prepare',
    id,
    workspace,
    ...(task === undefined ? {} : { task }),
    ...(setup === undefined ? {} : { setup }),
  }))
  return step.status === 'failed' ? notYet(pause(refused(step.failure))) : step
}

export const refused = (failure: FailureOutcome): PauseReason =>
  failure.code === 'CONFIG_INVALID'
    ? { kind: 'config', detail: failure.message, ...resumeAfter('Fix the configuration') }
    : environment(failure)
