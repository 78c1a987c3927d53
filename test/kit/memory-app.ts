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
import type { CacheCleaning } from '../../src/views/history/cache-cleaning.ts'
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
    async prepareClean(request) {
      asked.other.push(['clean', request])
      const perform = async (): Promise<Cleaning> => {
        asked.other.push('cleaned')
        return { ...cleaning, dryRun: false }
      }
      const cleaning = options.cleaning ?? {
        dryRun: true,
        of: 'runs',
        removed: [],
        kept: [],
        failed: [],
        freedBytes: 0,
        totalBytes: 0,
      }
      return { plan: cleaning, perform }
    },
    async prepareCacheClean() {
      asked.other.push('clean --cache')
      const plan: CacheCleaning = { dryRun: true, of: 'cache', removed: [], kept: [], freedBytes: 0, totalBytes: 0 }
      return { plan, perform: async () => ({ ...plan, dryRun: false }) }
    },
    async checkBase({ onStart, onRow }) {
      asked.other.push('checkBase')
      onStart('npm test')
      onRow({ check: 'check test', ok: true, detail: 'npm test · passed · 1.0 s', hint: null })
    },
    async doctor({ repair }) {
      asked.other.push(['doctor', repair])
      return [{ check: 'git', ok: true, detail: '2.39.2', hint: null }]
    },
    async init() {
      return { path: '.looper/config.json', created: true, notes: ['checks: npm test'], problem: null }
    },
    async importTasks(request) {
      asked.other.push(['import', request])
      const { from, dryRun } = request
      const added = [{ id: 'T001', title: 'Add login', status: 'todo' as const }]
      const notes = ['scores are not carried over']
      return {
        source: from.kind,
        format: 'plan',
        file: 'to-do.json',
        dryRun,
        added,
        closed: [],
        unchanged: ['T002'],
        notes,
      }
    },
    async config(flags) {
      asked.other.push(['config', flags])
      return {
        settings: { parallel: { value: 4, source: 'default' }, agent: { value: 'mine', source: 'flag --agent' } },
        warnings: options.warnings ?? [],
      }
    },
    async configGet(key) {
      asked.other.push(['config get', key])
      return key === 'agent' ? 'mine' : key === 'limits' ? { turns: null } : undefined
    },
    async configSet(change) {
      asked.other.push(['config set', change])
      return {
        key: change.key,
        path: '/nowhere/.looper/config.json',
        where: '.looper/config.json',
        value: change.values?.[0],
        changed: true,
        notes: options.warnings ?? [],
      }
    },
    async configPath() {
      return [
        { name: 'user', path: '/home/config.json', exists: false },
        { name: 'project', path: '/nowhere/.looper/config.json', exists: true },
      ]
    },
    async prepareRelease(request, today) {
      asked.other.push(['release', request, today])
      const steps = [
        { step: 'checks', what: 'npm test', done: true },
        { step: 'tag', what: 'v1.1.0', done: false },
      ]
      return {
        view: {
          version: '1.1.0',
          tag: 'v1.1.0',
          before: 'v1.0.0',
          branch: 'main',
          remote: 'origin',
          resumed: true,
          steps,
          notes: '- Mine.',
          warnings: options.warnings ?? [],
        },
        async run(observer) {
          asked.other.push(['release run'])
          observer.onStep('tag', false)
          observer.onCheck({ name: 'npm test', ok: true, durationMs: 1200 })
          observer.onStep('tag', true)
          return { version: '1.1.0', tag: 'v1.1.0', commit: 'c'.repeat(40), pushed: true, released: false }
        },
      }
    },
    async abortRelease() {
      asked.other.push(['release abort'])
      return ['the tag v1.1.0 is gone']
    },
    async definitions() {
      return []
    },
    async lint(kind, name) {
      asked.other.push(['lint', kind, name])
      return { checked: [], errors: 0, warnings: 0, findings: [] }
    },
    async dryRun(order) {
      asked.other.push(['dryRun', order])
      return { name: order.name, description: '', session: '', stages: [], findings: [] }
    },
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
