/** Says of each use of Looper whether it changes anything, and refuses those that do to the processes of a run. */
import type { App } from '../surfaces/cli/app.ts'

/** These only read; the compiler asks for a guard of all others. */
const reading = [
  'version',
  'readRun',
  'rest',
  'watch',
  'listRuns',
  'events',
  'logs',
  'replay',
  'stats',
  'backlog',
  'validateBacklog',
  'report',
  'diff',
  'candidates',
  'commandTable',
  'explain',
  'config',
  'configGet',
  'configPath',
  'definitions',
  'lint',
  'dryRun',
  'refuseInside',
] as const satisfies readonly (keyof App)[]

type Changing = Exclude<keyof App, (typeof reading)[number]>
type Refuse = () => Promise<void>

const always =
  <Args extends unknown[], T>(method: (...args: Args) => Promise<T>, refuse: Refuse) =>
  async (...args: Args): Promise<T> => {
    await refuse()
    return method(...args)
  }

const when =
  <Args extends unknown[], T>(
    changes: (...args: Args) => boolean,
    method: (...args: Args) => Promise<T>,
    refuse: Refuse,
  ) =>
  async (...args: Args): Promise<T> => {
    if (changes(...args)) await refuse()
    return method(...args)
  }

/** Getting ready only reads: what is refused is the step that follows. */
const later =
  <Args extends unknown[], T, R>(prepare: (...args: Args) => Promise<T>, guard: (prepared: T) => R) =>
  async (...args: Args): Promise<T & R> => {
    const prepared = await prepare(...args)
    return { ...prepared, ...guard(prepared) }
  }

export function guardChanges(app: App, refuse: Refuse): App {
  const guarded: Pick<App, Changing> = {
    prepareRun: later(app.prepareRun, ({ start }) => ({ start: always(start, refuse) })),
    prepareResume: later(app.prepareResume, ({ start }) => ({ start: always(start, refuse) })),
    prepareSession: later(app.prepareSession, ({ start }) => ({ start: always(start, refuse) })),
    prepareClean: later(app.prepareClean, ({ perform }) => ({ perform: always(perform, refuse) })),
    preparePush: later(app.preparePush, ({ run }) => ({ run: always(run, refuse) })),
    detach: always(app.detach, refuse),
    errand: always(app.errand, refuse),
    tell: always(app.tell, refuse),
    fork: always(app.fork, refuse),
    apply: always(app.apply, refuse),
    discard: always(app.discard, refuse),
    init: always(app.init, refuse),
    configSet: always(app.configSet, refuse),
    abortPush: always(app.abortPush, refuse),
    demo: always(app.demo, refuse),
    formatBacklog: when((_file, { write }) => write, app.formatBacklog, refuse),
    importTasks: when(({ dryRun }) => !dryRun, app.importTasks, refuse),
    doctor: when(({ repair }) => repair, app.doctor, refuse),
  }
  return { ...app, ...guarded }
}
