/**
 * Compares the assertions of one test before and after: removed ones, added ones, and which added one replaces which.
 */
import type { Assertion, TestCase } from '../test-case.ts'

/** Assertions with the same text, and the number of them that is not matched yet. */
export interface Unit {
  assertion: Assertion
  weight: number
}

export interface Balance {
  missing: Unit[]
  added: Unit[]
  weakened: { was: Assertion; now: Assertion }[]
}

const most = 200

const keyOf = ({ text, level, condition }: Assertion): string => `${level}${condition === null ? '' : '?'}\n${text}`

function weigh(assertions: readonly Assertion[], rows: number | null, unknown: number): Map<string, Unit> {
  const units = new Map<string, Unit>()
  for (const assertion of assertions) {
    const count = assertion.times === null || rows === null ? unknown : assertion.times * rows
    const unit = units.get(keyOf(assertion))
    if (unit === undefined) units.set(keyOf(assertion), { assertion, weight: count })
    else unit.weight += count
  }
  return units
}

/** When the number of iterations of a loop is unknown, the base counts once and the candidate as often as needed. */
export function balance(before: TestCase | null, after: TestCase | null): Balance {
  const was = weigh(before?.assertions ?? [], before?.rows ?? null, 1)
  const now = weigh(after?.assertions ?? [], after?.rows ?? null, Infinity)
  for (const [key, unit] of was) {
    const kept = now.get(key)
    if (kept === undefined) continue
    const weight = Math.min(unit.weight, kept.weight)
    unit.weight -= weight
    kept.weight = kept.weight === Infinity ? Infinity : kept.weight - weight
  }
  const left = (units: Map<string, Unit>): Unit[] =>
    [...units.values()].filter(({ weight }) => weight > 0).slice(0, most)
  return { missing: left(was).filter(({ assertion }) => assertion.level > 0), added: left(now), weakened: [] }
}

const words = (text: string): Set<string> => new Set(text.match(/\w+/g))

export function sameSubject(left: Assertion, right: Assertion): boolean {
  if (left.subject === right.subject) return true
  const [a, b] = [words(left.subject), words(right.subject)]
  const both = [...a].filter((word) => b.has(word)).length
  return both > 0 && both * 2 >= Math.max(a.size, b.size)
}

function widened(was: Assertion, now: Assertion): boolean {
  if (was.bound === null || now.bound === null || was.bound.lax !== now.bound.lax || was.subject !== now.subject)
    return false
  const [before, after] = [was.bound.value, now.bound.value]
  if (was.bound.lax === 'digits') return after < before
  return was.bound.lax === 'more' ? before > 0 && after >= before * 5 : before > 0 && after <= before / 5
}

export const isWeaker = (was: Assertion, now: Assertion): boolean =>
  (now.level === 0 && was.level > 0)
  || (was.level >= 2 && now.level <= 1)
  || widened(was, now)
  || lessOfIt(was, now)
  || (was.condition === null && now.condition !== null)

/** The new assertion checks a property of the value instead of the value itself. */
const lessOfIt = (was: Assertion, now: Assertion): boolean =>
  was.level === 3 && now.level === 2 && was.subject === now.subject && was.subject !== '' && !now.throws

/** Matches missing assertions with added ones. */
function settle({ missing, added, weakened }: Balance, fits: (was: Assertion, now: Assertion) => boolean): void {
  for (const unit of missing) {
    for (const other of added) {
      if (unit.weight === 0) break
      if (other.weight === 0 || !fits(unit.assertion, other.assertion)) continue
      const weight = Math.min(unit.weight, other.weight)
      unit.weight -= weight
      other.weight -= other.weight === Infinity ? 0 : weight
      if (isWeaker(unit.assertion, other.assertion)) weakened.push({ was: unit.assertion, now: other.assertion })
    }
  }
}

export function settleWithin(own: Balance): void {
  settle(own, (was, now) => now.opaque === null && sameSubject(was, now) && !isWeaker(was, now))
  settle(own, (was, now) => now.opaque === null && !isWeaker(was, now))
}

export function settleWeakly(own: Balance): void {
  settle(own, (was, now) => now.opaque === null && sameSubject(was, now))
  settle(own, (_was, now) => now.opaque === null)
}

/**
 * Drops missing assertions that others cover: an assertion on a whole value covers its parts, and a function outside
 * the change may assert as much as before.
 */
export function settleCovered(own: Balance, surroundings: readonly Assertion[]): void {
  // A call that must throw has no result left to assert on.
  const mustThrow = own.added.some(
    ({ assertion: { throws, subject, level, condition } }) =>
      (throws || subject === 'raises') && level >= 2 && condition === null,
  )
  for (const unit of own.missing) {
    const { subject } = unit.assertion
    const covered =
      own.added.some(
        ({ assertion }) =>
          assertion.level === 3
          && assertion.opaque === null
          && assertion.subject !== ''
          && subject !== assertion.subject
          && (` ${subject} `.includes(` ${assertion.subject} `) || isPartOf(subject, assertion.subject)),
      )
      || surroundings.some(
        (assertion) => assertion.level === 3 && assertion.condition === null && isLengthOf(subject, assertion.subject),
      )
    const opaque =
      surroundings.some((assertion) => assertion.opaque !== null && sharesWord(assertion.text, subject))
      && own.added.some(({ assertion }) => assertion.opaque !== null && sharesWord(assertion.text, subject))
    if (covered || opaque || mustThrow) unit.weight = 0
  }
}

/** Matches values that are compared together: `expect([a(), b()]).toEqual([1, 2])`, `assert (a(), b()) == (1, 2)`. */
const isPartOf = (subject: string, whole: string): boolean =>
  /^[([{]/.test(whole) && subject !== '' && ` ${whole} `.includes(` ${subject} `)

/** An assertion on the whole value implies its length. */
const isLengthOf = (subject: string, whole: string): boolean =>
  whole !== ''
  && (subject === `len ( ${whole} )` || (subject.startsWith(`${whole} . `) && /\. (?:length|size)$/.test(subject)))

function sharesWord(left: string, right: string): boolean {
  const known = words(left)
  return [...words(right)].some((word) => known.has(word))
}
