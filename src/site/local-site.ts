/** A site on one machine: workspaces are folders of its file system, turns and checks are its processes. */
import type { Dispatch } from '../dispatch/dispatch.ts'
import { failureOf } from '../model/failure-outcome.ts'
import type { Site, SiteWork, StartedWork, WorkStatus } from '../model/ports/site.ts'
import { noUsage } from '../model/usage.ts'
import { verificationWorkspace, type CheckOutcome, type TurnOutcome, type WorkspaceId } from '../model/work.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { finishTurn } from './finish-turn.ts'
import { startWork, type StartMeans } from './start-work.ts'
import type { HooksOf } from './turn-hooks.ts'

export interface LocalSiteOptions extends Pick<StartMeans, 'prompt' | 'recall'> {
  workspaces: Workspaces
  dispatch: Dispatch
  hooksOf?: HooksOf
}

interface SiteJob extends StartedWork {
  /**
   * `performing`: dispatch knows its status. Before and after that, the site performs steps of its own, and `status` is
   * what it reports.
   */
  phase: 'starting' | 'performing' | 'finishing' | 'over'
  status: WorkStatus
  /** Cancelled before it had a process. */
  isUnwanted: boolean
  /** The tree of the check's verification workspace. */
  tree?: string
}

type DoneOutcome = Extract<WorkStatus, { state: 'done' }>['outcome']

const underWay: WorkStatus = { state: 'running', usage: noUsage }

export function createLocalSite(options: LocalSiteOptions): Site {
  const { workspaces, dispatch, hooksOf = () => ({}) } = options
  const jobs = new Map<string, SiteJob>()
  const watchers = new Set<() => void>()
  const littered = new Set<WorkspaceId>()
  const means = { ...options, hooksOf, littered }
  const hint = (): void => {
    for (const onHint of watchers) onHint()
  }

  const begin = ({ work, starts }: StartedWork, phase: SiteJob['phase']): SiteJob => {
    const job: SiteJob = { work, starts, phase, status: underWay, isUnwanted: false }
    jobs.set(work.id, job)
    return job
  }

  /** A later start of work that has ended is new work. */
  const isKnown = ({ work: { id }, starts }: StartedWork): boolean => {
    const job = jobs.get(id)
    return job !== undefined && (job.starts >= starts || statusOf(job).state === 'running')
  }

  function start(job: SiteJob): void {
    const starting = {
      isUnwanted: () => job.isUnwanted,
      onStart(tree?: string) {
        job.phase = 'performing'
        if (tree !== undefined) job.tree = tree
      },
      onKnown: (outcome: CheckOutcome) => end(job, { state: 'done', outcome }),
    }
    void startWork(job, means, starting)
      .then(() => {
        if (job.phase === 'starting') end(job, { state: 'lost', why: 'it never started' })
      })
      .catch((error: unknown) => end(job, { state: 'done', outcome: failureOf(error) }))
      .finally(hint)
  }

  /** Performs the steps after an answer, if there are any. */
  function finish(job: SiteJob, answer: TurnOutcome): void {
    const steps = job.work.kind === 'turn' ? finishTurn(job.work, answer, means) : null
    if (steps === null) return end(job, { state: 'done', outcome: answer })
    job.phase = 'finishing'
    void steps.then((outcome) => end(job, { state: 'done', outcome })).finally(hint)
  }

  function end(job: SiteJob, status: WorkStatus): void {
    if (status.state === 'done' && leavesFiles(job.work, status.outcome)) littered.add(job.work.workspace)
    if (job.tree !== undefined) workspaces.verified(job.work.id)
    job.phase = 'over'
    job.status = status
  }

  /** Moves the job on when its process is over. */
  function statusOf(job: SiteJob, seen = dispatch.inspect([job.work.id]).get(job.work.id)): WorkStatus {
    if (job.phase !== 'performing') return job.status
    if (seen === undefined || seen.state === 'running') return seen ?? { state: 'absent' }
    if (seen.state !== 'done') end(job, seen)
    else if (seen.outcome.kind === 'turn') finish(job, seen.outcome)
    else end(job, { state: 'done', outcome: withTree(seen.outcome, job.tree) })
    return job.status
  }

  const isPerforming = (id: string): boolean => (jobs.get(id)?.phase ?? 'performing') === 'performing'

  return {
    async prepare(work) {
      const outcome = await workspaces.prepare(work)
      // What earlier work left there is gone.
      littered.delete(work.workspace)
      return outcome
    },
    inspect: workspaces.inspect,
    integrate: workspaces.integrate,
    overlay: workspaces.overlay,
    checkpoint: workspaces.checkpoint,
    rollback: workspaces.rollback,
    contents: workspaces.contents,
    changedPaths: workspaces.changedPaths,
    mentioning: workspaces.mentioning,

    ensure(request) {
      if (isKnown(request)) return
      if (request.answer === undefined) return start(begin(request, 'starting'))
      finish(begin(request, 'finishing'), request.answer)
      hint()
    },
    cancel(id, how) {
      const job = jobs.get(id)
      if (job?.phase === 'starting') job.isUnwanted = true
      else dispatch.cancel(id, how)
    },
    statesOf(ids) {
      const own = ids.flatMap((id) => (isPerforming(id) ? [] : (jobs.get(id) ?? [])))
      const found = [...dispatch.inspect(ids.filter(isPerforming))].map(([id, seen]) => {
        const job = jobs.get(id)
        return [id, job ? statusOf(job, seen) : seen] as const
      })
      return new Map([...own.map((job) => [job.work.id, job.status] as const), ...found])
    },
    forget(id) {
      if (jobs.get(id)?.phase === 'over') jobs.delete(id)
      dispatch.release(id)
    },
    releaseWorkspace(workspace) {
      littered.delete(workspace)
      workspaces.release(workspace)
    },
    watch(onHint) {
      watchers.add(onHint)
      const unwatch = dispatch.watch(onHint)
      return () => {
        watchers.delete(onHint)
        unwatch()
      }
    },
    quiet: dispatch.quiet,
    async recover(left, used) {
      const cwdOf = ({ workspace }: SiteWork): string =>
        workspace === verificationWorkspace ? '' : workspaces.path(workspace)
      await dispatch.recover(left.map(({ work, starts }) => ({ work, starts, cwd: cwdOf(work) })))
      for (const started of left) begin(started, 'performing')
      for (const workspace of used) littered.add(workspace)
    },
  }
}

/** A check where agents work, or an agent without an answer. */
const leavesFiles = (work: SiteWork, outcome: DoneOutcome): boolean =>
  work.kind === 'check' ? work.commit === undefined : outcome.kind === 'turn' && outcome.status !== 'ok'

/** Adds the tree that the check's workspace contained: the result is evidence for that tree only. */
const withTree = (outcome: DoneOutcome, tree: string | undefined): DoneOutcome =>
  outcome.kind === 'check' && tree !== undefined ? { ...outcome, verified: tree } : outcome
