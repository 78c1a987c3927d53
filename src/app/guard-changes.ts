/** Decides which functions of the app change something, and refuses those in a process of a run. */
import type { RepositoryApp } from '../api/app.ts'

/** These functions only read. The compiler requires a guard for all others. */
const reading = [
  'readRun',
  'rest',
  'listRuns',
  'follow',
  'logs',
  'replay',
  'stats',
  'backlog',
  'validateBacklog',
  'report',
  'diff',
  'explain',
  'config',
  'configGet',
  'configPath',
  'definitions',
  'lint',
  'dryRun',
] as const satisfies readonly (keyof RepositoryApp)[]

type Changing = Exclude<keyof RepositoryApp, (typeof reading)[number]>
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

/** The prepare step only reads, so only the function that it returns is guarded. */
const later =
  <Args extends unknown[], T, R>(prepare: (...args: Args) => Promise<T>, guard: (prepared: T) => R) =>
  async (...args: Args): Promise<T & R> => {
    const prepared = await prepare(...args)
    return { ...prepared, ...guard(prepared) }
  }

export function guardChanges(app: RepositoryApp, refuse: Refuse): RepositoryApp {
  const guarded: Pick<RepositoryApp, Changing> = {
    prepareRun: later(app.prepareRun, ({ start }) => ({ start: always(start, refuse) })),
    prepareResume: later(app.prepareResume, ({ start }) => ({ start: always(start, refuse) })),
    prepareSession: later(app.prepareSession, ({ start }) => ({ start: always(start, refuse) })),
    prepareClean: later(app.prepareClean, ({ perform }) => ({ perform: always(perform, refuse) })),
    prepareCacheClean: later(app.prepareCacheClean, ({ perform }) => ({ perform: always(perform, refuse) })),
    prepareRelease: later(app.prepareRelease, ({ run }) => ({ run: always(run, refuse) })),
    detach: always(app.detach, refuse),
    sendOrder: always(app.sendOrder, refuse),
    fork: always(app.fork, refuse),
    apply: always(app.apply, refuse),
    discard: always(app.discard, refuse),
    pushBranch: always(app.pushBranch, refuse),
    openPullRequest: always(app.openPullRequest, refuse),
    init: always(app.init, refuse),
    configSet: always(app.configSet, refuse),
    abortRelease: always(app.abortRelease, refuse),
    formatBacklog: when((_file, { write }) => write, app.formatBacklog, refuse),
    importTasks: when(({ dryRun }) => !dryRun, app.importTasks, refuse),
    checkBase: always(app.checkBase, refuse),
    doctor: when(({ repair }) => repair, app.doctor, refuse),
  }
  return { ...app, ...guarded }
}
