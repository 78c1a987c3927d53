/** The composition root: creates the App and loads each of its parts on demand. */
import { homedir } from 'node:os'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolderOf, type AppContext, type Machine } from './app/context.ts'
import { createFollower, type Follower } from './app/follow/follow.ts'
import { guardChanges } from './app/guard-changes.ts'
import type { App, RepositoryApp } from './api/app.ts'
import type { Host } from './surfaces/cli/host.ts'

export function createApp(machine: Machine): App {
  const follower = createFollower()
  const refuseInside = async (): Promise<void> => (await import('./app/nested.ts')).refuseNested(machine)
  return {
    version: machine.version,
    at: (cwd) => guardChanges(appAt({ ...machine, cwd }, follower), refuseInside),
    refuseInside,
    settingFlags: async () => (await import('./app/settings/setting-flags.ts')).settingFlags,
    eventTypes: async () => (await import('./core/evolve.ts')).eventTypes,
    eventEncoder: async () => (await import('./journal/line.ts')).encodeEvent,
    async demo(observer) {
      await refuseInside()
      return (await import('./app/upkeep/demo.ts')).demo(machine, follower, observer)
    },
  }
}

function appAt(context: AppContext, follower: Follower): RepositoryApp {
  const repository = async (): Promise<string> => (await import('./workspace/git/find-root.ts')).findRoot(context.cwd)
  const around = (): Promise<string | null> => repository().catch(() => null)
  const named = async (run: string | null): Promise<[root: string, id: string]> => {
    const root = await repository()
    const { findRunId } = await import('./app/runs/find-run.ts')
    return [root, await findRunId(root, run)]
  }
  const live = async (run: string | null): Promise<[root: string, id: string]> => {
    const root = await repository()
    const { findLiveRunId } = await import('./app/runs/live-run.ts')
    return [root, await findLiveRunId(root, run)]
  }
  const withoutSecrets = async <T>(root: string | null, value: T): Promise<T> => {
    const { maskDeep } = await import('./agents/mask.ts')
    return maskDeep(value, (await import('./app/launch/run-mask.ts')).maskFor(context, root))
  }
  const review = () => import('./app/review/review.ts')
  const handOver = () => import('./app/review/hand-over.ts')
  return {
    async prepareRun(request) {
      // Git inspects the repository while the modules are loaded.
      const surveying = (await import('./workspace/git/repository.ts')).survey(context.cwd)
      surveying.catch(() => {})
      return (await import('./app/prepare/prepare-run.ts')).prepareRun(context, follower, request, surveying)
    },
    prepareResume: async (run, options) =>
      (await import('./app/prepare/prepare-resume.ts')).prepareResume(context, follower, run, options),
    prepareSession: async (session, options) =>
      (await import('./app/prepare/prepare-named-session.ts')).prepareNamedSession(context, follower, session, options),
    detach: async (what, how) => (await import('./app/detach/detach.ts')).detach(context, what, how),
    readRun: async (run, prefer) =>
      (await import('./app/runs/read-run.ts')).readRun(...(await (prefer === 'live' ? live(run) : named(run)))),
    rest: async (run, patienceMs) => (await import('./app/runs/rest.ts')).rest(...(await named(run)), patienceMs),
    follow: (run, options) =>
      follower.follow(async () => {
        const [root, id] = await named(run)
        return (await import('./app/runs/runs.ts')).runOf(root, id)
      }, options),
    listRuns: async () => (await import('./app/runs/read-run.ts')).readRuns(await repository()),
    async sendOrder(run, order) {
      const [root, id] = await live(run)
      const masked = await withoutSecrets(root, order)
      return (await import('./app/control/send-order.ts')).sendOrder(root, id, masked, async (...rested) =>
        (await import('./app/launch/update-source.ts')).updateSource(context, ...rested),
      )
    },
    async *logs(run, request) {
      const [root, id] = await named(run)
      yield* (await import('./app/follow/logs.ts')).logs(context, follower, root, id, request)
    },
    fork: async (run, request) => (await import('./app/control/fork.ts')).fork(context, run, request),
    replay: async (run, options) => (await import('./app/review/replay.ts')).replayRun(...(await named(run)), options),
    stats: async (runs, since) => (await import('./app/review/stats.ts')).stats(await repository(), runs, since),
    backlog: async (file) => (await import('./app/backlog/backlog.ts')).listBacklog(context, file),
    validateBacklog: async (file) => (await import('./app/backlog/backlog.ts')).validateBacklog(context, file),
    formatBacklog: async (file, options) =>
      (await import('./app/backlog/backlog.ts')).formatBacklog(context, file, options),
    report: async (run) => (await review()).report(...(await named(run))),
    diff: async (run, options) => (await review()).diff(context, ...(await named(run)), options),
    async apply(run, options) {
      const [root, id] = await named(run)
      return (await (await handOver()).apply(context, root, id, options)).message
    },
    discard: async (run) => (await (await handOver()).discard(...(await named(run)))).message,
    pushBranch: async (run, request) =>
      (await import('./app/publish/push-branch.ts')).pushBranch(context, ...(await named(run)), request),
    openPullRequest: async (run, request) =>
      (await import('./app/publish/pull-request.ts')).openPullRequest(context, ...(await named(run)), request),
    prepareClean: async (request) =>
      (await import('./app/upkeep/clean.ts')).prepareClean(
        context,
        await repository(),
        request,
        new Date().toISOString(),
      ),
    prepareCacheClean: async () =>
      (await import('./app/upkeep/clean-cache.ts')).prepareCacheClean(context, await repository()),
    doctor: async (options) => {
      const rows = await (await import('./app/upkeep/doctor.ts')).doctor(context, options)
      return withoutSecrets(await around(), rows)
    },
    checkBase: async (options) => (await import('./app/upkeep/check-base.ts')).checkBase(context, options),
    explain: async (run, zone) => (await import('./app/review/explain.ts')).explainRun(...(await named(run)), zone),
    importTasks: async (request) => (await import('./app/backlog/import.ts')).importTasks(context, request),
    init: async () => (await import('./app/upkeep/init.ts')).init(context),
    config: async (flags) => (await import('./app/settings/config.ts')).readSettings(context, await around(), flags),
    configGet: async (key) => (await import('./app/settings/config.ts')).readInEffect(context, await around(), key),
    configSet: async (change) =>
      (await import('./app/settings/config-set.ts')).setSetting(context, await around(), change),
    configPath: async () => (await import('./app/settings/config.ts')).configFiles(context, await around()),
    prepareRelease: async (request, today) =>
      (await import('./app/release/release.ts')).prepareRelease(context, request, today),
    abortRelease: async () => (await import('./app/release/abort.ts')).abortRelease(context),
    definitions: async () => (await import('./app/pipelines/pipelines.ts')).definitions(context),
    lint: async (kind, name) => (await import('./app/pipelines/pipelines.ts')).lint(context, kind, name),
    dryRun: async (order) => (await import('./app/pipelines/dry-run.ts')).dryRunPipeline(context, order),
  }
}

