/** Wires the engine of one run to this machine: lock, journal, git, processes, prompts. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { maskDeep, type Mask } from '../agents/mask.ts'
import { createSecretScan } from '../agents/scan-secrets.ts'
import { runCheck } from '../checks/run-check.ts'
import { createRenderer } from '../context/prompt.ts'
import { loadTemplates } from '../context/templates.ts'
import { createConfirmCheck } from '../dispatch/confirm-check.ts'
import { createLocalDispatch, type LocalDispatchOptions } from '../dispatch/local.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import { openFileJournal } from '../journal/file-journal.ts'
import { acknowledge, readInbox } from '../journal/inbox.ts'
import { fileSnapshots } from '../journal/snapshot.ts'
import { diskBytes, isOverspent } from '../core/policies/budget.ts'
import type { TurnClaims } from '../core/turn-claims.ts'
import type { AgentConfig, Config } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import type { Event, Fact } from '../model/event.ts'
import type { Clock, Workspaces } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { createClock } from '../platform/clock.ts'
import { stayFrugal } from '../platform/frugal.ts'
import { writeHolder } from '../platform/lock-holder.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { acquireLock, lockName, type Lock } from '../platform/lock.ts'
import { markOf, runKey } from '../platform/mark.ts'
import { mountedOn, mountsBelow } from '../platform/mounts.ts'
import type { TaskSource } from '../sources/in-step.ts'
import type { Observer } from '../api/runs.ts'
import { nameRun } from '../views/name-run.ts'
import { plain } from '../views/plain-text.ts'
import { createInPlace } from '../workspace/in-place.ts'
import { scratchFolders } from '../workspace/run-leftovers.ts'
import { createWorktrees } from '../workspace/worktrees.ts'
import { seenBy, type Admissions } from './check-settings.ts'
import { ownCheckout } from './checkout.ts'
import type { Context } from './context.ts'
import { createHerald } from './herald.ts'
import { createProjections } from './projections.ts'
import { openLoopRecords } from './loop-records.ts'
import { createNotebook } from './notebook.ts'
import { runFolder } from './run-folder.ts'
import { createRecount, notBelieved } from './recount.ts'
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
  stayFrugal()
  const dir = runFolder(options.root, options.id)
  const observer: Observer = { ...watcher, onTrouble: (message) => watcher.onTrouble(options.mask(message)) }
  const lock = await own(dir, options.id)
  try {
    const { state, claims, add } = createRecount()
    const { journal, tornBytes } = await openFileJournal(dir, { onEvent: add })
    try {
      if (tornBytes > 0) observer.onTorn(tornBytes)
      const start = signed(first(state), context.version)
      const checkout = start.type === 'run.started' ? start.config.workspace.mode : state.config.workspace.mode
      const place = checkout === 'in-place' ? await ownCheckout(options.root) : null
      try {
        return await run(context, options, {
          dir,
          lock,
          state,
          claims,
          journal,
          snapshots: fileSnapshots(dir),
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
export async function own(dir: string, run: string): Promise<Lock> {
  const lock = await acquireLock(lockName(dir))
  if (lock !== null) return lock
  throw named(new LooperError('LIMIT_LOCKED', `The run ${run} is under way in another process.`), run)
}

interface Stretch {
  dir: string
  lock: Lock
  state: RunState
  claims: TurnClaims
  journal: Awaited<ReturnType<typeof openFileJournal>>['journal']
  snapshots: ReturnType<typeof fileSnapshots>
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
  const herald = createHerald({ ...options, dir, env: withoutSecrets(context.env, options.secrets), mask, observer })
  const sandbox = openSandbox(context, {
    root: options.root,
    runDir: dir,
    config: begun.config,
    allow: options.sandboxAllow,
  })
  // In a sandbox, a check cannot reach the workspace of an agent.
  const scan = createSecretScan(mask, sandbox ? null : begun.run)
  const workspaces = workspacesFor(context, options, stretch, { signal: abort.signal, sandbox })
  const dispatch = dispatchFor(context, options, dir, { state, sandbox, workspaces })
  const surroundings = surroundingsOf(context, { ...options, runDir: dir, config: begun.config, start, state })
  const revoked = await notBelieved(options.root, stretch, dispatch)
  const engine = createEngine({
    revoked,
    state,
    journal: stretch.journal,
    snapshots: stretch.snapshots,
    workspaces,
    dispatch,
    guard: async () => (await import('../guard/guard.ts')).guard,
    ...(scan ? { scan } : {}),
    renderPrompt: (input) => mask(render(input)),
    clean: (fact) => maskDeep(fact, mask),
    inbox: { read: () => readInbox(dir), acknowledge: (id) => acknowledge(dir, id) },
    clock,
    notebook: createNotebook({
      root: options.root,
      dir,
      backlog: begun.config.backlog,
      mask,
      onTrouble: observer.onTrouble,
    }),
    beforePass: herald.idle,
    ...(source ? { sync: source.look } : {}),
    ...(surroundings ? { surroundings: { ...surroundings, setsUp: options.setup.length > 0 } } : {}),
    onEvent(event: Event) {
      projections.touch()
      source?.touch(event)
      records?.note(event, state)
      herald.note(event, state)
      observer.onEvent(event, state)
    },
    async finish() {
      projections.write(concluded(state))
      await source?.settle()
      if (state.conclusion?.status !== 'completed') return
      await workspaces.clean()
      const [mount] = scratchFolders(options.root, options.id).flatMap(mountsBelow)
      if (mount !== undefined) observer.onTrouble(mountedOn(plain(mount)))
    },
  })
  const stopWatching = watchOver(dir, lock, engine)
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
    dispatch.dismissKeeper()
    projections.write(rested)
    // A failure here does not change how the run ended: the next stretch or the next run updates the source.
    await source
      ?.settle()
      .catch((error: unknown) => observer.onTrouble(error instanceof Error ? error.message : String(error)))
    await herald.idle()
    return rested
  } finally {
    source?.stop()
    stopWatching()
    projections.stop()
    await workspaces.close?.()
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
  state.conclusion === null ? state : { ...state, ...state.conclusion, endedAt: state.lastAt }

function watchOver(dir: string, lock: Lock, engine: Engine): () => void {
  lock.onNudge(engine.nudge)
  const beat = (): void => void writeHolder(dir).catch(() => {})
  beat()
  const timers = [setInterval(engine.nudge, inboxMs), setInterval(beat, heartbeatMs)]
  return () => timers.forEach((timer) => clearInterval(timer))
}

interface Means {
  signal: AbortSignal
  sandbox: Sandbox | null
}

function workspacesFor(context: Context, options: Launch, { dir, state, start }: Stretch, means: Means): Workspaces {
  const { config, base, branch } = start.type === 'run.started' ? start : state
  const key = runKey(dir)
  const { finder } = options.mask
  const shared = {
    root: options.root,
    runDir: dir,
    run: options.id,
    branch,
    base: base.commit,
    workspace: { ...config.workspace, copy: options.copy },
    setup: options.setup,
    backlog: config.backlog,
    checksParallel: config.checksParallel,
    userEnv: context.env,
    mark: (workId: string) => markOf(key, workId, 1),
    mask: options.mask,
    ...means,
    ...(finder.isEmpty ? {} : { isClean: (text: string) => finder.next(text, 0) === null }),
    ...seenBy(context.env, options.admissions.setup),
  }
  return config.workspace.mode === 'in-place' ? createInPlace(shared) : createWorktrees(shared)
}

function dispatchFor(
  context: Context,
  options: Launch,
  dir: string,
  { state, sandbox, workspaces }: { state: RunState; sandbox: Sandbox | null; workspaces: Workspaces },
): ReturnType<typeof createLocalDispatch> {
  const { mask, admissions } = options
  const built = (name: string): string => join(context.packageFolder, 'dist', name)
  return createLocalDispatch({
    runDir: dir,
    key: runKey(dir),
    agents: options.agents,
    mask,
    env: context.env,
    sandbox,
    home: context.home,
    playerPath: playerIn(context.packageFolder),
    mcpPath: built('tools.js'),
    driverPath: built('acp.js'),
    keeperPath: built('keeper.js'),
    ...boundsOf(state),
    // In a sandbox no other process can write into a verification workspace.
    ...(sandbox ? {} : { confirm: createConfirmCheck(workspaces) }),
    runCheck: (request, signal) =>
      runCheck(
        {
          ...request,
          mask,
          sandbox,
          // A command that an agent proposed must not see the variables that the user passes to their own checks.
          ...seenBy(context.env, 'argv' in request.work.run ? {} : (admissions.checks.get(request.work.name) ?? {})),
          logFile: join(dir, 'checks', `${request.work.id.replaceAll('/', '.')}.log`),
        },
        signal,
      ),
  })
}

/** Read from the state on each call: the user can change limits while the run is live. */
const boundsOf = (
  state: RunState,
): Pick<LocalDispatchOptions, 'isOverspent' | 'diskLimitBytes' | 'hasOwnWorkspaces'> => ({
  hasOwnWorkspaces: () => state.config.workspace.mode !== 'in-place',
  isOverspent: () => isOverspent(state.config.limits, state.usage),
  diskLimitBytes: () => (typeof state.config.limits.diskMb === 'number' ? diskBytes(state.config.limits.diskMb) : null),
})

/** The build puts the player into `dist`; in a checkout of Looper it is among the sources. */
function playerIn(packageFolder: string): string {
  const built = join(packageFolder, 'dist', 'player.js')
  return existsSync(built) ? built : join(packageFolder, 'src', 'agents', 'scripted', 'player.js')
}

const withoutSecrets = (env: NodeJS.ProcessEnv, names: readonly string[]): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name)))
