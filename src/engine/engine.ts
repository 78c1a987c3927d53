/**
 * The engine: decides, records, performs, listens, until the run rests. One process owns a run.
 * Write-ahead: an event is durable before anything that depends on it happens.
 */
import { receive } from '../core/commands.ts'
import { concludeUntilQuiet } from '../core/conclude-until-quiet.ts'
import { guardedChecks } from '../core/stages/tampering.ts'
import { gapTo, notWanted } from '../core/under-way.ts'
import { placesOf, placesUnderWay, taskAt } from '../core/workspace-needs.ts'
import type { Command, Event, Fact } from '../model/event.ts'
import type { Clock, Dispatch, Journal, RenderPrompt, Snapshots, Workspaces } from '../model/ports.ts'
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
import { isTry } from '../model/work-id.ts'
import { createLocalWorker, failureOf } from './local-work.ts'
import { createOutsideWatch, type Surroundings } from './outside-watch.ts'
import { createRecorder } from './recorder.ts'

export interface EngineOptions {
  /** The fold of the journal so far; the engine owns it from here on. */
  state: RunState
  journal: Journal
  snapshots: Snapshots
  dispatch: Dispatch
  workspaces: Workspaces
  renderPrompt: RenderPrompt
  inbox: { read(): Promise<Command[]>; acknowledge(id: string): Promise<void> }
  clock: Clock
  /** Takes secrets out of a fact before it is recorded. */
  clean?: (fact: Fact) => Fact
  /** Called for each event once it is durable. */
  onEvent: (event: Event) => void
  /** Files in the workspace that a pass of a loop reads and writes beside its work. */
  notebook?: Notebook
  /** Awaited before each pass of a loop and each task of a backlog: what follows the one before must be over. */
  beforePass?: () => Promise<void>
  /** Looks at the source of tasks, where the run has one. May throw. */
  sync?: (work: SyncWork, state: RunState) => Promise<SyncOutcome>
  /** Looks for tests and checks made weaker. */
  guard?: () => Promise<TamperGuard>
  /** Looks for secrets in what agents changed. */
  scan?: SecretScan
  /** What lies around the workspaces; absent where nothing can reach it. */
  surroundings?: Surroundings
  /** Recorded events that are not believed, told right after the first event of this process. */
  revoked?: readonly Fact<'work.lost'>[]
  /** Writes the report and whatever else a finished run leaves behind. */
  finish: (state: RunState) => Promise<void>
}

export interface Notebook {
  /** Puts them there. */
  lay(cwd: string, state: RunState): void
  /** What the agent wrote into them. */
  read(cwd: string, state: RunState): Promise<NonNullable<TurnOutcome['left']>>
}

export interface Engine {
  /** Runs until the run ends or pauses. Rejects when the journal or the disk refuses. */
  run(first: Fact): Promise<RunState>
  /** Something may have come in: look. */
  nudge(): void
  /** Stop gracefully and pause. */
  stop(): void
  /** End everything under way at once; the run pauses as after `stop`. */
  stopNow(): void
}

/**
 * Work that keeps getting lost is not started for ever. A new engine tries afresh: whoever resumes a run wants it to go
 * on.
 */
const maxStarts = 10
const diffChars = 24_000

