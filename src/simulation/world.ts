/** One virtual machine with a run on it: starts engines and applies faults. */
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import type { Engine } from '../engine/engine.ts'
import { LooperError } from '../model/error.ts'
import type { TurnWork } from '../model/work.ts'
import type { Behavior } from './fates.ts'
import { createRandom } from './random.ts'
import { runEngine, type Limits } from './run-engine.ts'
import type { Fault, HandEdit, Moment, Scenario } from './scenario.ts'
import { isPartOf } from './user-orders.ts'
import { createVirtualClock, type Life } from './virtual-clock.ts'
import { createVirtualDisk } from './virtual-disk.ts'
import { createMachine } from './virtual-dispatch.ts'
import { filesAtFirst } from './virtual-files.ts'
import { createVirtualGit, type Files } from './virtual-git.ts'
import { createVirtualSource } from './virtual-source.ts'
import { createVirtualUser } from './virtual-user.ts'
import type { VerificationFolders } from './virtual-verification.ts'
import { workspaceIn } from './virtual-workspaces.ts'
import { createWitness } from './witness.ts'

export type World = ReturnType<typeof createWorld>
export type Behave = (work: TurnWork, usual: Behavior) => Behavior

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
  const filesIn = (folder: string): Files | null => folders.get(folder) ?? git.checkout(workspaceIn(inPlace, folder))
  const isAt = (moment: Moment): boolean => Object.values(known.works).some(({ work }) => isPartOf(work, moment))
  const isWanted = (work: string): boolean => known.works[work] !== undefined
  const hasSecondEngine = scenario.faults.some(({ kind }) => kind === 'second-engine')
  /** Another engine's start of the work is durable even if the other has given the work up meanwhile. */
  const isPromised = (work: string): boolean =>
    isWanted(work)
    || (hasSecondEngine && disk.events.some((event) => event.type === 'work.started' && event.work.id === work))

  const machine = createMachine({
    scenario,
    random: random.fork('agents'),
    clock,
    now: clock.now,
    isRepaired: (kind) => repaired.has(kind),
    read: (folder) => filesIn(folder) ?? (inPlace ? git.filesOf(git.tip()) : null),
    /** Drops writes to a folder that is gone. */
    write(folder, files) {
      if (folders.has(folder)) folders.set(folder, files)
      else if (inPlace || git.checkout(folder)) git.place(workspaceIn(inPlace, folder), files)
    },
    ...(behave ? { behave } : {}),
    onStart({ work, starts, folder }) {
      const tree = git.store(filesIn(folder) ?? {})
      witness.saw({ kind: 'process', work, starts, folder, promised: isPromised(work.id), tree })
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

  const isLive = (): boolean => engines.size > 0
  const user = createVirtualUser({ known, catchUp, clock, chance, disk, git, machine, witness, isLive, nudge })
  const surroundings = {
    scenario,
    random,
    chance,
    clock,
    disk,
    git,
    folders,
    machine,
    source,
    user,
    witness,
    isPromised,
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
      case 'second-engine':
        return engines.size > 0 ? launch({}) : undefined
      case 'command':
        return user.send(fault.command)
      case 'outage':
        return source?.goDown(fault.forMs)
      case 'hand':
        return meddle(fault.edit)
    }
  }

  function meddle(edit: HandEdit): void {
    for (const done of source?.edit(edit) ?? []) witness.saw({ kind: 'hand', edit, ...done })
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
    runEngine(surroundings, life, limits, (engine) => engines.set(life, engine)).then(
      (state) => over('rests', state.status),
      (error: unknown) => over('refuses', error instanceof LooperError ? error.code : errorText(error)),
    )
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
    record: user.record,
    send: user.send,
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

const errorText = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error))
