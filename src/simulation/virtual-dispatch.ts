/**
 * Agents and checks as processes of the virtual machine. Agents outlive the engine that started them; checks do not.
 */
import { agentError } from '../model/agent-error.ts'
import { engineGone } from '../model/interrupted.ts'
import type { WorkStatus } from '../model/ports/site.ts'
import type { CheckRequest, Dispatch, TurnRequest } from '../dispatch/dispatch.ts'
import { noUsage, type Usage } from '../model/usage.ts'
import type { CheckOutcome, CheckWork, TurnOutcome, TurnWork } from '../model/work.ts'
import { behaviorOf, type Behavior, type Circumstances } from './fates.ts'
import { checkOutcome } from './virtual-checks.ts'
import { pass, type Life, type VirtualClock } from './virtual-clock.ts'
import { litter } from './virtual-files.ts'
import type { Files } from './virtual-git.ts'

export interface Process {
  work: TurnWork | CheckWork
  starts: number
  /** The workspace, or the folder of a verification workspace. */
  folder: string
  /** The engine that is its parent; null for agents, which outlive engines. */
  life: Life | null
}

export interface MachineOptions extends Circumstances {
  clock: VirtualClock
  /** Null when the folder is gone. */
  read(folder: string): Files | null
  write(folder: string, files: Files): void
  /** Overrides an agent's behavior. */
  behave?: (work: TurnWork, usual: Behavior) => Behavior
  onStart(process: Process): void
  onEnd(process: Process, how: How): void
}

/** The process ended by itself, was cancelled because it was not needed any more, or was killed. */
export type How = 'ended' | 'cancelled' | 'killed'

interface Running extends Process {
  usage: () => Usage
  kill(how?: How): void
  /** Ends a process that hangs, once it has stalled for too long. */
  stall: (() => void) | null
  listeners: Set<(state: WorkStatus) => void>
}

/** How long an agent may be silent. */
const stallMs = 300_000

const keyOf = (id: string, starts: number): string => `${id}#${starts}`

export interface Machine {
  running(): Process[]
  /** A dispatch for one life of the engine. */
  dispatch(life: Life): Dispatch
  engineDied(life: Life): void
  machineDied(): void
}

