/**
 * The process that `--detach` starts: performs the run, and reports to the process that started it when the run has
 * started.
 */
import type { PreparedRun, StartedRun } from '../../api/runs.ts'
import type { CliContext } from './context.ts'
import type { DetachedJob } from './host.ts'
import { performRun } from './perform-run.ts'
import { prepareRequest } from './request-run.ts'

/** Returns the exit code. */
export async function performDetachedJob(context: CliContext, socket: string): Promise<number> {
  const job = await context.host.takeJob(socket)
  const { cwd, request, terminal } = job
  const app = job.app.at(cwd)
  try {
    const prepared = reporting(await prepareRequest(app, request), job)
    return await performRun({ ...context, app, looper: job.app, cwd }, prepared, {
      hangup: terminal ? 'stop' : 'detach',
    })
  } catch (error) {
    job.refused(error)
    throw error
  }
}

/** Reports after the first event: it is durable, so the run can now be found, followed and stopped like any other. */
const reporting = (prepared: PreparedRun, job: DetachedJob): PreparedRun => ({
  ...prepared,
  async start(observer) {
    let reported: Promise<void> = Promise.resolve()
    const finished = prepared.start({
      ...observer,
      onStart(run) {
        observer.onStart(run)
        reported = reportStart(run, job)
        // Stops the run, because the user was never informed that it continues in the background.
        job.onAbandoned(run.stop)
      },
    })
    try {
      return await finished
    } finally {
      await reported
    }
  },
})

async function reportStart(run: StartedRun, job: DetachedJob): Promise<void> {
  for await (const { state } of run.follow()) return job.started(state.run)
}
