/**
 * The other side of `--detach`: this process was started to perform a run, and tells whoever started it when that is
 * under way.
 */
import type { Context } from './context.ts'
import type { Errand, Observer, PreparedRun } from './app.ts'
import { performRun } from './perform-run.ts'
import { prepare } from './undertake.ts'

/** Returns the exit code. */
export async function performErrand(context: Context, socket: string): Promise<number> {
  const errand = await context.app.errand(socket)
  const { app, cwd, what, terminal } = errand
  try {
    const prepared = telling(await prepare(app, what), errand)
    return await performRun({ ...context, app, cwd }, prepared, { hangup: terminal ? 'stop' : 'detach' })
  } catch (error) {
    errand.refused(error)
    throw error
  }
}

/** The first event is durable: from now on the run can be found, followed and stopped like any other. */
const telling = (prepared: PreparedRun, errand: Errand): PreparedRun => ({
  ...prepared,
  start(observer: Observer) {
    let told = false
    return prepared.start({
      ...observer,
      onEvent(event, state) {
        observer.onEvent(event, state)
        if (!told) errand.started(state.run)
        told = true
      },
      onStart(control) {
        observer.onStart(control)
        // Nobody was told that it goes on without them.
        errand.onAbandoned(control.stop)
      },
    })
  },
})
