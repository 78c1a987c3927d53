/**
 * The rule of reverse proof. The base's tests, fixtures and configuration run over the candidate's product, and their
 * result decides. When they pass, findings of the tamper guard are only reported.
 */
import { firstLines, firstNames } from '../../model/and-more.ts'
import type { GuardTouches, TamperFinding, TamperKind } from '../../model/tamper.ts'
import { allowedByPlanner, unasked, type AskedFor } from './asked-for.ts'
import { isOwnSetting, permissionFor, permissionsFor } from './permission.ts'
import type { ReverseOutcome } from './reverse-outcome.ts'
import { findingText, plannedText } from './tamper.ts'
import { isNamedLike, leafOf } from './test-name.ts'

export interface ReverseProof {
  /** What the tamper guard found in the change. */
  findings: readonly TamperFinding[]
  /** Paths of the change that are not product code. */
  touches: GuardTouches
  outcome: ReverseOutcome
  /** Names of the tests that ran on the base and on the candidate; null when the output does not list them. */
  executed: { base: readonly string[] | null; candidate: readonly string[] | null }
  asked: AskedFor
}

export interface ReverseVerdict {
  /** Null when there is nothing to report. */
  severity: 'BLOCKER' | 'WARNING' | null
  /** The report, one line per entry. */
  lines: string[]
  /** Tests of the base that fail over the candidate's product. */
  tests: string[]
  /** Permissions that the change needs to land. */
  needs: string[]
}

const mostNamed = 10

export function judgeReverse(proof: ReverseProof): ReverseVerdict {
  const { outcome, asked } = proof
  const open = unasked(asked, proof.findings)
  const planned = allowedByPlanner(asked, proof.findings).map(plannedText)
  const seen = [...open.map(findingText), ...planned]
  switch (outcome.kind) {
    case 'green':
      return decided(own(open), [...seen, ...vanishedLines(proof, open)], [])
    case 'not-runnable': {
      const why = `the base's tests cannot run over this change: ${outcome.why}`
      return decided(
        open.filter(({ aside }) => aside !== true),
        [...seen, why, ...vanishedLines(proof, open)],
        [],
      )
    }
    case 'red': {
      const failing = outcome.failing ?? []
      const suspects = [...own(open), ...related(open, outcome.failing)]
      const gone = unasked(asked, dropped(proof, failing))
      const blocking = [...suspects, ...gone, ...unasked(asked, steered(proof, failing))]
      const named = [...open, ...gone]
      const lines = [
        ...failingLines(failing, named),
        ...named.map((finding) => reverseText(finding, failing)),
        ...planned,
        ...vanishedLines(proof, named, failing),
      ]
      return decided(blocking, lines, failing)
    }
  }
}

/** Later runs read Looper's own settings, so no test of this run can clear a change of them. */
const own = (findings: readonly TamperFinding[]): TamperFinding[] => findings.filter(({ file }) => isOwnSetting(file))

function decided(
  blocking: readonly TamperFinding[],
  lines: readonly string[],
  tests: readonly string[],
): ReverseVerdict {
  const isListed = (text: string): boolean => lines.some((line) => line.startsWith(text))
  const others = blocking.map(findingText).filter((text) => !isListed(text))
  const all = blocking.length === 0 ? lines : [...lines, ...others, wayOut(blocking)]
  const severity = blocking.length > 0 ? 'BLOCKER' : all.length > 0 ? 'WARNING' : null
  return { severity, lines: [...new Set(all)], tests: [...tests], needs: permissionsFor(blocking) }
}

/** What a person can do about a BLOCKER. */
export function wayOut(findings: readonly Pick<TamperFinding, 'kind'>[]): string {
  const needed = [...new Set(findings.map(({ kind }) => permissionFor[kind]))]
    .map((name) => `\`allows: ${name}:<glob>\``)
    .join(' and ')
  const ask = 'ask for it in the goal or in a task of yours'
  return `If this is intended: ${ask}, allow it with ${needed}, or run with \`--guard warn\`.`
}

const ofAllTests: ReadonlySet<TamperKind> = new Set(['check-changed', 'threshold-lowered', 'test-focused'])

/** A finding about one test counts when that test fails; one about a file, helper or setting, when any test fails. */
function related(findings: readonly TamperFinding[], failing: readonly string[] | null): TamperFinding[] {
  if (failing === null || failing.length === 0) return findings.filter(({ aside }) => aside !== true)
  return findings.filter(({ kind, file, test, helper, aside }) => {
    if (aside === true) return false
    if (helper === true || ofAllTests.has(kind)) return true
    const isFile = failing.some((name) => isIn(name, file))
    if (test === null) return isFile || !failing.some(hasFile)
    // The name of a skipped group need not be part of the names of its tests.
    if (kind === 'test-skipped' && isFile) return true
    return failing.some((name) => isNamedLike(test, name) || hasGroup(name, test))
  })
}

