/** Wires the engine of one run to this machine: git, processes, prompts, task source, notifications. */
import { join } from 'node:path'
import { maskDeep, type Mask } from '../../agents/mask.ts'
import { createSecretScan } from '../../agents/scan-secrets.ts'
import { createRenderer } from '../../context/prompt.ts'
import { loadTemplates } from '../../context/templates.ts'
import { createEngine, type Engine } from '../../engine/engine.ts'
import type { TurnClaims } from '../../core/claims/turn-claims.ts'
import type { AgentConfig, Config } from '../../model/config.ts'
import type { Event, Fact } from '../../model/event.ts'
import type { HeldRunLock, OpenedJournal, StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import { createClock } from '../../platform/clock.ts'
import { mountedOn, mountsBelow } from '../../platform/mounts.ts'
import type { Observer } from '../../api/runs.ts'
import { plain } from '../../views/text/plain-text.ts'
import { scratchFolders } from '../../workspace/landing/run-leftovers.ts'
import type { Admissions } from '../prepare/check-settings.ts'
import type { AppContext } from '../context.ts'
import type { PerformedRun } from '../follow/performed-run.ts'
import { openBesideRun } from './beside-run.ts'
import { openSite } from './open-site.ts'
import { notBelieved } from '../runs/recount.ts'
import { openSandbox } from '../prepare/sandbox.ts'
import { surroundingsOf } from './surroundings.ts'

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

/** The guard is loaded while the first coders work: they have started by then, and it delays nothing. */
const guardMs = 400

const loadGuard = async () => (await import('../../guard/guard.ts')).guard

interface Stretch extends Pick<OpenedJournal, 'journal' | 'snapshots'> {
  stored: StoredRun
  lock: HeldRunLock
  state: RunState
  claims: TurnClaims
  start: Fact
  observer: Observer
  performed: PerformedRun
}

export async function runStretch(context: AppContext, options: Launch, stretch: Stretch): Promise<RunState> {
  const { stored, lock, state, start, observer, performed } = stretch
  const { folder: dir } = stored
  const { seq: recorded } = state
  const abort = new AbortController()
  const begun = start.type === 'run.started' ? start : state
  const clock = createClock(state.lastAt === '' ? 0 : Date.parse(state.lastAt))
  const beside = await openBesideRun(context, options, { ...stretch, clock }, begun)
  const { source } = beside
  const { mask } = options
  const render = createRenderer({
    templates: loadTemplates([join(options.root, '.looper', 'prompts'), join(context.packageFolder, 'prompts')]),
    runDir: dir,
    documents: () => source?.documents() ?? [],
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
    beforePass: beside.idle,
    onTrouble: observer.onTrouble,
  })
  const surroundings = surroundingsOf(context, { ...options, runDir: dir, config: begun.config, start, state })
  let stopWatching = (): void => {}
  let guarding: NodeJS.Timeout | undefined
  try {
    const revoked = await notBelieved(options.root, stretch, open)
    const engine = createEngine({
      revoked,
      state,
      journal: stretch.journal,
      snapshots: stretch.snapshots,
      site: open.site,
      guard: loadGuard,
      ...(scan ? { scan } : {}),
      clean: (fact) => maskDeep(fact, mask),
      inbox: stored.inbox,
      clock,
      ...(source ? { sync: source.poll } : {}),
      ...(surroundings ? { surroundings: { ...surroundings, setsUp: options.setup.length > 0 } } : {}),
      onEvent(event: Event) {
        if (event.type === 'task.started') guarding ??= setTimeout(() => void loadGuard(), guardMs).unref()
        beside.record(event)
        performed.publish(event, state)
      },
      async finish() {
        await beside.finish()
        if (state.conclusion?.status !== 'completed') return
        await open.clean()
        const [mount] = scratchFolders(options.root, options.id).flatMap(mountsBelow)
        if (mount !== undefined) observer.onTrouble(mountedOn(plain(mount)))
      },
    })
    stopWatching = watchOver(lock, engine)
    observer.onStart({
      state,
      follow: () => performed.follow(recorded),
      stop: engine.stop,
      stopNow() {
        abort.abort()
        engine.stopNow()
      },
    })
    const rested = await engine.run(start)
    open.dismissKeeper()
    await beside.settle(rested)
    return rested
  } finally {
    clearTimeout(guarding)
    beside.stop()
    stopWatching()
    await open.close()
  }
}

function watchOver(lock: HeldRunLock, engine: Engine): () => void {
  lock.onNudge(engine.nudge)
  const beat = (): void => void lock.beat().catch(() => {})
  beat()
  const timers = [setInterval(engine.nudge, inboxMs), setInterval(beat, heartbeatMs)]
  return () => timers.forEach((timer) => clearInterval(timer))
}
