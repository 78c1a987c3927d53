/** Matches each test of the base with one of the candidate: by full name, by name, then by content. */
import { groupBy } from '../group-by.ts'
import { areRelated, likeness, profileOf } from './likeness.ts'
import type { TestCase } from '../test-case.ts'
import { fullName } from '../test-case.ts'

export interface Pair {
  before: TestCase
  after: TestCase
}
export interface Matching {
  pairs: Pair[]
  lost: TestCase[]
  fresh: TestCase[]
}

const alike = 0.6
/** A word that more tests than this use does not distinguish them. */
const common = 20
const mostCandidates = 40

export function matchTests(before: readonly TestCase[], after: readonly TestCase[]): Matching {
  const pairs: Pair[] = []
  let lost = [...before]
  let fresh = [...after]
  const pass = (keyOf: (test: TestCase) => string, fits: (left: TestCase, right: TestCase) => boolean): void => {
    if (lost.length === 0 || fresh.length === 0) return
    // Reversed, so that the first candidates are at the end of the list, where removing one is cheap.
    const waiting = groupBy(fresh.toReversed(), keyOf)
    const taken = new Set<TestCase>()
    lost = lost.filter((test) => {
      const candidates = waiting.get(keyOf(test)) ?? []
      const at = candidates.slice(-mostCandidates).findLastIndex((candidate) => fits(test, candidate))
      const [candidate] = at < 0 ? [] : candidates.splice(at + Math.max(candidates.length - mostCandidates, 0), 1)
      if (candidate === undefined) return true
      pairs.push({ before: test, after: candidate })
      taken.add(candidate)
      return false
    })
    fresh = fresh.filter((test) => !taken.has(test))
  }
  const same = (): boolean => true
  pass(
    (test) => `${test.file}\n${fullName(test)}`,
    (left, right) => left.body === right.body,
  )
  pass((test) => `${test.file}\n${fullName(test)}`, same)
  pass((test) => fullName(test), areRelated)
  pass((test) => test.name, areRelated)
  pass((test) => profileOf(test).plain, same)
  if (lost.length === 0 || fresh.length === 0) return { pairs, lost, fresh }
  const byLikeness = pairAlike(lost, fresh)
  return { pairs: [...pairs, ...byLikeness.pairs], lost: byLikeness.lost, fresh: byLikeness.fresh }
}

/** Pairs the remaining tests with the ones that share most of their rare words. */
function pairAlike(lost: readonly TestCase[], fresh: readonly TestCase[]): Matching {
  const users = new Map<string, TestCase[]>()
  for (const test of fresh) {
    for (const word of profileOf(test).words) {
      const list = users.get(word) ?? []
      if (list.length <= common) list.push(test)
      users.set(word, list)
    }
  }
  const pairs: Pair[] = []
  const taken = new Set<TestCase>()
  const left = lost.filter((test) => {
    const counts = new Map<TestCase, number>()
    for (const word of profileOf(test).words) {
      for (const candidate of users.get(word) ?? [])
        if (!taken.has(candidate)) counts.set(candidate, (counts.get(candidate) ?? 0) + 1)
    }
    const candidates = [...counts]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, mostCandidates)
      .map(([candidate]) => candidate)
    const ranked = candidates
      .map((candidate) => ({ candidate, score: likeness(test, candidate) }))
      .toSorted((a, b) => b.score - a.score)
    const best = ranked[0]
    if (best === undefined || best.score < alike) return true
    pairs.push({ before: test, after: best.candidate })
    taken.add(best.candidate)
    return false
  })
  return { pairs, lost: left, fresh: fresh.filter((test) => !taken.has(test)) }
}
