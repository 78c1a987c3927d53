/**
 * Reverse proof: when a change touches tests, fixtures or check configuration, the base's versions of these run over
 * the candidate's product and decide. When they pass, findings of the tamper guard are only reported.
 */
import type { RunState } from '../../../model/state.ts'
import type { TamperFinding } from '../../../model/tamper.ts'
import { verificationWorkspace } from '../../../model/work.ts'
import { placeId, stepId } from '../../../model/work-id.ts'
import { askedOf, unasked, type AskedFor } from '../../policies/asked-for.ts'
import type { PlannedCheck } from '../../policies/checks.ts'
import { readReverse, type ReverseOutcome, type ReverseRun } from '../../policies/reverse-outcome.ts'
import { judgeReverse } from '../../policies/reverse-proof.ts'
import { leafOf } from '../../policies/test-name.ts'
import { isRaised } from '../../policies/raised-findings.ts'
import { record, type Proposal } from '../../proposal.ts'
import { done, perform, type Step } from '../../step.ts'
import { namesOf } from './checking.ts'
import { observe } from './observe-check.ts'
import { changeOf, checksOf, fixOrFail, refused, type Standing } from './standing.ts'
import { reverses } from './tampering.ts'

/** Null when the change may land or is only reported. `checked`: prefix of the ids of the candidate's own checks. */
export function reverse(standing: Standing, checked: string): Proposal | null {
  const { state, task, attempt, id, tree, since, tamper = [] } = standing
  if (!reverses(state) || tree === null || since === null || (!standing.touchesTests && tamper.length === 0))
    return null
  const origin = stepId(id, 'reverse', attempt.round)
  const laid = perform(state, {
    kind: 'overlay',
    id: origin,
    how: 'reverse',
    base: since,
    tree,
    judges: changeOf(standing),
  })
  if (laid.status === 'not-yet') return laid.proposal
  if (laid.status === 'failed') return refused(standing, laid.failure)
  const { tree: laidTree, touches } = laid.outcome
  const asked = askedOf(state, task)
  const ran = laidTree === null ? done(nothingRan) : runBase(standing, origin, laidTree, asked)
  if (ran.status === 'not-yet') return ran.proposal
  const { runs, names, unproven } = ran.outcome
  const verdict = judgeReverse({
    findings: tamper,
    touches: touches ?? { tests: [], data: [], machinery: [] },
    outcome: unproven ?? outcomeIn(runs, laidTree, tamper, asked),
    executed: { base: names, candidate: namesOf(state, checked, checksOf(standing).length) },
    asked,
  })
  if (verdict.severity === null) return null
  const blocks = verdict.severity === 'BLOCKER' && state.config.guard === 'block'
  const finding = { title: titleOf(verdict.tests, blocks), detail: verdict.lines.join('\n'), task: task.id, origin }
  if (!isRaised(state, finding))
    return record({ type: 'finding.raised', severity: blocks ? 'BLOCKER' : 'WARNING', ...finding })
  if (!blocks) return null
  const found = [...verdict.tests, ...tamper.map(({ kind, file }) => `${kind} ${file}`)]
  return fixOrFail(
    standing,
    {
      kind: 'tamper',
      error: null,
      summary: `${titleOf(verdict.tests, true)}: ${verdict.tests[0] ?? verdict.lines[0] ?? ''}`,
      detail: `${verdict.lines.map((line) => `- ${line}`).join('\n')}\n\n${putBack}`,
      fingerprint: `tamper:${found.toSorted().join(',')}`,
      ...(verdict.needs.length > 0 ? { needs: verdict.needs } : {}),
    },
    null,
  )
}

const putBack =
  'Make the work pass the tests as they were. '
  + 'If the task cannot be done without changing them, answer `blocked` and say why.'

function titleOf(failing: readonly string[], blocks: boolean): string {
  if (!blocks) return 'tests or checks were changed'
  return failing.length > 0 ? "the base's tests fail with this change" : 'tests or checks were made weaker'
}

/**
 * When no check of the base can run, or none shows that it ran tests, the guard's findings that the task does not allow
 * decide.
 */
