/** Work the engine does itself, in this process: git, waiting, writing up. Nothing here throws; a refusal is an outcome. */
import { LooperError } from '../model/error.ts'
import type { FailureOutcome, Outcome, WaitWork, Work } from '../model/work.ts'
import type { Workspaces } from './ports.ts'

export type LocalWork = Exclude<Work, { kind: 'turn' | 'check' }>

export interface LocalWorker {
  start(work: LocalWork): void
  /** Only a wait can be called off; git is quick and left to finish. Returns whether it was. */
  cancel(id: string): boolean
  isRunning(id: string): boolean
  /** Runs a step that belongs to other work and reports its outcome under that work's id. */
  adopt(id: string, outcome: Promise<Outcome>): void
}

interface Options {
  workspaces: Workspaces
  finish: () => Promise<void>
  now: () => number
  onDone: (id: string, outcome: Outcome) => void
}

/** Timers cannot sleep longer than this at once. */
const longestSleepMs = 2 ** 31 - 1

export function createLocalWorker({ workspaces, finish, now, onDone }: Options): LocalWorker {
  const running = new Set<string>()
  const timers = new Map<string, NodeJS.Timeout>()

  const adopt = (id: string, outcome: Promise<Outcome>): void => {
    running.add(id)
    void outcome.catch(failureOf).then((settled) => {
      running.delete(id)
      onDone(id, settled)
    })
  }

  const wait = (work: WaitWork): void => {
    const left = Date.parse(work.until) - now()
    if (left <= 0) {
      timers.delete(work.id)
      onDone(work.id, { kind: 'wait' })
    } else timers.set(work.id, setTimeout(() => wait(work), Math.min(left, longestSleepMs)))
  }

  const perform = async (work: Exclude<LocalWork, WaitWork>): Promise<Outcome> => {
    switch (work.kind) {
      case 'prepare':
        return workspaces.prepare(work)
      case 'inspect':
        return workspaces.inspect(work)
      case 'integrate':
        return workspaces.integrate(work)
      case 'finish':
        await finish()
        return { kind: 'finish' }
    }
  }

  return {
    adopt,
    start(work) {
      if (work.kind === 'wait') wait(work)
      else adopt(work.id, perform(work))
    },
    cancel(id) {
      clearTimeout(timers.get(id))
      return timers.delete(id)
    },
    isRunning: (id) => running.has(id) || timers.has(id),
  }
}

export function failureOf(error: unknown): FailureOutcome {
  if (error instanceof LooperError) return { kind: 'failure', code: error.code, message: error.message }
  return { kind: 'failure', code: 'BUG_INVARIANT', message: error instanceof Error ? error.message : String(error) }
}
