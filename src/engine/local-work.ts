/**
 * Work that the engine does in its own process: git, waiting, the report. Nothing here throws; a failure is an outcome.
 */
import { failureOf } from '../model/failure-outcome.ts'
import type { Clock, LoadGuard } from '../model/ports.ts'
import type { SecretScan } from '../model/secret-finding.ts'
import type { Trees } from '../model/ports/site.ts'
import { findingKey, type GuardedChange, type GuardOverlay, type GuardReport } from '../model/tamper.ts'
import type {
  InspectOutcome,
  InspectWork,
  Outcome,
  OverlayOutcome,
  OverlayWork,
  SyncOutcome,
  SyncWork,
  WaitWork,
  Work,
} from '../model/work.ts'
import { readChange } from './read-change.ts'

export type LocalWork = Exclude<Work, { kind: 'turn' | 'check' }>

export interface LocalWorker {
  start(work: LocalWork): void
  /** Cancels a wait; other work is short and is left to finish. Returns whether it was cancelled. */
  cancel(id: string): boolean
  isRunning(id: string): boolean
  /** Tracks a step of other work and reports its outcome under that work's id. */
  adopt(id: string, outcome: Promise<Outcome>): void
}

interface Options {
  trees: Trees
  sync: (work: SyncWork) => Promise<SyncOutcome>
  finish: () => Promise<void>
  guard?: LoadGuard
  /** Finds secrets in what agents changed. */
  scan?: SecretScan
  /** The commands of the checks. */
  checks: () => readonly string[]
  clock: Clock
  onDone: (id: string, outcome: Outcome) => void
}

const maxScanned = 32_000_000

export function createLocalWorker(options: Options): LocalWorker {
  const { trees, sync, finish, guard, scan, checks, clock, onDone } = options
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
   * Skips the comparison when the outcome lists all changed files and none concerns the guard. The list of a very large
   * change is incomplete, so then everything is compared.
   */
  const guarded = async (work: InspectWork, outcome: InspectOutcome): Promise<InspectOutcome> => {
    const since = work.accepted ?? work.base
    if (!work.guard || !guard || since === null || (outcome.fileCount === 0 && since === work.base)) return outcome
    const { compare, concerns } = await guard()
    const isNamed = since === work.base && outcome.fileCount === outcome.files.length
    if (isNamed && !outcome.files.some(concerns)) return outcome
    const inspect = async (from: string, to: string): Promise<GuardReport> =>
      compare((await changeBetween(from, to)).files, checks())
    const { findings, newTests } = await inspect(since, outcome.tree)
    const mayRevealMore = work.base !== null && (await layers('reverse', work.base, outcome.tree)).mayRevealMore
    const touches = mayRevealMore ? { touchesTests: true as const } : {}
    if (findings.length === 0) return { ...outcome, tamper: [], newTests, ...touches }
    const keysOf = async (from: string, to: string): Promise<string[]> =>
      (await inspect(from, to)).findings.map(findingKey)
    const theirs = new Set((await Promise.all((work.edits ?? []).map(({ from, to }) => keysOf(from, to)))).flat())
    const own = since === work.base || work.base === null ? null : new Set(await keysOf(work.base, outcome.tree))
    const tamper = findings
      .filter((found) => !theirs.has(findingKey(found)))
      .map((found) => (own === null || own.has(findingKey(found)) ? found : { ...found, before: true as const }))
    return { ...outcome, tamper, newTests, ...touches }
  }

  const changeBetween = async (base: string, tree: string): Promise<GuardedChange> => {
    if (!guard) throw new Error('this run has no guard')
    return readChange(trees, await guard(), checks(), { base, tree })
  }

  const layers = async (how: OverlayWork['how'], base: string, tree: string): Promise<GuardOverlay> => {
    if (!guard) throw new Error('this run has no guard')
    return (await guard()).overlay(how, await changeBetween(base, tree))
  }

  const lay = async ({ id, how, base, tree }: OverlayWork): Promise<OverlayOutcome> => {
    const { paths, merged, touched, touches } = await layers(how, base, tree)
    if (!touched) return { kind: 'overlay', tree: null }
    const [onto, from] = how === 'reverse' ? [tree, base] : [base, tree]
    return { kind: 'overlay', tree: await trees.overlay({ id, base: onto, tree: from, paths, files: merged }), touches }
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
        return guarded(work, await scanned(work, await trees.inspect(work)))
      case 'integrate':
        return trees.integrate(work)
      case 'overlay':
        return lay(work)
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
