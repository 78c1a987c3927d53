/** An App whose runs were played by the real core; what it is asked is kept, so that a test can look. */
import { settingFlags } from '../../src/app/settings/setting-flags.ts'
import { eventTypes } from '../../src/core/evolve.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { encodeEvent } from '../../src/journal/line.ts'
import { LooperError } from '../../src/model/error.ts'
import type { Event } from '../../src/model/event.ts'
import type { LogEvent } from '../../src/model/log.ts'
import type { RunState } from '../../src/model/state.ts'
import { replay } from '../../src/replay/replay.ts'
import type { CardInput } from '../../src/views/status/card.ts'
import { runRow } from '../../src/views/status/runs.ts'
import type { Cleaning } from '../../src/views/history/cleaning.ts'
import { statsOf } from '../../src/views/history/stats.ts'
import { fold } from '../../src/core/fold.ts'
import type { Played } from './play.ts'
import type { Candidate } from '../../src/surfaces/cli/completion/table.ts'
import type { Host } from '../../src/surfaces/cli/host.ts'
import type { App, RepositoryApp } from '../../src/api/app.ts'
import type { Order } from '../../src/api/control.ts'
import type { Followed } from '../../src/api/follow.ts'
import type { Finished, NewRun, Observer, ReadRun } from '../../src/api/runs.ts'
import { memoryUpkeep } from './memory-upkeep.ts'

export interface MemoryApp extends RepositoryApp {
  demo: App['demo']
  asked: {
    cwd: string
    run: NewRun[]
    resume: unknown[]
    told: { run: string | null; order: Order }[]
    events: unknown[]
    other: unknown[]
    stops: string[]
  }
}

export interface MemoryOptions {
  live?: boolean
  holder?: ReadRun['holder']
  warnings?: string[]
  /** The setting `activity`. */
  activity?: boolean
  applied?: Finished['applied']
  dir?: string
  /** Called before each event is shown: the place to send signals or look at the screen. */
  before?(event: Event, app: MemoryApp): void | Promise<void>
  log?: LogEvent[]
  cleaning?: Cleaning
  candidates?: Candidate[] | (() => Promise<Candidate[]>)
  overrides?: Partial<RepositoryApp>
  /** Its process belongs to a run. */
  inside?: boolean
}

export const cardOf = ({ run, goal, workflow, branch, base, config }: RunState): CardInput => ({
  run,
  goal,
  workflow,
  agent: { name: config.agent, model: null, from: 'configured' },
  roles: [],
  checks: { list: config.checks, from: 'configured' },
  setup: [],
  review: config.review,
  branch,
  base,
  mode: config.workspace.mode,
  parallel: config.parallel,
  limits: config.limits,
  uncommitted: 0,
  sandbox: config.sandbox ?? 'off',
})