/** This machine, its user, and the package around this file. */
export function localMachine(): Machine {
  const packageFolder = packageFolderOf(import.meta.url)
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string }
  return { env: process.env, home: homedir(), packageFolder, version }
}

/** Runs the command line of this process; resolves with the exit code. */
export async function main(argv: readonly string[]): Promise<number> {
  const { processIo } = await import('./surfaces/cli/io.ts')
  const { runCli } = await import('./surfaces/cli/program.ts')
  return runCli(argv, processIo(), createHost(localMachine()))
}

/** Creates the host of the command line: the app, and functions that only a command line needs. */
export const createHost = (machine: Machine): Host => ({
  app: createApp(machine),
  packageFolder: machine.packageFolder,
  async candidates(cwd, source, run) {
    const [{ findRoot }, { candidates }] = await Promise.all([
      import('./workspace/git/find-root.ts'),
      import('./app/upkeep/candidates.ts'),
    ])
    return candidates({ ...machine, cwd }, findRoot(cwd), source, run)
  },
  edit: async (path) => (await import('./app/settings/edit-file.ts')).editFile(machine, path),
  async takeJob(socket) {
    const [{ refuseNested }, { takeJob }] = await Promise.all([
      import('./app/nested.ts'),
      import('./app/detach/detached-job.ts'),
    ])
    refuseNested(machine)
    return takeJob(machine, socket, () => createApp({ ...machine, home: homedir() }))
  },
})
