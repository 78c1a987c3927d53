/** Compares trees with the tamper guard: what a change weakens, and the tree in which the base's tests judge it. */
import type { LoadGuard } from '../model/ports.ts'
import type { Trees } from '../model/ports/site.ts'
import {
  findingKey,
  type GuardedChange,
  type GuardOverlay,
  type GuardReport,
  type TamperGuard,
} from '../model/tamper.ts'
import type { InspectOutcome, InspectWork, OverlayOutcome, OverlayWork } from '../model/work.ts'
import { readChange } from './read-change.ts'

export interface GuardOptions {
  trees: Trees
  /** Absent: weakened tests and checks are not searched for. */
  guard?: LoadGuard
  /** The commands of the checks. */
  checks: () => readonly string[]
}

type Findings = GuardReport['findings']

export interface GuardedTrees {
  /** Adds what the guard finds in the change to the outcome. */
  inspect(work: InspectWork, outcome: InspectOutcome): Promise<InspectOutcome>
  overlay(work: OverlayWork): Promise<OverlayOutcome>
}

export function createGuardedTrees({ trees, guard: load, checks }: GuardOptions): GuardedTrees {
  const guarding = (): Promise<TamperGuard> => load?.() ?? Promise.reject(new Error('this run has no guard'))

  const changeBetween = async (base: string, tree: string): Promise<GuardedChange> =>
    readChange(trees, await guarding(), checks(), { base, tree })

  const compare = async (base: string, tree: string): Promise<GuardReport> =>
    (await guarding()).compare((await changeBetween(base, tree)).files, checks())

  const layers = async (how: OverlayWork['how'], base: string, tree: string): Promise<GuardOverlay> =>
    (await guarding()).overlay(how, await changeBetween(base, tree))

  /** Without the findings of the edits that others made, and with a mark at those that an accepted tree had already. */
  async function attribute(
    { base, edits = [] }: InspectWork,
    { tree }: InspectOutcome,
    found: Findings,
    since: string,
  ) {
    const keysOf = async (from: string, to: string): Promise<string[]> =>
      (await compare(from, to)).findings.map(findingKey)
    const theirs = new Set((await Promise.all(edits.map(({ from, to }) => keysOf(from, to)))).flat())
    const own = since === base || base === null ? null : new Set(await keysOf(base, tree))
    return found
      .filter((finding) => !theirs.has(findingKey(finding)))
      .map((finding) => (own?.has(findingKey(finding)) === false ? { ...finding, before: true as const } : finding))
  }

  return {
    async inspect(work, outcome) {
      const { base, accepted } = work
      const { tree, files, fileCount } = outcome
      const since = accepted ?? base
      if (!work.guard || !load || since === null || (fileCount === 0 && since === base)) return outcome
      // The list of a very large change is incomplete, so then everything is compared.
      const isListed = since === base && fileCount === files.length
      if (isListed && !files.some((await guarding()).concerns)) return outcome
      const { findings, newTests } = await compare(since, tree)
      const mayRevealMore = base !== null && (await layers('reverse', base, tree)).mayRevealMore
      const tamper = findings.length === 0 ? [] : await attribute(work, outcome, findings, since)
      return { ...outcome, tamper, newTests, ...(mayRevealMore ? { touchesTests: true } : {}) }
    },

    async overlay({ id, how, base, tree }) {
      const { paths, merged, touched, touches } = await layers(how, base, tree)
      if (!touched) return { kind: 'overlay', tree: null }
      const [onto, from] = how === 'reverse' ? [tree, base] : [base, tree]
      const laid = await trees.overlay({ id, base: onto, tree: from, paths, files: merged })
      return { kind: 'overlay', tree: laid, touches }
    },
  }
}
