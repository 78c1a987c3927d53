/** Compares the tests of base and candidate across the whole change, so that tests may move, split or merge. */
import type { TamperFinding, TamperKind } from '../../model/tamper.ts'
import type { Balance, Unit } from './balance.ts'
import type { Collecting } from '../definitions/collecting.ts'
import { balance, isWeaker, settleCovered, settleWeakly, settleWithin } from './balance.ts'
import { finding } from '../finding.ts'
import { groupBy } from '../group-by.ts'
import { areKin } from './likeness.ts'
import { matchTests, type Pair } from './match-tests.ts'
import type { Suite } from '../read-suite.ts'
import type { Helper, Mark, TestCase } from '../test-case.ts'
import { fullName } from '../test-case.ts'

export interface TestComparison {
  findings: TamperFinding[]
  newTests: string[]
}

/** The comparison of one test or helper; `before` is null for a new test and `after` for a removed one. */
interface Account {
  before: TestCase | null
  after: TestCase | null
  balance: Balance
}

const gone = 'the test is gone'
const mostLookups = 40

export function compareTests(before: Suite, after: Suite, collected: Collecting): TestComparison {
  const { pairs, lost, fresh } = matchTests(before.tests, after.tests)
  const findings: TamperFinding[] = []
  const accounts = accountsOf(pairs, lost, fresh, findings, collected)
  const helpers = helperAccounts(before.helpers, after)
  for (const { balance: own } of [...accounts, ...helpers]) settleWithin(own)
  const claims = [...accounts, ...helpers].filter(({ balance: own }) => own.missing.some(({ weight }) => weight > 0))
  const givers = accounts.filter(({ after: test }) => test !== null && test.skipped === null)
  const wasRun = ({ before: test }: Account): boolean => test !== null && collected.before(test.file)
  settleElsewhere(
    claims.filter(wasRun),
    givers.filter(({ after: test }) => test !== null && collected.after(test.file)),
  )
  settleElsewhere(
    claims.filter((claim) => !wasRun(claim)),
    givers,
  )
  const reported = new Set<string>()
  for (const { balance: own, before: helper } of helpers) {
    settleCovered(
      own,
      own.added.map(({ assertion }) => assertion),
    )
    settleWeakly(own)
    const found = helper === null ? [] : assertionFindings(helper, own)
    for (const one of found) findings.push({ ...one, helper: true })
    if (helper !== null && found.length > 0) reported.add(helper.name)
  }
  for (const account of accounts) findings.push(...judge(account, reported))
  return { findings: together(findings, before), newTests: newTests(accounts, pairs) }
}

function accountsOf(
  pairs: readonly Pair[],
  lost: readonly TestCase[],
  fresh: readonly TestCase[],
  findings: TamperFinding[],
  collected: Collecting,
): Account[] {
  const accounts: Account[] = []
  for (const { before, after } of pairs) {
    const mark = after.skipped
    if (before.skipped === null && mark !== null) findings.push(marked('test-skipped', after, mark))
    if (before.focused === null && after.focused !== null) findings.push(marked('test-focused', after, after.focused))
    if (
      after.gate !== null
      && after.gate !== before.gate
      && after.gate !== `${before.gate}(expected`
      && mark === null
    ) {
      findings.push(marked('test-skipped', after, { how: after.gate, group: null }))
    }
    if (before.file !== after.file && collected.before(before.file) && !collected.after(after.file)) {
      findings.push(
        finding(
          'test-deleted',
          before.file,
          fullName(before),
          `moved to ${after.file}, where no runner looks for tests`,
        ),
      )
    }
    const same = before.body === after.body && before.rows === after.rows && !hasHelpers(before) && !hasHelpers(after)
    if (!same && before.skipped === null && mark === null)
      accounts.push({ before, after, balance: balance(before, after) })
  }
  for (const test of lost)
    if (test.skipped === null) accounts.push({ before: test, after: null, balance: balance(test, null) })
  for (const test of fresh) {
    if (test.focused !== null) findings.push(marked('test-focused', test, test.focused))
    accounts.push({ before: null, after: test, balance: balance(null, test) })
  }
  return accounts
}

const hasHelpers = ({ assertions }: TestCase): boolean => assertions.some(({ via }) => via !== null)

/** Compares helpers that exist on both sides by themselves: the tests that call them may be outside the change. */
function helperAccounts(before: readonly Helper[], after: Suite): Account[] {
  const now = groupBy(after.helpers, ({ name }) => name)
  return before
    .filter(({ assertions }) => assertions.length > 0)
    .flatMap((helper) => {
      const candidates = now.get(helper.name) ?? []
      const same = candidates.find(({ file }) => file === helper.file) ?? candidates[0]
      if (same === undefined) return []
      const [was, is] = [asTest(helper), after.helped(asTest(same))]
      return [{ before: was, after: is, balance: balance(was, is) }]
    })
}

const asTest = ({ file, name, assertions, calls }: Helper): TestCase => ({
  file,
  path: [],
  name,
  skipped: null,
  focused: null,
  gate: null,
  rows: 1,
  assertions,
  calls,
  body: '',
  table: '',
})

/**
 * Matches missing assertions with those of other tests that are new or have grown: with the same text, or in a similar
 * test.
 */
