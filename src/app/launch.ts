/** Wires the engine of one run to this machine: lock, journal, git, processes, prompts. */
import { join } from 'node:path'
import { maskDeep, type Mask } from '../agents/mask.ts'
import { createSecretScan } from '../agents/scan-secrets.ts'
import { createRenderer } from '../context/prompt.ts'
import { loadTemplates } from '../context/templates.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { TurnClaims } from '../core/turn-claims.ts'
import type { AgentConfig, Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import type { Event, Fact } from '../model/event.ts'
import type { Clock, HeldRunLock, OpenedJournal, StoredRun } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { createClock } from '../platform/clock.ts'
import { ignoreUserSignals } from '../platform/ignored-signals.ts'
import { tuneMemory } from '../platform/memory-tuning.ts'
import { mountedOn, mountsBelow } from '../platform/mounts.ts'
import type { TaskSource } from '../sources/in-step.ts'
import type { Observer } from '../api/runs.ts'
import { nameRun } from '../views/name-run.ts'
import { plain } from '../views/plain-text.ts'
import { scratchFolders } from '../workspace/run-leftovers.ts'
import type { Admissions } from './check-settings.ts'
import { ownCheckout } from './checkout.ts'
import type { Context } from './context.ts'
import { createNotifications } from './notifications.ts'
import { createProjections } from './projections.ts'
import { openLoopRecords } from './loop-records.ts'
import { openSite } from './open-site.ts'
import { createRecount, notBelieved } from './recount.ts'
import { runOf } from './runs.ts'
import { openSandbox } from './sandbox.ts'
import { surroundingsOf } from './surroundings.ts'
import { openStore, openTaskSource } from './task-source.ts'
import { sourceOf } from './workflow.ts'

export interface Launch {
  root: string
  id: string
  /** How to start each agent now: the journal records no environment and no secret. */
  agents: Record<string, AgentConfig>
  /** Hooks, set-up and copied files are those that the run started with. */
  hooks: Config['hooks']
  notify: Config['notify']
  secrets: string[]
  /** Removes every secret from everything that the run stores, shows, sends or lands. */
  mask: Mask
  /** The variables that checks and set-up see in addition to the usual ones. */
  admissions: Admissions
  setup: string[]
  copy: string[]
  sandboxAllow: string[]
}

const heartbeatMs = 10_000
const inboxMs = 1_000

/**
 * The journal records the version that wrote it, so that a Looper that cannot read it can name the version to install.
 */
const signed = (start: Fact, looper: string): Fact =>
  start.type === 'run.started' || start.type === 'run.resumed' ? { ...start, looper } : start

/** Returns when the run ends or pauses. `first` returns the first event of this stretch for the recorded state. */
export async function launch(
  context: Context,
  options: Launch,
  first: (state: RunState) => Fact,
  watcher: Observer,
): Promise<RunState> {
  tuneMemory()
  const stored = runOf(options.root, options.id)
  const observer: Observer = { ...watcher, onTrouble: (message) => watcher.onTrouble(options.mask(message)) }
  const lock = await own(stored)
  const heedUserSignals = ignoreUserSignals()
  try {
    const { state, claims, add } = createRecount()
    const { journal, snapshots, tornBytes } = await stored.journal.open(add)
    try {
      if (tornBytes > 0) observer.onTorn(tornBytes)
      const start = signed(first(state), context.version)
      const checkout = start.type === 'run.started' ? start.config.workspace.mode : state.config.workspace.mode
      const place = checkout === 'in-place' ? await ownCheckout(options.root) : null
      try {
        return await run(context, options, {
          stored,
          dir: stored.folder,
          lock,
          state,
          claims,
          journal,
          snapshots,
          start,
          observer,
        })
      } finally {
        await place?.release()
      }
    } finally {
      await journal.close()
    }
  } catch (error) {
    throw named(maskedError(error, options.mask), options.id)
  } finally {
    heedUserSignals()
    await lock.release()
  }
}

/** Error messages of git or the file system may contain text that an agent wrote. */
function maskedError(error: unknown, mask: Mask): unknown {
  if (!(error instanceof LooperError) || mask(error.message) === error.message) return error
  return new LooperError(error.code, mask(error.message), { hint: error.hint, details: maskDeep(error.details, mask) })
}

/** Adds the id of the run to the hint of the error. */
function named(error: unknown, run: string): unknown {
  if (!(error instanceof LooperError)) return error
  const { code, message, details } = error
  return new LooperError(code, message, { hint: nameRun(error.hint, run), details, cause: error })
}

/** Throws LIMIT_LOCKED while another process holds the run. */
export async function own({ id, lock }: StoredRun): Promise<HeldRunLock> {
  const held = await lock.acquire()
  if (held !== null) return held
  throw named(new LooperError('LIMIT_LOCKED', `The run ${id} is under way in another process.`), id)
}

interface Stretch extends Pick<OpenedJournal, 'journal' | 'snapshots'> {
  stored: StoredRun
  /** Its folder. */
  dir: string
  lock: HeldRunLock
  state: RunState
  claims: TurnClaims
  start: Fact
  observer: Observer
}

async function run(context: Context, options: Launch, stretch: Stretch): Promise<RunState> {
  const { dir, lock, state, start, observer } = stretch
  const abort = new AbortController()
  const projections = createProjections(dir, state)
  const begun = start.type === 'run.started' ? start : state
  const clock = createClock(state.lastAt === '' ? 0 : Date.parse(state.lastAt))
  const source = await sourceFor(context, options, { ...stretch, clock }, begun)
  const records = begun.pipeline ? await openLoopRecords(dir, state, stretch.journal) : null
  const { mask } = options
  const render = createRenderer({
    templates: loadTemplates([join(options.root, '.looper', 'prompts'), join(context.packageFolder, 'prompts')]),
    runDir: dir,
    documents: () => source?.documents() ?? [],
  })
  const notifications = createNotifications({
    ...options,
    dir,
    env: withoutSecrets(context.env, options.secrets),
    mask,
    observer,
  })
  const sandbox = openSandbox(context, {
    root: options.root,
    runDir: dir,
    config: begun.config,
    allow: options.sandboxAllow,
  })
  // In a sandbox, a check cannot reach the workspace of an agent.
  const scan = createSecretScan(mask, sandbox ? null : begun.run)
  const open = openSite(context, {
    ...options,
    dir,
    state,
    start,
    sandbox,
    signal: abort.signal,
    render,
    beforePass: notifications.idle,
    onTrouble: observer.onTrouble,
  })
  const surroundings = surroundingsOf(context, { ...options, runDir: dir, config: begun.config, start, state })
  const revoked = await notBelieved(options.root, stretch, open)
  const engine = createEngine({
    revoked,
    state,
    journal: stretch.journal,
    snapshots: stretch.snapshots,
    site: open.site,
    guard: async () => (await import('../guard/guard.ts')).guard,
    ...(scan ? { scan } : {}),
    clean: (fact) => maskDeep(fact, mask),
    inbox: stretch.stored.inbox,
    clock,
    ...(source ? { sync: source.look } : {}),
    ...(surroundings ? { surroundings: { ...surroundings, setsUp: options.setup.length > 0 } } : {}),
    onEvent(event: Event) {
      projections.touch()
      source?.touch(event)
      records?.note(event, state)
      notifications.note(event, state)
      observer.onEvent(event, state)
    },
    async finish() {
      projections.write(concluded(state))
      await source?.settle()
      if (state.conclusion?.status !== 'completed') return
      await open.clean()
      const [mount] = scratchFolders(options.root, options.id).flatMap(mountsBelow)
      if (mount !== undefined) observer.onTrouble(mountedOn(plain(mount)))
    },
  })
  const stopWatching = watchOver(lock, engine)
  observer.onStart({
    state,
    stop: engine.stop,
    stopNow() {
      abort.abort()
      engine.stopNow()
    },
  })
  try {
    const rested = await engine.run(start)
    open.dismissKeeper()
    projections.write(rested)
    // A failure here does not change how the run ended: the next stretch or the next run updates the source.
    await source
      ?.settle()
      .catch((error: unknown) => observer.onTrouble(error instanceof Error ? error.message : String(error)))
    await notifications.idle()
    return rested
  } finally {
    source?.stop()
    stopWatching()
    projections.stop()
    await open.close()
  }
}

async function sourceFor(
  context: Context,
  { root, id }: Launch,
  { dir, state, observer, clock }: Stretch & { clock: Clock },
  begun: Pick<RunState, 'stages' | 'config'> & Pick<Partial<RunState>, 'pipeline' | 'session'>,
): Promise<TaskSource | null> {
  const { stages, config, pipeline = null, session = null } = begun
  const kind = sourceOf({ stages, pipeline }, config)
  if (kind === null) return null
  const { env, home } = context
  const store = await openStore(kind, {
    run: id,
    root,
    backlog: config.backlog,
    name: config.sourceName,
    session,
    env,
    home,
    onNote: observer.onTrouble,
  })
  return openTaskSource({ dir, run: id, state, store, clock, onTrouble: observer.onTrouble })
}

/** The report is written just before the run ends, so this adds the status that the run will end with. */
const concluded = (state: RunState): RunState =>
  state.conclusion === null ? state : { ...state, ...state.conclusion, pause: null, endedAt: state.lastAt }

function watchOver(lock: HeldRunLock, engine: Engine): () => void {
  lock.onNudge(engine.nudge)
  const beat = (): void => void lock.beat().catch(() => {})
  beat()
  const timers = [setInterval(engine.nudge, inboxMs), setInterval(beat, heartbeatMs)]
  return () => timers.forEach((timer) => clearInterval(timer))
}

const withoutSecrets = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