export function memoryApp(played: Played, options: MemoryOptions = {}, cwd = '/nowhere'): MemoryApp {
  const { state, events } = played
  const dir = options.dir ?? `${cwd}/.looper/runs/${state.run}`
  const asked: MemoryApp['asked'] = { cwd, run: [], resume: [], told: [], events: [], other: [], stops: [] }
  const find = (run: string | null): RunState => {
    if (run === null || state.run.includes(run)) return state
    throw new LooperError('USAGE_NO_RUN', `there is no run "${run}"`)
  }
  const show = async (observer: Observer): Promise<Finished> => {
    if (events[0]) await options.before?.(events[0], app)
    await new Promise<void>((resolve, reject) => {
      const now = initialState()
      async function* follow(): AsyncGenerator<Followed> {
        try {
          for (const [index, event] of events.entries()) {
            if (index > 0) await options.before?.(event, app)
            yield { event, state: evolve(now, structuredClone(event)) }
          }
          resolve()
        } catch (error) {
          reject(error)
        }
      }
      observer.onStart({
        state: now,
        follow,
        stop: (why) => asked.stops.push(why === undefined ? 'stop' : `stop: ${why}`),
        stopNow: () => asked.stops.push('now'),
      })
    })
    return { state, dir, applied: options.applied ?? null }
  }
  const { warnings = [], activity = false } = options
  const prepared = { card: cardOf(state), warnings, activity, start: show }
  const app: MemoryApp = {
    asked,
    async prepareRun(request) {
      asked.run.push(request)
      return prepared
    },
    async prepareResume(run, request) {
      asked.resume.push({ run, ...request })
      find(run)
      return prepared
    },
    async prepareSession(session, request) {
      asked.other.push(['session', session, request])
      return prepared
    },
    async detach(what, how) {
      asked.other.push(['detach', what, how])
      const { run } = state
      return how.tmux
        ? { run, pid: 7, log: null, tmux: `looper-${how.session ?? run}` }
        : { run, pid: 7, log: `${dir}/console.log`, tmux: null }
    },
    async readRun(run) {
      return { state: find(run), live: options.live ?? false, holder: options.holder ?? null, dir }
    },
    async rest(run) {
      asked.other.push(['rest', run])
      return { state: find(run), live: false, holder: null, dir }
    },
    async *follow(run, { after = 0, until = 'rest', signal } = {}) {
      asked.events.push({ run, after, until })
      find(run)
      const now = initialState()
      for (const event of structuredClone(events)) {
        evolve(now, structuredClone(event))
        if (event.seq <= after) continue
        await options.before?.(event, app)
        if (signal?.aborted) return
        yield { event, state: now }
      }
    },
    async listRuns() {
      return [runRow(state, { live: options.live ?? false })]
    },
    async sendOrder(run, order) {
      asked.told.push({ run, order })
      return { run: find(run).run, live: options.live ?? false }
    },
    async *logs(run, { signal: _signal, ...request }) {
      asked.events.push({ run, ...request })
      find(run)
      yield* options.log ?? []
    },
    async fork(run, request) {
      asked.other.push(['fork', run, request])
      return {
        run: find(run).run,
        branch: 'looper/002-x',
        commit: 'c'.repeat(40),
        from: { run: '001-x', seq: 7 },
        warnings: options.warnings ?? [],
      }
    },
    async replay(run, { files }) {
      asked.other.push(['replay', files])
      return { run: find(run).run, ...replay(events), files: files ? { recorded: 0, gone: [] } : null }
    },
    async stats(runs, since) {
      asked.other.push(['stats', runs, since])
      return statsOf([{ steps: fold(events), live: options.live ?? false }])
    },
    async backlog(file) {
      asked.other.push(['backlog', file])
      return null
    },
    async validateBacklog(file) {
      return { file: file ?? 'to-do.json', tasks: 2, problems: [], warnings: [], complete: true }
    },
    async formatBacklog(file, { write, diff }) {
      asked.other.push(['fmt', write])
      return {
        file: file ?? 'to-do.json',
        text: '{}\n',
        changed: true,
        diff: diff ? '--- a\n+++ a\n@@ -1 +1 @@\n-{ }\n+{}\n' : '',
      }
    },
    async report(run) {
      return `# report of ${find(run).run}`
    },
    async diff(run, { stat }) {
      find(run)
      return Buffer.from(stat ? ' a | 1 +\n' : 'diff --git a/a b/a\n@@ -1 +1 @@\n-old\n+new\n')
    },
    async apply(run) {
      asked.other.push(['apply', run])
      return `merged ${find(run).branch}`
    },
    async pushBranch(run, request) {
      asked.other.push(['branch', run, request])
      return {
        run: state.run,
        remote: 'origin',
        branch: state.branch,
        commit: 'c'.repeat(40),
        already: false,
        said: [],
      }
    },
    async openPullRequest(run, request) {
      asked.other.push(['pr', run, request])
      const pushed = { run: state.run, remote: 'origin', branch: state.branch, commit: 'c'.repeat(40), already: false }
      return { ...pushed, said: [], url: 'https://example.org/pull/1', title: state.goal, open: false }
    },
    async discard(run) {
      asked.other.push(['discard', run])
      return `discarded ${find(run).run}`
    },
    async explain(run) {
      asked.other.push({ explain: run })
      return { why: ['it is paused'], waits: [], next: [], commands: [] }
    },
    ...memoryUpkeep(asked, options),
    async demo(observer) {
      observer.onRepository('/tmp/demo', state.goal)
      return { ...(await show(observer)), repository: '/tmp/demo' }
    },
    ...options.overrides,
  }
  return app
}

/** Looper whose repositories are those of `appAt`. */
export function memoryLooper(appAt: (cwd: string) => MemoryApp, { inside = false }: MemoryOptions = {}): App {
  let last: MemoryApp | null = null
  return {
    version: '1.2.3',
    at: (cwd) => (last = appAt(cwd)),
    async refuseInside() {
      if (inside) throw new LooperError('USAGE_NESTED', 'This process belongs to a run.')
    },
    settingFlags: async () => settingFlags,
    eventTypes: async () => eventTypes,
    eventEncoder: async () => encodeEvent,
    demo: (observer) => (last ?? appAt('/nowhere')).demo(observer),
  }
}

export const memoryHost = (appAt: (cwd: string) => MemoryApp, options: MemoryOptions = {}): Host => ({
  app: memoryLooper(appAt, options),
  packageFolder: '/nowhere',
  edit: async (path) => void appAt('/nowhere').asked.other.push(['edit', path]),
  async candidates(cwd, source, run) {
    appAt(cwd).asked.other.push(['candidates', source, run])
    const { candidates = [] } = options
    return typeof candidates === 'function' ? candidates() : candidates
  },
  async takeJob() {
    throw new LooperError('USAGE_ARGUMENTS', 'there is no job for this process')
  },
})