function settleElsewhere(claims: readonly Account[], all: readonly Account[]): void {
  const givers = all.filter(({ balance: own }) =>
    own.added.some(({ weight, assertion }) => weight > 0 && assertion.level > 0),
  )
  const byText = groupBy(
    givers.flatMap((giver) => giver.balance.added.map((unit) => ({ giver, unit }))),
    ({ unit }) => unit.assertion.text,
  )
  for (const { balance: own } of claims) {
    for (const unit of own.missing) {
      const same = byText.get(unit.assertion.text)?.slice(0, mostLookups) ?? []
      for (const { unit: other } of same) if (!isWeaker(unit.assertion, other.assertion)) give(unit, other)
    }
  }
  const byCall = groupBy(
    givers.flatMap((giver) => [...new Set(giver.after?.calls)].map((name) => ({ giver, name }))),
    ({ name }) => name,
  )
  for (const { before, balance: own } of claims) {
    if (before === null || before.body === '') continue
    const near = [...new Set(before.calls)]
      .flatMap((name) => (byCall.get(name) ?? []).slice(0, mostLookups))
      .map(({ giver }) => giver)
    const candidates = (near.length === 0 ? givers : [...new Set(near)]).slice(0, mostLookups)
    for (const { after, balance: other } of candidates) {
      if (after === null || other === own || !own.missing.some(({ weight }) => weight > 0) || !areKin(before, after))
        continue
      for (const unit of own.missing) {
        for (const added of other.added) {
          const { level, condition } = added.assertion
          if (level >= Math.min(unit.assertion.level, 2) && (condition === null || unit.assertion.condition !== null))
            give(unit, added)
        }
      }
    }
  }
}

function give(unit: Unit, other: Unit): void {
  const weight = Math.min(unit.weight, other.weight)
  unit.weight -= weight
  other.weight -= other.weight === Infinity ? 0 : weight
}

function judge({ before, after, balance: own }: Account, reported: ReadonlySet<string>): TamperFinding[] {
  if (before === null) return []
  const all = own.missing
  own.missing = all.filter(
    ({ weight, assertion }) => weight > 0 && (assertion.via === null || !reported.has(assertion.via)),
  )
  if (after === null) {
    const asserts = before.assertions.some(({ level }) => level > 0)
    return own.missing.length > 0 || !asserts ? [finding('test-deleted', before.file, fullName(before), gone)] : []
  }
  const [was, is] = [before.rows, after.rows]
  if (was !== null && is !== null && is < was) {
    const kept = new Set(after.assertions.map(({ text }) => text))
    const rows = all.filter(({ assertion }) => kept.has(assertion.text))
    own.missing = own.missing.filter((unit) => !rows.includes(unit))
    // A case that became a test of its own may assert in fewer steps.
    if (before.assertions.length === 0 || (rows.length > 0 && rows.every(({ weight }) => weight > 0))) {
      return [finding('test-deleted', after.file, fullName(after), `${was - is} of its ${was} cases are gone`)]
    }
  }
  settleCovered(own, after.assertions)
  settleWeakly(own)
  return assertionFindings(after, own)
}

function assertionFindings(test: TestCase, { missing, weakened }: Balance): TamperFinding[] {
  const findings: TamperFinding[] = []
  const weak = weakened.filter(({ was }) => was.level > 0)
  const left = missing.filter(({ weight }) => weight > 0)
  const [first, lost] = [weak[0], left[0]]
  if (first !== undefined) {
    const only =
      first.was.condition === null && first.now.condition !== null ? `only if ${show(first.now.condition)}` : null
    const now =
      first.now.why ?? only ?? (first.now.level === 0 ? `${show(first.now.text)} cannot fail` : show(first.now.text))
    findings.push(
      finding('assertion-weakened', test.file, fullName(test), `${show(first.was.text)} → ${now}${more(weak.length)}`),
    )
  }
  if (lost !== undefined) {
    const count = left.reduce((sum, { weight }) => sum + weight, 0)
    findings.push(
      finding('assertions-removed', test.file, fullName(test), `${show(lost.assertion.text)} is gone${more(count)}`),
    )
  }
  return findings
}

/** Returns the files of tests that do more than take over assertions of other tests. */
function newTests(accounts: readonly Account[], pairs: readonly Pair[]): string[] {
  const grown = pairs.filter(
    ({ before, after }) => (after.rows ?? 0) > (before.rows ?? Infinity) && after.skipped === null,
  )
  const fresh = accounts.flatMap(({ before, after, balance: own }) => {
    if (before !== null || after === null || after.skipped !== null) return []
    return after.assertions.length === 0 || own.added.some(({ weight }) => weight > 0) ? [after.file] : []
  })
  return [...new Set([...fresh, ...grown.map(({ after }) => after.file)])].toSorted()
}

const marked = (kind: TamperKind, test: TestCase, { how, group }: Mark): TamperFinding =>
  finding(kind, test.file, group === null ? fullName(test) : group, how)

/** Merges findings: one for a group that is skipped as a whole, and one for a file that lost all its tests. */
function together(findings: readonly TamperFinding[], before: Suite): TamperFinding[] {
  const counts = groupBy(before.tests, ({ file }) => file)
  const keyOf = ({ kind, file, test, detail }: TamperFinding): string =>
    JSON.stringify(detail === gone ? [kind, file] : [kind, file, test, detail])
  return [...groupBy(findings, keyOf).values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    if (first.detail !== gone)
      return [group.length > 1 ? { ...first, detail: `${first.detail} (${group.length} tests)` } : first]
    if (group.length < 4 || group.length < (counts.get(first.file)?.length ?? 0)) return group
    const names = group
      .slice(0, 3)
      .map(({ test }) => test)
      .join(', ')
    return [finding(first.kind, first.file, null, `all its ${group.length} tests are gone: ${names} …`)]
  })
}

const longestShown = 100
const show = (text: string): string => {
  const tight = text.replace(/ ?([().[\]]) ?/g, '$1').replace(/ ,/g, ',')
  return tight.length > longestShown ? `${tight.slice(0, longestShown)}…` : tight
}
const more = (count: number): string => (count > 1 ? ` (and ${count - 1} more)` : '')
