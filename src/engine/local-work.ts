/**
 * Work that the engine does in its own process: git, waiting, the report. Nothing here throws; a failure is an outcome.
 */
import { failureOf } from '../model/failure-outcome.ts'
import type { Clock } from '../model/ports.ts'
import type { SecretScan } from '../model/secret-finding.ts'
import type { InspectOutcome, InspectWork, Outcome, SyncOutcome, SyncWork, WaitWork, Work } from '../model/work.ts'
import { createGuardedTrees, type GuardOptions } from './guarded-trees.ts'

export type LocalWork = Exclude<Work, { kind: 'turn' | 'check' }>

export interface LocalWorker {
  start(work: LocalWork): void
  /** Cancels a wait; other work is short and is left to finish. Returns whether it was cancelled. */
  cancel(id: string): boolean
  isRunning(id: string): boolean
  /** Tracks a step of other work and reports its outcome under that work's id. */
  adopt(id: string, outcome: Promise<Outcome>): void
}

interface Options extends GuardOptions {
  sync: (work: SyncWork) => Promise<SyncOutcome>
  finish: () => Promise<void>
  /** Finds secrets in what agents changed. */
  scan?: SecretScan
  clock: Clock
  onDone: (id: string, outcome: Outcome) => void
}

const maxScanned = 32_000_000

export function createLocalWorker(options: Options): LocalWorker {
  const { trees, sync, finish, scan, clock, onDone } = options
  const guardedTrees = createGuardedTrees(options)
  const running = new Set<string>()
  const waits = new Map<string, () => void>()

  const adopt = (id: string, outcome: Promise<Outcome>): void => {
    running.add(id)
    void outcome.catch(failureOf).then((settled) => {
      running.delete(id)
      onDone(id, settled)
    })
  }

  const wait = ({ id, until }: WaitWork): void => {
    waits.set(
      id,
      clock.at(Date.parse(until), () => {
        waits.delete(id)
        onDone(id, { kind: 'wait' })
      }),
    )
  }

  /**
   * Without a base, secrets of the change cannot be distinguished from older ones. Changes that a restore undid do not
   * land.
   */
  const scanned = async (work: InspectWork, outcome: InspectOutcome): Promise<InspectOutcome> => {
    const since = work.accepted ?? work.base
    const isSame = outcome.fileCount === 0 && since === work.base
    if (!scan || work.restore !== null || since === null || isSame) return outcome
    const secrets = scan(await trees.contents(since, outcome.tree, maxScanned, [], true))
    return secrets.length === 0 ? outcome : { ...outcome, secrets }
  }

  const perform = async (work: Exclude<LocalWork, WaitWork>): Promise<Outcome> => {
    switch (work.kind) {
      case 'prepare':
        return trees.prepare(work)
      case 'inspect':
        return guardedTrees.inspect(work, await scanned(work, await trees.inspect(work)))
      case 'integrate':
        return trees.integrate(work)
      case 'overlay':
        return guardedTrees.overlay(work)
      case 'checkpoint':
        return trees.checkpoint(work)
      case 'rollback':
        return trees.rollback(work)
      case 'sync':
        return sync(work)
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
      waits.get(id)?.()
      return waits.delete(id)
    },
    isRunning: (id) => running.has(id) || waits.has(id),
  }
}
