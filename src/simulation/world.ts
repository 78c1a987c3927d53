/** One virtual machine with a run on it: starts engines, applies faults, and acts as the user. */
import { receive } from '../core/commands.ts'
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { rolledBack } from '../core/stages/wave.ts'
import { createEngine, type Engine } from '../engine/engine.ts'
import type { NextStep } from '../model/convergence.ts'
import { LooperError } from '../model/error.ts'
import { eventVersion, type Command, type Fact, type StageName } from '../model/event.ts'
import { frozen } from '../model/frozen.ts'
import { usualGoal } from '../model/source.ts'
import type { RunState } from '../model/state.ts'
import { isSafeId } from '../model/task-id.ts'
import type { TurnWork } from '../model/work.ts'
import { createLocalSite } from '../site/local-site.ts'
import { keepInStep, type TaskSource } from '../sources/in-step.ts'
import { createMirror } from '../sources/mirror.ts'
import type { Behaviour } from './fates.ts'
import { createRandom } from './random.ts'
import type { Fault, Moment, Scenario, UserCommand, HandEdit } from './scenario.ts'
import { commandOf, isPartOf } from './user-orders.ts'
import { clockOf, createVirtualClock, pass, type Life } from './virtual-clock.ts'
import { createVirtualDisk } from './virtual-disk.ts'
import { createMachine } from './virtual-dispatch.ts'
import { filesAtFirst } from './virtual-files.ts'
import { virtualGuard } from './virtual-guard.ts'
import { createVirtualGit, rollBack, type Files } from './virtual-git.ts'
import { createVirtualSource } from './virtual-source.ts'
import type { VerificationFolders } from './virtual-verification.ts'
import { createVirtualWorkspaces, placeOf } from './virtual-workspaces.ts'
import { createWitness } from './witness.ts'

export type World = ReturnType<typeof createWorld>
type Limits = Fact<'run.resumed'>['limits']
export type Behave = (work: TurnWork, usual: Behaviour) => Behaviour