export function createMachine(options: MachineOptions): Machine {
  const { clock, random, scenario } = options
  /** Checks that have ended. */
  let checks = 0
  const table = new Map<string, Running>()
  /** Answers in the folders of ended turns. */
  const answers = new Map<string, TurnOutcome>()

  function start(request: TurnRequest | CheckRequest, life: Life): Running {
    const { work, starts } = request
    const folder = request.cwd.replace('/virtual/', '')
    const begun = clock.steady()
    const turn = isTurn(work) ? work : null
    const usual = turn ? behaviorOf(turn, options) : null
    const behavior = turn && usual ? (options.behave?.(turn, usual) ?? usual) : null
    const durationMs = behavior?.durationMs ?? random.fork(work.id).int(50, 4_000)
    const isHalfDone = (): boolean => clock.steady() - begun > Math.min(durationMs, stallMs) / 2
    let over = false
    const stop = (how: How, state: WorkStatus): void => {
      if (over) return
      over = true
      table.delete(keyOf(work.id, starts))
      options.onEnd(process, how)
      for (const listener of process.listeners) listener(state)
    }
    const process: Running = {
      work,
      starts,
      folder,
      life: turn ? null : life,
      listeners: new Set(),
      usage: () => (behavior && isHalfDone() ? halfOf(behavior.usage) : { ...noUsage }),
      stall:
        behavior && turn && durationMs === Infinity
          ? () => stop('killed', { state: 'done', outcome: stalled(turn, starts, behavior) })
          : null,
      kill: (how = 'killed') => stop(how, { state: 'lost', why: 'cancelled', usage: process.usage() }),
    }
    table.set(keyOf(work.id, starts), process)
    options.onStart(process)
    const found = options.read(folder) ?? {}
    if (behavior) options.write(folder, behavior.half(found))
    else if (litters(work.id)) options.write(folder, { ...found, [litter]: keyOf(work.id, starts) })
    if (durationMs < Infinity)
      clock.after(durationMs, () => {
        if (over) return
        const outcome = behavior && turn ? finishTurn(turn, starts, behavior) : finishCheck(work as CheckWork, folder)
        stop('ended', { state: 'done', outcome })
      })
    return process
  }

  function finishTurn(work: TurnWork, starts: number, { usage, durationMs, end }: Behavior): TurnOutcome {
    const { files, answer } = end(options.read(work.workspace) ?? {})
    options.write(work.workspace, files)
    const outcome: TurnOutcome = { kind: 'turn', usage, durationMs, sessionId: null, edited: [], ...answer }
    answers.set(keyOf(work.id, starts), outcome)
    return outcome
  }

  function stalled(work: TurnWork, starts: number, { usage }: Behavior): TurnOutcome {
    const error = agentError('stalled', 'nothing came for too long')
    const outcome: TurnOutcome = {
      kind: 'turn',
      status: 'error',
      error,
      usage: halfOf(usage),
      durationMs: stallMs,
      sessionId: null,
      edited: [],
    }
    answers.set(keyOf(work.id, starts), outcome)
    return outcome
  }

  /** In place, the user's .gitignore decides which files are litter. */
  const litters = (id: string): boolean =>
    scenario.config.workspace.mode === 'worktree' && random.fork(`litter of ${id}`).chance(0.4)

  const finishCheck = (work: CheckWork, folder: string): CheckOutcome =>
    checkOutcome(work, options.read(folder), ++checks, options)

  const ended = (id: string, starts: number): WorkStatus => {
    const outcome = answers.get(keyOf(id, starts))
    if (outcome?.status === 'ok') return { state: 'done', outcome }
    return { state: 'lost', why: 'the agent ended unseen, without an answer', ...(outcome && { usage: outcome.usage }) }
  }

  function dispatch(life: Life): Dispatch {
    const jobs = new Map<string, { starts: number; process: Running | null; state: WorkStatus | null }>()
    /** Reported states. They may be reported again after the engine stopped asking. */
    const reported = new Map<string, WorkStatus>()
    const watchers = new Set<() => void>()
    const chance = random.fork(`hints of ${life.n}`)
    const report = (): void => {
      if (life.alive) for (const watcher of watchers) watcher()
    }
    /** A hint may be late, arrive twice, or arrive only when the engine polls by itself. */
    const hint = (): void => {
      const times = scenario.badHints ? chance.int(0, 2) : 1
      for (let nth = 0; nth < times; nth++) clock.after(scenario.badHints ? chance.int(0, 900) : 0, report)
      if (times === 0) clock.after(1_000, report)
    }
    const follow = (process: Running): void => {
      const job = { starts: process.starts, process: process as Running | null, state: null as WorkStatus | null }
      jobs.set(process.work.id, job)
      process.listeners.add((state) => {
        job.process = null
        job.state = state
        if (state.state === 'done') reported.set(process.work.id, state)
        hint()
      })
      // The engine that follows an agent runs the stall timer, so the timer ends with the engine.
      if (process.stall)
        clock.after(stallMs, () => {
          if (life.alive) process.stall?.()
        })
      if (isTurn(process.work))
        clock.after(1_000 * chance.int(1, 20), () => {
          if (job.process) hint()
        })
    }
    const stateOf = (id: string): WorkStatus => {
      const job = jobs.get(id)
      if (!job) return { state: 'absent' }
      return job.state ?? { state: 'running', usage: job.process?.usage() ?? { ...noUsage } }
    }
    const released = (): [string, WorkStatus][] => [...reported].filter(([id]) => !jobs.has(id))
    return {
      ensure(request) {
        const job = jobs.get(request.work.id)
        if (!life.alive || (job && (job.starts >= request.starts || job.process))) return
        follow(start(request, life))
      },
      cancel(id, how) {
        const process = jobs.get(id)?.process
        if (life.alive && process)
          clock.after(how === 'now' ? 1 : chance.int(1, 5_000), () => process.kill('cancelled'))
      },
      inspect: (ids) =>
        new Map([...(scenario.badHints ? released() : []), ...ids.map((id) => [id, stateOf(id)] as const)]),
      release(id) {
        if (!life.alive || jobs.get(id)?.process) return
        jobs.delete(id)
        if (reported.has(id) && scenario.badHints) hint()
      },
      watch(onHint) {
        watchers.add(onHint)
        return () => {
          watchers.delete(onHint)
        }
      },
      async quiet() {
        while ([...jobs.values()].some((job) => job.process)) await pass(clock, life, 10)
      },
      async recover(left) {
        await pass(clock, life, chance.int(1, 50))
        const wanted = new Set(left.flatMap(({ work, starts }) => (isTurn(work) ? [keyOf(work.id, starts)] : [])))
        for (const [key, process] of table) if (!wanted.has(key)) process.kill()
        await pass(clock, life, chance.int(1, 300))
        for (const { work, starts } of left) {
          const process = isTurn(work) ? table.get(keyOf(work.id, starts)) : undefined
          if (process) follow(process)
          else jobs.set(work.id, { starts, process: null, state: isTurn(work) ? ended(work.id, starts) : orphaned })
        }
      },
    }
  }

  return {
    dispatch,
    running: () => [...table.values()],
    engineDied(life) {
      for (const process of table.values()) if (process.life === life) process.kill()
    },
    machineDied() {
      for (const process of table.values()) process.kill()
    },
  }
}

const orphaned: WorkStatus = { state: 'lost', why: engineGone }

const isTurn = (work: TurnWork | CheckWork): work is TurnWork => work.kind === 'turn'

const halfOf = ({ inputTokens, outputTokens, costUsd }: Usage): Usage => ({
  inputTokens: Math.floor(inputTokens / 2),
  outputTokens: Math.floor(outputTokens / 2),
  costUsd: costUsd / 2,
})