function outcomeIn(
  runs: readonly ReverseRun[],
  tree: string | null,
  tamper: readonly TamperFinding[],
  asked: AskedFor,
): ReverseOutcome {
  if (tree === null || runs.length === 0) return { kind: 'not-runnable', why: 'no check can be run on it' }
  const outcome = readReverse(runs)
  const hidden = hiddenReds(runs, tamper)
  if (outcome.kind === 'green' && hidden.length > 0) return { kind: 'red', failing: hidden }
  const isTested = runs.some(({ outcome: { tests } }) => (tests ?? 0) > 0)
  const isOpen = unasked(asked, tamper).length > 0
  return outcome.kind === 'green' && !isTested && isOpen
    ? { kind: 'not-runnable', why: 'no check says that it ran tests' }
    : outcome
}

/**
 * Tests that were red before, are still red, and that the change skips or weakens: hiding them does not make them pass.
 */
function hiddenReds(runs: readonly ReverseRun[], tamper: readonly TamperFinding[]): string[] {
  const touched = new Set(tamper.flatMap(({ test }) => (test === null ? [] : [leafOf(test)])))
  return runs.flatMap(({ outcome: { failing = [] }, base = [] }) =>
    failing.filter((name) => base.includes(name) && touched.has(leafOf(name))),
  )
}

interface Ran {
  runs: ReverseRun[]
  names: string[] | null
  /** Set when the trusted checks cannot clear the guard's findings. */
  unproven: ReverseOutcome | null
}

const nothingRan: Ran = { runs: [], names: null, unproven: null }

/** Runs the trusted checks for which the failing tests on the base are known, then the task's own. */
function runBase(standing: Standing, prefix: string, tree: string, asked: AskedFor): Step<Ran> {
  const { state, tamper = [] } = standing
  const planned = [...checksOf(standing).entries()]
  const trusted = runEach(
    standing,
    planned.filter(([, check]) => isConclusive(state, check)),
    { prefix, tree },
  )
  if (trusted.status !== 'done') return trusted
  const runs = trusted.outcome
  const names = (): string[] | null => namesOf(state, prefix, planned.length)
  if (readReverse(runs).kind !== 'green' || unasked(asked, tamper).length === 0)
    return done({ runs, names: names(), unproven: null })
  const own = runEach(
    standing,
    planned.filter(([, { name, proposed }]) => proposed && !Object.hasOwn(state.flaky, name)),
    { prefix, tree },
  )
  return own.status === 'done' ? done({ runs, names: names(), unproven: unprovenBy(own.outcome) }) : own
}

/**
 * A check that the task itself brings may need the task's new tests, so its failure does not show that the product is
 * wrong. But it does not show either that the product passes the tests that the change made weaker.
 */
function unprovenBy(runs: readonly ReverseRun[]): ReverseOutcome | null {
  const failed = runs.find((run) => readReverse([run]).kind !== 'green')
  return failed ? { kind: 'not-runnable', why: `${failed.name} passes only with the tests of this change` } : null
}

function runEach(
  standing: Standing,
  checks: readonly (readonly [index: number, check: PlannedCheck])[],
  { prefix, tree }: { prefix: string; tree: string },
): Step<ReverseRun[]> {
  const { state, task, since } = standing
  const runs: ReverseRun[] = []
  for (const [index, check] of checks) {
    if (since === null) break
    const seen = observe(state, check, placeId(prefix, index + 1), {
      workspace: verificationWorkspace,
      commit: since,
      tree,
      task: task.id,
      names: true,
      judges: changeOf(standing),
    })
    if (seen.status === 'not-yet') return seen
    const known = state.baseline?.checks.find((base) => base.check === check.name)?.failing
    runs.push({ name: check.name, outcome: seen.outcome.outcome, ...(known ? { base: known } : {}) })
  }
  return done(runs)
}

function isConclusive({ flaky, baseline }: RunState, { name, proposed }: PlannedCheck): boolean {
  const before = baseline?.checks.find(({ check }) => check === name)
  return !proposed && !Object.hasOwn(flaky, name) && (before === undefined || before.passed || before.failing !== null)
}
