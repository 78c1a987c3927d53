/** Puts a workspace into the state that a turn or a check starts from, and starts its process there. */
import type { Dispatch } from '../dispatch/dispatch.ts'
import { writes } from '../model/purposes.ts'
import type { SiteWork, StartedWork } from '../model/ports/site.ts'
import type { CheckOutcome, CheckWork, TurnWork, WorkspaceId } from '../model/work.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { HooksOf } from './turn-hooks.ts'

export interface StartMeans {
  workspaces: Pick<Workspaces, 'path' | 'restore' | 'diff' | 'verification' | 'verified'>
  dispatch: Pick<Dispatch, 'ensure'>
  hooksOf: HooksOf
  /** The remembered outcome of a check; null when it has to run. Absent: every check runs. */
  recall?(work: CheckWork): Promise<CheckOutcome | null>
  /** Renders the prompt of a turn in the workspace at `path`; `diff` is null when there is nothing to compare. */
  prompt(work: TurnWork, input: { path: string; diff: string | null }): string
  /** Workspaces in which a check, or an agent without an answer, may have left files since their tree was recorded. */
  littered: Set<WorkspaceId>
}

/** Asked and called while the work starts. */
export interface Starting {
  /** The work was cancelled before it had a process. */
  isUnwanted(): boolean
  /** Called just before the process starts. `tree` is the content of a verification workspace. */
  onStart(tree?: string): void
  /** Called instead when the outcome is known without a process. */
  onKnown(outcome: CheckOutcome): void
}

const diffChars = 24_000

/** Rejects when the workspace cannot be put into its state, or a hook or the prompt fails. */
export async function startWork(started: StartedWork, means: StartMeans, starting: Starting): Promise<void> {
  const { work, starts } = started
  if (work.kind === 'check' && work.commit !== undefined) return verify(work, starts, means, starting)
  const { workspaces, dispatch, littered } = means
  if (work.tree !== null && mustRestore(started, littered)) {
    await workspaces.restore(work.workspace, work.tree)
    littered.delete(work.workspace)
  }
  const cwd = workspaces.path(work.workspace)
  if (work.kind === 'check') {
    if (starting.isUnwanted()) return
    starting.onStart()
    return dispatch.ensure({ work, starts, cwd })
  }
  await means.hooksOf(work).before?.(cwd)
  const diff = await diffFor(work, workspaces)
  if (starting.isUnwanted()) return
  const prompt = means.prompt(work, { path: cwd, diff })
  starting.onStart()
  dispatch.ensure({ work, starts, cwd, prompt })
}

/** Only a result from a verification workspace is evidence. */
async function verify(
  work: CheckWork,
  starts: number,
  { workspaces, dispatch, recall }: StartMeans,
  { isUnwanted, onStart, onKnown }: Starting,
): Promise<void> {
  const known = await recall?.(work)
  // A workspace takes as long as its set-up, so none is made for a check that does not run.
  if (known) return isUnwanted() ? undefined : onKnown(known)
  const { path, tree } = await workspaces.verification(work)
  if (isUnwanted()) return workspaces.verified(work.id)
  onStart(tree)
  dispatch.ensure({ work, starts, cwd: path })
}

/** Whether an earlier start or a check may have changed files. */
const mustRestore = ({ work, starts }: StartedWork, littered: ReadonlySet<WorkspaceId>): boolean =>
  !isRepair(work) && (starts > 1 || isRetry(work) || (work.kind === 'turn' && littered.has(work.workspace)))

/** The diff for judges; null when there is nothing to compare. */
const diffFor = async (
  { workspace, tree, base }: TurnWork,
  workspaces: StartMeans['workspaces'],
): Promise<string | null> => (tree === null || base === null ? null : workspaces.diff(workspace, base, diffChars))

/** A repair turn repairs only its answer, so the files of the previous turn must stay. */
const isRepair = (work: SiteWork): boolean => work.kind === 'turn' && work.errors.length > 0 && writes(work.purpose)

/** Another try at the same question, or a rerun of a check: it must not see files that the previous one left. */
const isRetry = (work: SiteWork): boolean => (work.kind === 'turn' ? work.id !== work.slot : work.rerun !== undefined)
