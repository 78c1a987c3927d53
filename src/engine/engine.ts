/**
 * The engine: decides, records, performs and listens until the run ends or pauses. One process owns a run.
 * Write-ahead: an event is durable before anything that depends on it happens.
 */
import { concludeUntilQuiet } from '../core/conclude-until-quiet.ts'
import { guardedChecks } from '../core/stages/attempt/tampering.ts'
import { gapTo, notWanted } from '../core/tasks/under-way.ts'
import type { Event, Fact } from '../model/event.ts'
import type { Surroundings } from '../model/outside.ts'
import type { Clock, FinishRun, Inbox, Journal, LoadGuard, Snapshots, SyncSource } from '../model/ports.ts'
import type { SecretScan } from '../model/secret-finding.ts'
import type { Site } from '../model/ports/site.ts'
import type { RunState } from '../model/state.ts'
import type { Outcome, Work } from '../model/work.ts'
import { createCollector, isRemote } from './collect.ts'
import { createDoneTasks } from './done-tasks.ts'
import { createLocalWorker } from './local-work.ts'
import { createOrders } from './orders.ts'
import { createOutsideWatch } from './outside-watch.ts'
import { createRecorder } from './recorder.ts'
import { recover } from './recover.ts'
import { createWake } from './wake.ts'

export interface EngineOptions {
  /** The state after all events of the journal. The engine owns and mutates it from here on. */
  state: RunState
  journal: Journal
  snapshots: Snapshots
  site: Site
  inbox: Inbox
  clock: Clock
  /** Removes secrets from a fact before it is recorded. */
  clean?: (fact: Fact) => Fact
  /** Called for each event once it is durable. */
  onEvent: (event: Event) => void
  /** Absent when the run has no task source. */
  sync?: SyncSource
  /** Absent: weakened tests and checks are not searched for. */
  guard?: LoadGuard
  /** Finds secrets in what agents changed. */
  scan?: SecretScan
  /** Absent when no process can reach the files around the workspaces. */
  surroundings?: Surroundings
  /** Recorded events that failed verification; their `work.lost` facts are recorded right after the first event. */
  revoked?: readonly Fact<'work.lost'>[]
  finish: FinishRun
}

export interface Engine {
  /** Runs until the run ends or pauses. Rejects when the journal or the disk refuses a write. */
  run(first: Fact): Promise<RunState>
  /** Makes the engine read its inbox. */
  nudge(): void
  /** Stops gracefully and pauses the run. */
  stop(why?: 'hangup'): void
  /** Ends everything under way at once; the run pauses as after `stop`. */
  stopNow(): void
}

/**
 * Work that keeps getting lost is not restarted forever. A new engine counts from zero, because a person who resumes
 * the run wants it to continue.
 */
const maxStarts = 10

export function createEngine(options: EngineOptions): Engine {
  const { state, site } = options
  const recorder = createRecorder(options)
  const outside = createOutsideWatch(state, options.surroundings, recorder.record)
  const doneTasks = createDoneTasks(state, site)
  const done: { id: string; outcome: Outcome }[] = []
  const orders = createOrders(state, options.inbox, recorder)
  const { wakeUp, wait } = createWake()
  const tries = new Map<string, number>()
  let isUrgent = false

  const local = createLocalWorker({
    trees: site,
    clock: options.clock,
    ...(options.guard ? { guard: options.guard } : {}),
    ...(options.scan ? { scan: options.scan } : {}),
    finish,
    checks: () => guardedChecks(state),
    sync: async (work) => options.sync?.(work, state) ?? Promise.reject(new Error('this run has no source of tasks')),
    onDone(id, outcome) {
      done.push({ id, outcome })
      wakeUp()
    },
  })

  const { collect, lost } = createCollector({
    state,
    site,
    recorder,
    done,
    local,
    outside,
    doneTasks,
    onFinished: (id) => tries.delete(id),
  })

  /** Compares the surroundings first, so that the report contains all changes outside the workspaces. */
  function finish(): Promise<void> {
    outside.compareAll()
    return options.finish(state)
  }

  /** Records all conclusions, then starts missing work and cancels surplus work. */
  async function reconcile(): Promise<void> {
    const over: string[] = []
    const { work: wanted } = concludeUntilQuiet(state, (fact) => {
      recorder.record(fact)
      if (fact.type === 'task.finished' && fact.status === 'done') over.push(fact.task)
    })
    const { surplus, missing } = gapTo(state, wanted)
    for (const work of surplus) cancel(work)
    for (const work of missing) recorder.record({ type: 'work.started', work })
    await recorder.flush()
    doneTasks.release(over)
    for (const work of missing) start(work)
    await recorder.snapshot(false)
  }

  function cancel(work: Work): void {
    if (isRemote(work)) site.cancel(work.id, isUrgent ? 'now' : 'gracefully')
    else if (local.cancel(work.id)) {
      lost(work.id, { why: notWanted })
      wakeUp()
    }
  }

  function start(work: Work): void {
    if (!isRemote(work)) return local.start(work)
    const starts = state.works[work.id]?.starts ?? 1
    // The agent has answered, and only a later step failed, so the answer is reused.
    const answer = state.unwrapped?.[work.id]
    if (answer) return site.ensure({ work, starts, answer })
    const tried = (tries.get(work.id) ?? 0) + 1
    tries.set(work.id, tried)
    if (tried <= maxStarts) return site.ensure({ work, starts })
    local.adopt(work.id, Promise.reject(new Error(`${work.id} was lost ${maxStarts} times`)))
  }

  const resting = (): boolean => state.status !== 'running' && Object.keys(state.works).length === 0

  async function run(first: Fact): Promise<RunState> {
    const unwatch = site.watch(wakeUp)
    try {
      await orders.dropStale()
      await recover({ state, site, recorder, local, doneTasks }, first, options.revoked ?? [])
      // Work of an earlier engine may have continued without it.
      outside.compare(Object.keys(state.works))
      while (!resting()) {
        await wait()
        await orders.record()
        collect()
        await reconcile()
      }
      if (state.status === 'paused') outside.compareAll()
      await recorder.flush()
      await recorder.snapshot(true)
      return state
    } catch (error) {
      await abandon()
      throw error
    } finally {
      unwatch()
    }
  }

  function endRemote(): void {
    for (const { work } of Object.values(state.works)) if (isRemote(work)) site.cancel(work.id, 'now')
  }

  /** The journal cannot record any more events, so all work must stop. */
  async function abandon(): Promise<void> {
    endRemote()
    for (const id of Object.keys(state.works)) local.cancel(id)
    await site.quiet()
  }

  const order = (fact: Fact): void => {
    orders.add(fact)
    wakeUp()
  }
  return {
    run,
    nudge() {
      orders.expectMail()
      wakeUp()
    },
    stop: (why) => order({ type: 'stop.requested', how: 'stop', ...(why ? { why } : {}) }),
    stopNow() {
      isUrgent = true
      endRemote()
      order({ type: 'stop.requested', how: 'stop' })
    },
  }
}
