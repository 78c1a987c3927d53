/**
 * The engine: decides, records, performs and listens until the run ends or pauses. One process owns a run.
 * Write-ahead: an event is durable before anything that depends on it happens.
 */
import { receive } from '../core/commands.ts'
import { concludeUntilQuiet } from '../core/conclude-until-quiet.ts'
import { guardedChecks } from '../core/stages/tampering.ts'
import { gapTo, notWanted } from '../core/under-way.ts'
import { placesOf, placesUnderWay } from '../core/workspace-needs.ts'
import type { Event, Fact } from '../model/event.ts'
import type { Clock, Dispatch, Inbox, Journal, RenderPrompt, Snapshots, Workspaces } from '../model/ports.ts'
import { writes } from '../model/purposes.ts'
import type { SecretScan } from '../model/secret-finding.ts'
import type { RunState } from '../model/state.ts'
import type { TamperGuard } from '../model/tamper.ts'
import { noUsage, type Usage } from '../model/usage.ts'
import {
  verificationWorkspace,
  type CheckWork,
  type Outcome,
  type SyncOutcome,
  type SyncWork,
  type TurnOutcome,
  type TurnWork,
  type Work,
} from '../model/work.ts'
import { createLocalWorker, failureOf } from './local-work.ts'
import { createOutsideWatch, type Surroundings } from './outside-watch.ts'
import { createRecorder } from './recorder.ts'

export interface EngineOptions {
  /** The state after all events of the journal. The engine owns and mutates it from here on. */
  state: RunState
  journal: Journal
  snapshots: Snapshots
  dispatch: Dispatch
  workspaces: Workspaces
  renderPrompt: RenderPrompt
  inbox: Inbox
  clock: Clock
  /** Removes secrets from a fact before it is recorded. */
  clean?: (fact: Fact) => Fact
  /** Called for each event once it is durable. */
  onEvent: (event: Event) => void
  /** The pass files: a pass of a loop reads and writes them in its workspace. */
  notebook?: Notebook
  /** Awaited before each pass of a loop and each task of a backlog: follow-up work of the previous one must be over. */
  beforePass?: () => Promise<void>
  /** Polls the task source, if the run has one. May throw. */
  sync?: (work: SyncWork, state: RunState) => Promise<SyncOutcome>
  /** Finds weakened tests and checks. */
  guard?: () => Promise<TamperGuard>
  /** Finds secrets in what agents changed. */
  scan?: SecretScan
  /** The files around the workspaces; absent when no process can reach them. */
  surroundings?: Surroundings
  /** Recorded events that failed verification; their `work.lost` facts are recorded right after the first event. */
  revoked?: readonly Fact<'work.lost'>[]
  /** Writes the report and the other files of a finished run. */
  finish: (state: RunState) => Promise<void>
}

export interface Notebook {
  /** Writes the pass files into the workspace. */
  lay(cwd: string, state: RunState): void
  /** Returns what the agent wrote into the pass files. */
  read(cwd: string, state: RunState): Promise<NonNullable<TurnOutcome['left']>>
}

export interface Engine {
  /** Runs until the run ends or pauses. Rejects when the journal or the disk refuses a write. */
  run(first: Fact): Promise<RunState>
  /** Makes the engine read its inbox. */
  nudge(): void
  /** Stops gracefully and pauses the run. */
  stop(): void
  /** Ends everything under way at once; the run pauses as after `stop`. */
  stopNow(): void
}

/**
 * Work that keeps getting lost is not restarted forever. A new engine counts from zero, because a person who resumes
 * the run wants it to continue.
 */
const maxStarts = 10
const diffChars = 24_000

