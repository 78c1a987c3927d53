/**
 * The turns and checks of a site. Before its process starts and after it has ended, a job performs steps of the site;
 * in between, dispatch knows its status.
 */
import type { Dispatch } from '../dispatch/dispatch.ts'
import { failureOf } from '../model/failure-outcome.ts'
import type { SiteWork, StartedWork, WorkStatus } from '../model/ports/site.ts'
import { noUsage } from '../model/usage.ts'
import type { CheckOutcome, TurnOutcome } from '../model/work.ts'
import { finishTurn } from './finish-turn.ts'
import { startWork, type StartMeans } from './start-work.ts'

interface SiteJob extends StartedWork {
  /** `status` is what the site reports, except while the job is `performing`. */
  phase: 'starting' | 'performing' | 'finishing' | 'over'
  status: WorkStatus
  /** Cancelled before it had a process. */
  isUnwanted: boolean
  /** The tree of the check's verification workspace. */
  tree?: string
}

interface Means extends StartMeans {
  dispatch: Pick<Dispatch, 'ensure' | 'inspect' | 'cancel'>
  /** Called when the status of a job may have changed. */
  onChange: () => void
}

export interface SiteJobs {
  /** Starts the work; with an answer, only the steps after it. Does nothing for work that is known. */
  ensure(request: StartedWork & { answer?: TurnOutcome }): void
  /** Continues with work whose process an earlier engine started. */
  adopt(started: StartedWork): void
  cancel(id: string, how: 'gracefully' | 'now'): void
  statesOf(ids: readonly string[]): Map<string, WorkStatus>
  /** Does nothing for a job that is not over. */
  forget(id: string): void
}

type DoneOutcome = Extract<WorkStatus, { state: 'done' }>['outcome']

const underWay: WorkStatus = { state: 'running', usage: noUsage }

export function createSiteJobs(means: Means): SiteJobs {
  const { workspaces, dispatch, littered, onChange } = means
  const jobs = new Map<string, SiteJob>()

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
      .finally(onChange)
  }

  /** Performs the steps after an answer, if there are any. */
  function finish(job: SiteJob, answer: TurnOutcome): void {
    const steps = job.work.kind === 'turn' ? finishTurn(job.work, answer, means) : null
    if (steps === null) return end(job, { state: 'done', outcome: answer })
    job.phase = 'finishing'
    void steps.then((outcome) => end(job, { state: 'done', outcome })).finally(onChange)
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
    ensure(request) {
      if (isKnown(request)) return
      if (request.answer === undefined) return start(begin(request, 'starting'))
      finish(begin(request, 'finishing'), request.answer)
      onChange()
    },
    adopt: (started) => void begin(started, 'performing'),
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
    },
  }
}

/** A check where agents work, or an agent without an answer. */
const leavesFiles = (work: SiteWork, outcome: DoneOutcome): boolean =>
  work.kind === 'check' ? work.commit === undefined : outcome.kind === 'turn' && outcome.status !== 'ok'

/** Adds the tree that the check's workspace contained: the result is evidence for that tree only. */
const withTree = (outcome: DoneOutcome, tree: string | undefined): DoneOutcome =>
  outcome.kind === 'check' && tree !== undefined ? { ...outcome, verified: tree } : outcome