export function createWorld(scenario: Scenario, behave?: Behave) {
  const random = createRandom(scenario.seed)
  const clock = createVirtualClock()
  const chance = random.fork('world')
  const inPlace = scenario.config.workspace.mode === 'in-place'
  const git = createVirtualGit(filesAtFirst(scenario))
  const folders: VerificationFolders = new Map()
  const engines = new Map<Life, Engine>()
  const waiting = scenario.faults.map((fault) => ({ ...fault }))
  /** The fold of the durable events. */
  const known = initialState()
  let lives = 0
  const repaired = new Set<string>()
  let inbox: Command[] = []
  let commands = 0
  let launching = false

  const disk = createVirtualDisk({
    clock,
    random: random.fork('disk'),
    onAppend(last) {
      strike((fault) => fault.kind === 'crash' && fault.writing && last >= fault.after)
    },
    onDurable(count) {
      catchUp()
      if (scenario.badHints && chance.chance(0.1)) clock.after(chance.int(1, 2_000), nudge)
      strike((fault) => !(fault.kind === 'crash' && fault.writing) && count >= fault.after)
    },
  })
  const witness = createWitness(() => disk.events.length, clock.steady)

  function catchUp(): void {
    for (const event of disk.events.slice(known.seq)) evolve(known, event)
  }
  const filesIn = (place: string): Files | null => folders.get(place) ?? git.checkout(placeOf(inPlace, place))
  const isAt = (moment: Moment): boolean => Object.values(known.works).some(({ work }) => isPartOf(work, moment))
  const isWanted = (work: string): boolean => known.works[work] !== undefined
  const hasRival = scenario.faults.some(({ kind }) => kind === 'rival')
  /** Another engine's start of the work is durable even if a rival has given the work up meanwhile. */
  const isPromised = (work: string): boolean =>
    isWanted(work) || (hasRival && disk.events.some((event) => event.type === 'work.started' && event.work.id === work))

  const machine = createMachine({
    scenario,
    random: random.fork('agents'),
    clock,
    now: clock.now,
    isRepaired: (kind) => repaired.has(kind),
    read: (place) => filesIn(place) ?? (inPlace ? git.filesOf(git.tip()) : null),
    /** Drops writes to a folder that is gone. */
    write(place, files) {
      if (folders.has(place)) folders.set(place, files)
      else if (inPlace || git.checkout(place)) git.place(placeOf(inPlace, place), files)
    },
    ...(behave ? { behave } : {}),
    onStart({ work, starts, place }) {
      const tree = git.store(filesIn(place) ?? {})
      witness.saw({ kind: 'process', work, starts, place, promised: isPromised(work.id), tree })
    },
    onEnd({ work: { id, kind }, starts }, how) {
      witness.saw({ kind: 'process-over', id, starts, how, wanted: isWanted(id), turn: kind === 'turn' })
    },
  })

  const source =
    scenario.source === undefined
      ? null
      : createVirtualSource({
          scenario: { plan: scenario.plan, source: scenario.source },
          clock,
          random: random.fork('source'),
          isFull: () => disk.full,
          onClaim: (task, ok) => witness.saw({ kind: 'claim', task, ok }),
          onReplaced: () => witness.saw({ kind: 'replaced' }),
        })

  const nudge = (): void => {
    for (const engine of engines.values()) engine.nudge()
  }

  function strike(due: (fault: Fault) => boolean): void {
    const isNow = ({ stage, during }: Fault): boolean =>
      (stage === undefined || stage === known.stage) && (during === undefined || isAt(during))
    for (const fault of waiting.filter((one) => due(one) && isNow(one))) {
      waiting.splice(waiting.indexOf(fault), 1)
      if (fault.delayMs === 0 || (fault.kind === 'crash' && fault.writing)) suffer(fault)
      else clock.after(fault.delayMs, () => suffer(fault))
    }
  }

  function suffer(fault: Fault): void {
    witness.saw({ kind: 'fault', fault })
    switch (fault.kind) {
      case 'crash':
        for (const life of engines.keys()) {
          life.alive = false
          disk.crash(life, fault.tail)
          machine.engineDied(life)
        }
        catchUp()
        engines.clear()
        if (fault.machine) machine.machineDied()
        return
      case 'disk-full':
        disk.full = true
        clock.after(fault.forMs, () => {
          disk.full = false
        })
        return
      case 'disk-error':
        disk.failing = fault.tail
        return
      case 'clock-jump':
        return clock.jump(fault.ms)
      case 'worktrees-deleted':
        return inPlace ? undefined : git.removeCheckouts()
      case 'rival':
        return engines.size > 0 ? launch({}) : undefined
      case 'command':
        return send(fault.command)
      case 'outage':
        return source?.goDown(fault.forMs)
      case 'hand':
        return meddle(fault.edit)
    }
  }

  function meddle(edit: HandEdit): void {
    for (const done of source?.edit(edit) ?? []) witness.saw({ kind: 'hand', edit, ...done })
  }

  /** Through the inbox of a live run, or straight into the journal of a resting one. */
  function send(wanted: UserCommand): void {
    const command = commandOf(String(++commands), wanted, known)
    // Only the run itself knows its rollback targets.
    if (command === null || (wanted.do !== 'rollback' && 'refused' in receive(known, command))) return
    if (engines.size === 0) return tell(command)
    witness.saw({ kind: 'sent', command, to: 'inbox' })
    inbox.push(command)
    clock.after(chance.chance(0.7) ? 5 : 1_000, nudge)
  }

  function tell(command: Command): void {
    if (command.do === 'pause' || command.do === 'stop' || command.do === 'abort') return
    if (
      known.status === 'new'
      || (known.status === 'completed' && command.do !== 'rollback')
      || known.status === 'aborted'
    )
      return
    const received = receive(known, command)
    if (!('fact' in received)) return
    witness.saw({ kind: 'sent', command, to: 'journal' })
    const before = known.convergence.next
    write(received.fact)
    if (command.do === 'rollback') rollBackNow(before)
  }

  function write(fact: Fact): void {
    const at = new Date(Math.max(clock.now(), Date.parse(known.lastAt))).toISOString()
    disk.write({ seq: known.seq + 1, at, ...fact })
    catchUp()
  }

  /** Rolls back a resting run at once. The process may die meanwhile; then the next engine completes the rollback. */
  function rollBackNow(before: NextStep | null): void {
    const {
      landings,
      base,
      convergence: { next },
    } = known
    if (next?.do !== 'roll-back') return
    machine.machineDied()
    if (chance.chance(0.2)) return
    const from = landings.at(-1)?.commit ?? base.commit
    const done = rollBack(git, from, next.to)
    if (done?.moved) witness.saw({ kind: 'rolled-back', from, to: next.to })
    if (done === null) return write({ type: 'rollback.withdrawn', why: 'moved', next: before })
    if (chance.chance(0.2)) return
    rolledBack(known, next, { from, kept: done.kept }).forEach(write)
  }

  /** The user takes a moment to restart the run, and longer while the disk is full. */
  function launchSoon(limits: Limits): void {
    launching = true
    clock.after(disk.full ? 15_000 : 500, () => {
      launching = false
      launch(limits)
    })
  }

  /** Starts an engine; the user resumes with `limits`. */
  function launch(limits: Limits): void {
    const life: Life = { n: ++lives, alive: true }
    const over = (what: 'rests' | 'refuses', why: string): void => {
      if (!life.alive) return
      witness.saw({ kind: 'engine', life: life.n, what, why })
      life.alive = false
      engines.delete(life)
    }
    engines.set(life, { run: () => Promise.reject(new Error('not yet')), nudge() {}, stop() {}, stopNow() {} })
    witness.saw({ kind: 'engine', life: life.n, what: 'starts', why: '' })
    run(life, limits).then(
      (state) => over('rests', state.status),
      (error: unknown) => over('refuses', error instanceof LooperError ? error.code : errorText(error)),
    )
  }

  async function run(life: Life, limits: Limits): Promise<RunState> {
    const { journal, snapshots } = disk.open(life)
    let begun = false
    const saved = (await snapshots.load()) ?? initialState()
    const state = (await journal.load(saved.seq)).reduce(evolve, saved)
    if (state.status === 'completed' || state.status === 'aborted') return rested(state)
    const workspaces = createVirtualWorkspaces(
      {
        git,
        clock,
        random: random.fork(`git of ${life.n}`),
        inPlace,
        commits: scenario.config.workspace.commit,
        folders,
        checksParallel: scenario.config.checksParallel,
        isFull: () => disk.full,
        onStep: (work) => witness.saw({ kind: 'git', work, promised: isPromised(work) }),
        onLanded: ({ task, id }, commit) =>
          witness.saw({ kind: 'landed', task, work: id, commit, tree: git.treeOf(commit) }),
        onRolledBack: ({ from, to }) => witness.saw({ kind: 'rolled-back', from, to }),
      },
      life,
    )
    const inStep = sourceFor(life, state)
    const engine = createEngine({
      state,
      journal,
      snapshots,
      site: createLocalSite({
        workspaces,
        dispatch: machine.dispatch(life),
        prompt: ({ id }, { diff }) => `${id}\n${diff ?? ''}`,
      }),
      clock: clockOf(clock, life),
      clean: frozen,
      inbox: {
        async read() {
          await pass(clock, life, 1)
          return [...inbox]
        },
        async acknowledge(id) {
          if (!life.alive) return
          witness.saw({ kind: 'acknowledged', id, begun })
          inbox = inbox.filter((command) => command.id !== id)
        },
      },
      ...(inStep ? { sync: inStep.look } : {}),
      guard: async () => virtualGuard,
      onEvent(event) {
        const { seq } = event
        begun = true
        if (seq > disk.events.length) witness.saw({ kind: 'announced', seq })
        inStep?.touch(event)
      },
      async finish() {
        await pass(clock, life, chance.int(2, 60))
        await inStep?.settle()
        if (state.conclusion?.status === 'completed') await workspaces.clean()
      },
    })
    engines.set(life, engine)
    try {
      rested(await engine.run(state.status === 'new' ? started(scenario, git.base) : { type: 'run.resumed', limits }))
      if (inStep) await settle(inStep, state.seq)
      return state
    } finally {
      inStep?.stop()
    }
  }

  function rested(state: RunState): RunState {
    witness.rested({ seq: state.seq, state: JSON.stringify(state) })
    return state
  }

  function sourceFor(life: Life, state: RunState): TaskSource | null {
    if (source === null) return null
    const objection = (id: string): string | null => (isSafeId(id) ? null : `${id} cannot be used`)
    const mirror = createMirror({ ...source.open(life), run: '001-virtual', objection })
    return keepInStep({ mirror, state, clock: clockOf(clock, life), documents: () => [], onTrouble() {} })
  }

  async function settle(inStep: TaskSource, seq: number): Promise<void> {
    await inStep.settle()
    const tasks = source?.tasks() ?? []
    const others = tasks.map(({ id }) => id).filter((id) => source?.isOthers(id))
    witness.saw({ kind: 'settled', seq, tasks, others })
  }

  return {
    scenario,
    known,
    clock,
    disk,
    git,
    machine,
    witness,
    launch,
    launchSoon,
    tell,
    send,
    nudge,
    /** No engine is running or about to start. */
    isAtRest: () => engines.size === 0 && !launching,
    lives: () => lives,
    sourceTasks: () => source?.tasks() ?? [],
    /** The user did what the run paused for. */
    repair(kind: string) {
      repaired.add(kind)
      if (kind === 'setup') meddle({ do: 'repair' })
    },
  }
}

export const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

const errorText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))

function stagesOf({ pipeline, source, config }: Scenario): StageName[] {
  if (pipeline) return ['loop', 'report']
  if (source) return ['backlog', 'report']
  return config.workflow === 'meta'
    ? ['plan', 'scaffold', 'execute', 'gate', 'report']
    : ['plan', 'execute', 'gate', 'report']
}

/** A backlog run; in half of the worlds it has a goal beyond the backlog. */
const goalOf = ({ seed, source, config }: Scenario): string =>
  source && seed % 2 === 1 ? usualGoal(config) : 'a virtual goal'

const started = (scenario: Scenario, commit: string): Fact => ({
  type: 'run.started',
  version: eventVersion,
  run: '001-virtual',
  goal: goalOf(scenario),
  workflow: scenario.config.workflow,
  stages: stagesOf(scenario),
  config: copyOf(scenario.config),
  base: { commit, branch: 'main' },
  branch: 'looper/001-virtual',
  ...(scenario.pipeline ? { pipeline: copyOf(scenario.pipeline), session: 'virtual' } : {}),
})