export function createEngine(options: EngineOptions): Engine {
  const { state, dispatch, workspaces } = options
  const recorder = createRecorder(options)
  const outside = createOutsideWatch(state, options.surroundings, recorder.record)
  const done: { id: string; outcome: Outcome }[] = []
  const orders: Fact[] = []
  /** Work between the record of its start and the start itself: `dispatch` does not know it yet. */
  const launching = new Set<string>()
  const unwanted = new Set<string>()
  const tries = new Map<string, number>()
  /** Workspaces in which a check, or an agent without an answer, may have left files since their tree was recorded. */
  const littered = new Set<string>()
  /** The trees of verification workspaces, by the id of the check that runs there. */
  const verifying = new Map<string, string>()
  /** Tasks that were done while work was still running in their workspaces. */
  const late = new Set<string>()
  let look = true
  let mail = true
  let wake: () => void = () => {}
  let hurry = false

  const stir = (): void => {
    look = true
    wake()
  }
  const local = createLocalWorker({
    workspaces,
    clock: options.clock,
    ...(options.guard ? { guard: options.guard } : {}),
    ...(options.scan ? { scan: options.scan } : {}),
    finish,
    checks: () => guardedChecks(state),
    sync: async (work) => options.sync?.(work, state) ?? Promise.reject(new Error('this run has no source of tasks')),
    onDone(id, outcome) {
      done.push({ id, outcome })
      stir()
    },
  })

  async function listen(): Promise<void> {
    for (const fact of orders.splice(0)) recorder.record(fact)
    if (!mail) return
    mail = false
    const commands = await options.inbox.read()
    for (const command of commands) {
      const received = receive(state, command)
      if ('fact' in received) recorder.record(received.fact)
    }
    if (commands.length === 0) return
    await recorder.flush()
    for (const { id } of commands) await options.inbox.acknowledge(id)
  }

  /** A stop or pause that an earlier engine never read is dropped: a person has started the run again since. */
  async function dropStale(): Promise<void> {
    for (const { id, do: what } of await options.inbox.read())
      if (what === 'stop' || what === 'pause') await options.inbox.acknowledge(id)
  }

  /** Compares the surroundings first, so that the report contains all changes outside the workspaces. */
  function finish(): Promise<void> {
    outside.compareAll()
    return options.finish(state)
  }

  /** Records outcomes of local and remote work as events. */
  function collect(): void {
    outside.compare(done.map(({ id }) => id))
    for (const { id, outcome } of done.splice(0)) finished(id, outcome)
    const remote = Object.values(state.works)
      .map(({ work }) => work)
      .filter(isRemote)
      .filter(({ id }) => !local.isRunning(id) && !launching.has(id))
    const answers = dispatch.inspect(remote.map((work) => work.id))
    outside.compare([...answers].flatMap(([id, answer]) => (answer.state === 'running' ? [] : id)))
    for (const [id, answer] of answers) {
      const work = state.works[id]?.work
      if (!work || !isRemote(work)) continue
      if (answer.state === 'done') settled(work, answer.outcome)
      else if (answer.state === 'running') spent(work, answer.usage)
      else if (answer.state === 'lost') lost(id, answer)
      else lost(id, { why: 'it never started' })
    }
  }

  /** Restores the files that a read-only role changed, and reports them. Reads the pass files of a pass. */
  function settled(work: TurnWork | CheckWork, outcome: Outcome): void {
    if (work.kind !== 'turn' || outcome.kind !== 'turn') return finished(work.id, verified(work.id, outcome))
    const notebook = isPass(work) ? options.notebook : undefined
    const tree = writes(work.purpose) ? null : work.tree
    if (notebook === undefined && tree === null) return finished(work.id, outcome)
    const keep = (error: unknown): Outcome => ({ ...failureOf(error), answer: outcome })
    local.adopt(work.id, wrapUp(work, outcome, notebook, tree).catch(keep))
  }

  async function wrapUp(
    { workspace }: TurnWork,
    outcome: TurnOutcome,
    notebook: Notebook | undefined,
    tree: string | null,
  ): Promise<TurnOutcome> {
    const left = notebook ? { left: await notebook.read(workspaces.path(workspace), state) } : {}
    return { ...outcome, ...left, ...(tree === null ? {} : { edited: await workspaces.restore(workspace, tree) }) }
  }

  /** Adds the tree that the check's workspace contained: the result is evidence for that tree only. */
  function verified(id: string, outcome: Outcome): Outcome {
    const tree = verifying.get(id)
    return outcome.kind === 'check' && tree !== undefined ? { ...outcome, verified: tree } : outcome
  }

  const isPass = (work: Work): boolean => work.kind === 'turn' && work.purpose === 'iterate' && state.loop !== null

  function finished(id: string, outcome: Outcome): void {
    if (outcome.kind === 'turn') spentFinally(id, outcome.usage)
    const work = state.works[id]?.work
    const isUnanswered = work?.kind === 'turn' && outcome.kind === 'turn' && outcome.status !== 'ok'
    if ((work?.kind === 'check' && work.commit === undefined) || isUnanswered) {
      littered.add(work.workspace)
    }
    ended(id)
    recorder.record({ type: 'work.finished', id, outcome: paid(id, outcome) })
    dispatch.release(id)
    tries.delete(id)
  }

  /**
   * The answer's usage is recorded now. It is set to zero, so that it is not counted again when the answer is reused.
   */
  function paid(id: string, outcome: Outcome): Outcome {
    if (outcome.kind !== 'failure' || outcome.answer === undefined) return outcome
    spentFinally(id, outcome.answer.usage)
    return { ...outcome, answer: { ...outcome.answer, usage: { ...noUsage } } }
  }

  /** Usage counts even when the work was cancelled. */
  function lost(id: string, { why, usage }: { why: string; usage?: Usage }): void {
    if (usage !== undefined) spentFinally(id, usage)
    ended(id)
    recorder.record({ type: 'work.lost', id, why })
  }

  /** An attempt that lost a race may end long after its task is done. */
  function ended(id: string): void {
    if (verifying.delete(id)) workspaces.verified(id)
    const work = state.works[id]?.work
    const task = work && 'task' in work && 'workspace' in work ? work.task : null
    if (typeof task === 'string' && state.tasks[task]?.status === 'done') late.add(task)
  }

  function spentFinally(id: string, usage: Usage): void {
    if (usage.costUsd + usage.inputTokens + usage.outputTokens > 0)
      recorder.record({ type: 'budget.spent', work: id, usage })
  }

  function spent({ id }: Work, usage: Usage): void {
    const known = state.spending[id]
    const grown = usage.costUsd + usage.inputTokens + usage.outputTokens
    if (grown <= (known ? known.costUsd + known.inputTokens + known.outputTokens : 0)) return
    recorder.record({ type: 'budget.spent', work: id, usage })
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
    for (const task of new Set([...over, ...late])) leave(task)
    late.clear()
    for (const work of missing) start(work)
    await recorder.snapshot(false)
  }

  /** Releases the workspaces of a done task, unless the task was reopened at once. */
  function leave(task: string): void {
    const done = state.tasks[task]
    if (done?.status !== 'done') return
    const busy = new Set(
      Object.values(state.works).flatMap(({ work }) => ('workspace' in work ? [work.workspace] : [])),
    )
    // An attempt that lost the race may still be ending in its workspace.
    for (const place of placesOf(done).filter((each) => !busy.has(each))) {
      littered.delete(place)
      workspaces.release(place)
    }
  }

  function cancel(work: Work): void {
    if (isRemote(work)) halt(work.id, hurry ? 'now' : 'gracefully')
    else if (local.cancel(work.id)) {
      lost(work.id, { why: notWanted })
      stir()
    }
  }

  function halt(id: string, how: 'gracefully' | 'now'): void {
    if (launching.has(id)) unwanted.add(id)
    else dispatch.cancel(id, how)
  }

  function start(work: Work): void {
    if (!isRemote(work)) return local.start(work)
    // The agent has answered, and only a later step failed, so the answer is reused.
    const answer = state.unwrapped?.[work.id]
    if (answer) return settled(work, answer)
    const starts = state.works[work.id]?.starts ?? 1
    const tried = (tries.get(work.id) ?? 0) + 1
    tries.set(work.id, tried)
    if (tried > maxStarts)
      return local.adopt(work.id, Promise.reject(new Error(`${work.id} was lost ${maxStarts} times`)))
    launching.add(work.id)
    void launch(work, starts)
      .catch((error: unknown) => {
        done.push({ id: work.id, outcome: failureOf(error) })
      })
      .finally(() => {
        launching.delete(work.id)
        unwanted.delete(work.id)
        stir()
      })
  }

  /** Restores the workspace to its tree before a turn, when an earlier start or a check may have changed files. */
  async function launch(work: TurnWork | CheckWork, starts: number): Promise<void> {
    if (work.kind === 'check' && work.commit !== undefined) return verify(work, starts)
    if (
      work.tree !== null
      && !isRepair(work)
      && (starts > 1 || isRetry(work) || (work.kind === 'turn' && littered.has(work.workspace)))
    ) {
      await workspaces.restore(work.workspace, work.tree)
      littered.delete(work.workspace)
    }
    const cwd = workspaces.path(work.workspace)
    if (isPass(work)) options.notebook?.lay(cwd, state)
    if (work.kind === 'turn' && work.purpose === 'iterate') await options.beforePass?.()
    const diff = work.kind === 'turn' ? await diffFor(work) : null
    if (unwanted.has(work.id)) return
    if (work.kind === 'check') dispatch.ensure({ work, starts, cwd })
    else dispatch.ensure({ work, starts, cwd, prompt: options.renderPrompt({ state, work, diff, cwd }) })
  }

  /** Only a result from a verification workspace is evidence. */
  async function verify(work: CheckWork, starts: number): Promise<void> {
    const { path, tree } = await workspaces.verification(work)
    if (unwanted.has(work.id)) return workspaces.verified(work.id)
    verifying.set(work.id, tree)
    dispatch.ensure({ work, starts, cwd: path })
  }

  /** The diff for judges; null when there is nothing to compare. */
  async function diffFor(work: TurnWork): Promise<string | null> {
    return work.tree === null || work.base === null ? null : workspaces.diff(work.workspace, work.base, diffChars)
  }

  /** Takes over from an earlier engine: adopts work that still runs, and records the rest as lost. */
  async function recover(first: Fact): Promise<void> {
    const left = Object.values(state.works)
    await dispatch.recover(
      left.flatMap(({ work, starts }) =>
        isRemote(work)
          ? [{ work, starts, cwd: work.workspace === verificationWorkspace ? '' : workspaces.path(work.workspace) }]
          : [],
      ),
    )
    for (const place of placesUnderWay(state)) littered.add(place)
    for (const id of state.order) leave(id)
    // Must be the first event: running time ends with the last event of the old engine.
    recorder.record(first)
    for (const fact of options.revoked ?? []) recorder.record(fact)
    // A rollback starts from what has landed, so an interrupted landing is completed first. Landing is idempotent.
    const isGoingBack = state.convergence.next?.do === 'roll-back'
    for (const { work } of left) {
      if (work.kind === 'wait' || (isGoingBack && work.kind === 'integrate')) local.start(work)
      else if (!isRemote(work))
        recorder.record({ type: 'work.lost', id: work.id, why: 'the engine that did it is gone' })
    }
  }

  const resting = (): boolean => state.status !== 'running' && Object.keys(state.works).length === 0

  async function run(first: Fact): Promise<RunState> {
    const unwatch = dispatch.watch(stir)
    try {
      await dropStale()
      await recover(first)
      // Work of an earlier engine may have continued without it.
      outside.compare(Object.keys(state.works))
      while (!resting()) {
        if (!look)
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        look = false
        await listen()
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

  /** The journal cannot record any more events, so all work must stop. */
  async function abandon(): Promise<void> {
    for (const { work } of Object.values(state.works)) if (isRemote(work)) halt(work.id, 'now')
    for (const { work } of Object.values(state.works)) local.cancel(work.id)
    await dispatch.quiet()
  }

  const order = (fact: Fact): void => {
    orders.push(fact)
    stir()
  }
  return {
    run,
    nudge() {
      mail = true
      stir()
    },
    stop: () => order({ type: 'stop.requested', how: 'stop' }),
    stopNow() {
      hurry = true
      for (const { work } of Object.values(state.works)) if (isRemote(work)) halt(work.id, 'now')
      order({ type: 'stop.requested', how: 'stop' })
    },
  }
}

/** A repair turn repairs only its answer, so the files of the previous turn must stay. */
const isRepair = (work: TurnWork | CheckWork): boolean =>
  work.kind === 'turn' && work.errors.length > 0 && writes(work.purpose)

/** Another try at the same question, or a rerun of a check: it must not see files that the previous one left. */
const isRetry = (work: TurnWork | CheckWork): boolean =>
  work.kind === 'turn' ? work.id !== work.slot : work.rerun !== undefined

const isRemote = (work: Work): work is TurnWork | CheckWork => work.kind === 'turn' || work.kind === 'check'
