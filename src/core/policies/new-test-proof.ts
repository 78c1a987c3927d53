/** What the candidate's tests prove over the base's product: only tests that were executed and that fail there count. */
import { leafOf } from './test-name.ts'

/** One run of the checks: names where the output lists them, the count where it says so. */
export interface ExecutedTests {
  names: readonly string[] | null
  count: number | null
}

export interface NewTestRun {
  base: ExecutedTests
  candidate: ExecutedTests
  /** The candidate's tests over the base's product, run once: red is what is wanted. `failing`: null when not named. */
  laid: { red: boolean; failing: readonly string[] | null }
}

export interface NewTestProof {
  proved: boolean
  /** Why not. */
  why: string | null
  /** New tests that fail without the change, where they are named. */
  tests: string[]
}

export function proveNewTests({ base, candidate, laid }: NewTestRun): NewTestProof {
  const no = (why: string): NewTestProof => ({ proved: false, why, tests: [] })
  const fresh = freshNames(base.names, candidate.names)
  if (fresh === null && (base.count === null || candidate.count === null))
    return no('no check says which tests it ran, or how many')
  const ran = fresh === null ? (candidate.count ?? 0) > (base.count ?? 0) : fresh.length > 0
  if (!ran) return no('the new tests were not executed')
  if (!laid.red) return no('the new tests pass without the change')
  if (fresh === null || laid.failing === null) return { proved: true, why: null, tests: [] }
  const failing = new Set(laid.failing.map(leafOf))
  const tests = fresh.filter((name) => failing.has(leafOf(name)))
  // A file that needs code of the change cannot be loaded without it, and is then all that is named.
  const isUnloaded = laid.failing.some((name) => !(base.names ?? []).some((known) => leafOf(known) === leafOf(name)))
  return tests.length > 0 || isUnloaded
    ? { proved: true, why: null, tests }
    : no('the new tests pass without the change')
}

function freshNames(base: readonly string[] | null, candidate: readonly string[] | null): string[] | null {
  if (base === null || candidate === null) return null
  const known = new Set(base)
  return [...new Set(candidate)].filter((name) => !known.has(name))
}
