/** The composition root: creates the App and loads each of its parts on demand. */
import { homedir } from 'node:os'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolderOf, type Context, type Machine } from './app/context.ts'
import { createFollow, type Follow } from './app/follow.ts'
import { guardChanges } from './app/guard-changes.ts'
import type { App, RepositoryApp } from './api/app.ts'
import type { Host } from './surfaces/cli/host.ts'

export function createApp(machine: Machine): App {
  const follow = createFollow()
  const refuseInside = async (): Promise<void> => (await import('./app/nested.ts')).refuseNested(machine)
  return {
    version: machine.version,
    at: (cwd) => guardChanges(appAt({ ...machine, cwd }, follow), refuseInside),
    refuseInside,
    settingFlags: async () => (await import('./app/setting-flags.ts')).settingFlags,
    eventTypes: async () => (await import('./core/evolve.ts')).eventTypes,
    eventEncoder: async () => (await import('./journal/line.ts')).encodeEvent,
    async demo(observer) {
      await refuseInside()
      return (await import('./app/demo.ts')).demo(machine, observer)
    },
  }
}

function appAt(context: Context, follow: Follow): RepositoryApp {
  const repository = async (): Promise<string> => (await import('./workspace/find-root.ts')).findRoot(context.cwd)
  const around = (): Promise<string | null> => repository().catch(() => null)
  const named = async (run: string | null): Promise<[root: string, id: string]> => {
    const root = await repository()
    const { findRunId } = await import('./app/find-run.ts')
    return [root, await findRunId(root, run)]
  }
  const live = async (run: string | null): Promise<[root: string, id: string]> => {
    const root = await repository()
    const { findLiveRunId } = await import('./app/live-run.ts')
    return [root, await findLiveRunId(root, run)]
  }
  const review = () => import('./app/review.ts')
  const handOver = () => import('./app/hand-over.ts')
  return {
    async prepareRun(request) {
      // Git inspects the repository while the modules are loaded.
      const surveying = (await import('./workspace/repository.ts')).survey(context.cwd)
      surveying.catch(() => {})
      return (await import('./app/prepare-run.ts')).prepareRun(context, request, surveying)
    },
    prepareResume: async (run, options) =>
      (await import('./app/prepare-resume.ts')).prepareResume(context, run, options),
    prepareSession: async (session, options) =>
      (await import('./app/prepare-session.ts')).prepareSession(context, session, options),
    detach: async (what, how) => (await import('./app/detach.ts')).detach(context, what, how),
    readRun: async (run, prefer) =>
      (await import('./app/read-run.ts')).readRun(...(await (prefer === 'live' ? live(run) : named(run)))),
    rest: async (run, patienceMs) => (await import('./app/rest.ts')).rest(...(await named(run)), patienceMs),
    follow: (run, options) =>
      follow(async () => {
        const [root, id] = await named(run)
        return (await import('./app/runs.ts')).runOf(root, id)
      }, options),
    listRuns: async () => (await import('./app/read-run.ts')).readRuns(await repository()),
    async tell(run, order) {
      const [root, id] = await live(run)
      const [{ maskDeep }, { maskFor }] = await Promise.all([import('./agents/mask.ts'), import('./app/run-mask.ts')])
      const masked = maskDeep(order, maskFor(context, root))
      return (await import('./app/tell.ts')).tell(root, id, masked, async (...rested) =>
        (await import('./app/tell-source.ts')).tellSource(context, ...rested),
      )
    },
    async *logs(run, request) {
      const [root, id] = await named(run)
      yield* (await import('./app/logs.ts')).logs(context, follow, root, id, request)
    },
    fork: async (run, request) => (await import('./app/fork.ts')).fork(context, run, request),
    replay: async (run, options) => (await import('./app/replay.ts')).replayRun(...(await named(run)), options),
    stats: async (runs, since) => (await import('./app/stats.ts')).stats(await repository(), runs, since),
    backlog: async (file) => (await import('./app/backlog.ts')).listBacklog(context, file),
    validateBacklog: async (file) => (await import('./app/backlog.ts')).validateBacklog(context, file),
    formatBacklog: async (file, options) => (await import('./app/backlog.ts')).formatBacklog(context, file, options),
    report: async (run) => (await review()).report(...(await named(run))),
    diff: async (run, options) => (await review()).diff(context, ...(await named(run)), options),
    apply: async (run, { check = false, settings = false } = {}) => {
      const [root, id] = await named(run)
      const { checkCommit } = check ? await import('./app/check-commit.ts') : { checkCommit: null }
      const how: Parameters<Awaited<ReturnType<typeof handOver>>['apply']>[3] = checkCommit
        ? { check: (recounted, commit) => checkCommit(context, root, recounted, commit, settings) }
        : {}
      return (await (await handOver()).apply(context, root, id, how)).message
    },
    discard: async (run) => (await (await handOver()).discard(...(await named(run)))).message,
    prepareClean: async (request) =>
      (await import('./app/clean.ts')).prepareClean(context, await repository(), request, new Date().toISOString()),
    doctor: async (options) => {
      const [{ maskDeep }, { maskFor }] = await Promise.all([import('./agents/mask.ts'), import('./app/run-mask.ts')])
      const rows = await (await import('./app/doctor.ts')).doctor(context, options)
      return maskDeep(rows, maskFor(context, await around()))
    },
    explain: async (run) => (await import('./app/explain.ts')).explainRun(...(await named(run))),
    importTasks: async (request) => (await import('./app/import.ts')).importTasks(context, request),
    init: async () => (await import('./app/init.ts')).init(context),
    config: async (flags) => (await import('./app/config.ts')).readSettings(context, await around(), flags),
    configGet: async (key) => (await import('./app/config.ts')).readSetting(context, await around(), key),
    configSet: async (change) => (await import('./app/config-set.ts')).setSetting(context, await around(), change),
    configPath: async () => (await import('./app/config.ts')).configFiles(context, await around()),
    preparePush: async (request, today) => (await import('./app/push/push.ts')).preparePush(context, request, today),
    abortPush: async () => (await import('./app/push/abort.ts')).abortPush(context),
    definitions: async () => (await import('./app/pipelines.ts')).definitions(context),
    lint: async (kind, name) => (await import('./app/pipelines.ts')).lint(context, kind, name),
    dryRun: async (order) => (await import('./app/dry-run.ts')).dryRunPipeline(context, order),
  }
}

/** Runs the command line of this process; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { processIo } = await import('./surfaces/cli/io.ts')
  const { runCli } = await import('./surfaces/cli/program.ts')
  const packageFolder = packageFolderOf(import.meta.url)
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return runCli(argv, processIo(), createHost({ env: process.env, home: homedir(), packageFolder, version }))
}

/** Creates the host of the command line: the app, and functions that only a command line needs. */
export const createHost = (machine: Machine): Host => ({
  app: createApp(machine),
  packageFolder: machine.packageFolder,
  async candidates(cwd, source, run) {
    const [{ findRoot }, { candidates }] = await Promise.all([
      import('./workspace/find-root.ts'),
      import('./app/candidates.ts'),
    ])
    return candidates({ ...machine, cwd }, findRoot(cwd), source, run)
  },
  async takeJob(socket) {
    const [{ refuseNested }, { takeJob }] = await Promise.all([
      import('./app/nested.ts'),
      import('./app/detached-job.ts'),
    ])
    refuseNested(machine)
    return takeJob(machine, socket, () => createApp({ ...machine, home: homedir() }))
  },
})