export function createEngine(options: EngineOptions): Engine {
  const { state, dispatch, workspaces } = options
  const recorder = createRecorder(options)
  const outside = createOutsideWatch(state, options.surroundings, recorder.record)
  const done: { id: string; outcome: Outcome }[] = []
  const orders: Fact[] = []
  /** On their way from the record of their start to the start itself: nobody else knows them yet. */
  const launching = new Set<string>()
  const unwanted = new Set<string>()
  const tries = new Map<string, number>()
  /** Workspaces that a check, or an agent without an answer, may have littered since their tree was recorded. */
  const littered = new Set<string>()
  /** The trees that verification workspaces hold, by the check that runs there. */
  const verifying = new Map<string, string>()
  /** Tasks that were done before everybody had left their workspaces. */
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

  /** Whoever starts a run wants it to run: a stop that an earlier engine never read is void. */
  async function dropStale(): Promise<void> {
    for (const { id, do: what } of await options.inbox.read())
      if (what === 'stop' || what === 'pause') await options.inbox.acknowledge(id)
  }

  /** The report has what changed outside until now. */
  function finish(): Promise<void> {
    outside.compareAll()
    return options.finish(state)
  }

  /** Outcomes of the world become events. */
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

  /** What a read-only role did to the files is undone, and told; what a pass left in its notebook is read. */
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

  /** What a check saw is worth what its workspace held. */
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

  /** An answer that is wrapped up later has been paid for now. */
  function paid(id: string, outcome: Outcome): Outcome {
    if (outcome.kind !== 'failure' || outcome.answer === undefined) return outcome
    spentFinally(id, outcome.answer.usage)
    return { ...outcome, answer: { ...outcome.answer, usage: { ...noUsage } } }
  }

  /** What it consumed was consumed, whether anybody wanted it to the end or not. */
  function lost(id: string, { why, usage }: { why: string; usage?: Usage }): void {
    if (usage !== undefined) spentFinally(id, usage)
    ended(id)
    recorder.record({ type: 'work.lost', id, why })
  }

  /** Who lost a race may end long after the task is done. */
  function ended(id: string): void {
    if (verifying.delete(id)) workspaces.verified(id)
    const work = state.works[id]?.work
    const task = work && 'workspace' in work ? taskAt(work.workspace) : ''
    if (state.tasks[task]?.status === 'done') late.add(task)
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

  /** Concludes what can be concluded, then brings what is under way in line with what is wanted. */
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

  /** A task that is done needs its workspace no more; one that was opened again at once does. */
  function leave(task: string): void {
    const done = state.tasks[task]
    if (done?.status !== 'done') return
    const busy = new Set(
      Object.values(state.works).flatMap(({ work }) => ('workspace' in work ? [work.workspace] : [])),
    )
    // Who raced for it may still be on the way out.
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
    // Its agent has answered, and only what came after that failed.
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

  /** A turn finds the files of its tree: what an earlier start left half-done, or a check has written, is put back. */
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

  /** Only what is seen in a verification workspace is evidence. */
  async function verify(work: CheckWork, starts: number): Promise<void> {
    const { path, tree } = await workspaces.verification(work)
    if (unwanted.has(work.id)) return workspaces.verified(work.id)
    verifying.set(work.id, tree)
    dispatch.ensure({ work, starts, cwd: path })
  }

  /** Judges see what changed. */
  async function diffFor(work: TurnWork): Promise<string | null> {
    return work.tree === null || work.base === null ? null : workspaces.diff(work.workspace, work.base, diffChars)
  }

  /** Takes over what an earlier engine left: adopts what still runs, forgets what does not. */
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
    // Before anything else that happens today: the time until the last event of the old engine is what counts as
    // running.
    recorder.record(first)
    for (const fact of options.revoked ?? []) recorder.record(fact)
    // A rollback begins at what has landed: what was about to land is done again, which is landing once.
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
      // What an earlier engine left may have gone on without it.
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

  /** The journal cannot take what happens next, so nothing may go on happening. */
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

/** A repair turn is to mend its answer, not its work: what the turn before made must stay. */
const isRepair = (work: TurnWork | CheckWork): boolean =>
  work.kind === 'turn' && work.errors.length > 0 && writes(work.purpose)

/** Another try at the same question; of a check, on the same tree: without what the one before left. */
const isRetry = (work: TurnWork | CheckWork): boolean =>
  work.kind === 'turn' ? work.id !== work.slot : isTry(work.id, 'rerun')

const isRemote = (work: Work): work is TurnWork | CheckWork => work.kind === 'turn' || work.kind === 'check'