/**
 * Tests of the base that fail over the candidate's product and that the candidate no longer runs under any name. A test
 * that a finding is about is reported by that finding alone, also where it is allowed.
 */
function dropped(
  { executed: { base, candidate }, touches, findings }: ReverseProof,
  failing: readonly string[],
): TamperFinding[] {
  if (base === null || candidate === null) return []
  const [was, is] = [new Set(base.map(leafOf)), new Set(candidate.map(leafOf))]
  const gone = failing.filter((name) => was.has(leafOf(name)) && !is.has(leafOf(name)))
  const come = [...is].filter((name) => !was.has(name)).length
  if (come >= gone.length) return []
  const touched = [...touches.tests, ...touches.data, ...touches.machinery]
  return gone
    .filter((name) => !findings.some((finding) => isAbout(finding, name)))
    .slice(0, mostNamed)
    .map((name) => {
      const file = touched.find((path) => isIn(name, path)) ?? touched[0] ?? ''
      const test = name.startsWith(`${file} › `) ? name.slice(file.length + 3) : name
      return { kind: 'test-deleted', file, test, detail: 'it no longer runs' }
    })
}

/** Whether the finding is that this test is skipped or gone. */
const isAbout = ({ kind, file, test }: TamperFinding, name: string): boolean =>
  (kind === 'test-skipped' || kind === 'test-deleted') && isOf({ file, test }, name)

const isOf = ({ file, test }: Pick<TamperFinding, 'file' | 'test'>, name: string): boolean =>
  test !== null && isNamedLike(test, name) && (isIn(name, file) || !hasFile(name))

/** No test or fixture of the base changed, but the base's tests pass only together with the candidate's files. */
function steered({ touches }: ReverseProof, failing: readonly string[]): TamperFinding[] {
  const { tests, data, machinery, fresh = [] } = touches
  const added = [...tests, ...data]
  const isAlone = machinery.length > 0 ? added.length === 0 : added.every((file) => fresh.includes(file))
  if (!isAlone) return []
  const failure = failing.length === 0 ? 'a check fails' : `${failing.length} tests fail`
  return [...machinery, ...added]
    .slice(0, mostNamed)
    .map((file) => ({
      kind: 'check-changed',
      file,
      test: null,
      detail: `${fresh.includes(file) ? 'without it' : "with the base's version"} ${failure}`,
    }))
}

/** Failing tests without a finding of their own: each test has one line. */
function failingLines(failing: readonly string[], named: readonly TamperFinding[]): string[] {
  if (failing.length === 0) return ["a check fails with the base's tests and the code of this change"]
  const others = failing.filter((name) => !named.some((finding) => isOf(finding, name)))
  return firstLines(
    others.map((name) => `the base's test fails with the code of this change: ${name}`),
    mostNamed,
  )
}

/** The finding, and whether its test fails. */
const reverseText = (finding: TamperFinding, failing: readonly string[]): string =>
  failing.some((name) => isOf(finding, name))
    ? `${findingText(finding)}, and the base's version fails with the code of this change`
    : findingText(finding)

/** Only reported, never blocking: a test may have been renamed. Tests that have a line already are left out. */
function vanishedLines(
  { executed: { base, candidate } }: ReverseProof,
  named: readonly TamperFinding[],
  failing: readonly string[] = [],
): string[] {
  if (base === null || candidate === null) return []
  const [ran, listed] = [new Set(candidate), new Set(failing.map(leafOf))]
  const gone = [...new Set(base)].filter(
    (name) => !ran.has(name) && !listed.has(leafOf(name)) && !named.some((finding) => isOf(finding, name)),
  )
  if (gone.length === 0) return []
  return [`tests of the base that no longer run: ${firstNames(gone, mostNamed)}`]
}

const hasFile = (name: string): boolean => /[\w-]\.(?:[cm]?[jt]sx?|py|rs|go|rb|php)\b/.test(name)
const isIn = (name: string, file: string): boolean =>
  file !== '' && name.includes(file.slice(file.lastIndexOf('/') + 1))
const hasGroup = (name: string, group: string): boolean =>
  ` > ${name.replaceAll(' › ', ' > ')}`.includes(` > ${group} > `)
