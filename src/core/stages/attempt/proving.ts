/** New tests are proof only if they fail without the change: they are overlaid on the old code and run there. */
import type { CheckRecord } from '../../../model/event.ts'
import { onlyTests } from '../../../model/only-tests.ts'
import { verificationWorkspace, type CheckOutcome } from '../../../model/work.ts'
import { placeId, stepId } from '../../../model/work-id.ts'
import { wasRed } from '../../policies/baseline.ts'
import type { PlannedCheck } from '../../policies/checks.ts'
import { isAboutNewTests, isExecuted } from '../../policies/new-test-proof.ts'
import { record, type Proposal } from '../../proposal.ts'
import { orPause, perform } from '../../step.ts'
import { inPlace } from '../../tasks/workspace-needs.ts'
import { namesOf } from './checking.ts'
import { observe } from './observe-check.ts'
import { changeOf, checksOf, type Standing } from './standing.ts'

/** Null when the proof is recorded or not wanted. */
export function prove(standing: Standing, checked: string): Proposal | null {
  const { state, task, attempt, id, tree, since, newTests = [] } = standing
  const wanted = state.config.proof === true && tree !== null && since !== null && newTests.length > 0
  if (!wanted || attempt.proof !== undefined) return null
  const give = (proved: boolean, why: string | null): Proposal =>
    record({
      type: 'proof.given',
      task: task.id,
      attempt: attempt.n,
      proved,
      files: newTests,
      ...(why === null ? {} : { why }),
    })
  if (inPlace(state)) return give(false, 'in place, they cannot be run without the change')
  const { checks, isReported } = testChecks(standing)
  if (checks.length === 0) return give(false, noTestChecks(standing))
  const prefix = stepId(id, 'proof', attempt.round)
  const judges = changeOf(standing)
  const laid = orPause(perform(state, { kind: 'overlay', id: prefix, how: 'proof', base: since, tree, judges }))
  if (laid.status === 'not-yet') return laid.proposal
  const over = laid.outcome.tree
  if (over === null) return give(false, 'there is nothing to lay over the old code')
  if (over === tree) return give(false, onlyTests)
  let proved = false
  const runs: CheckOutcome[] = []
  for (const [index, check] of checks.entries()) {
    const there = { workspace: verificationWorkspace, commit: since, tree: over, task: task.id, judges }
    // A red result is the proof, so it gets no rerun.
    const seen = observe(state, check, placeId(prefix, index + 1), { ...there, names: true }, 0)
    if (seen.status === 'not-yet') return seen.proposal
    // Without an executed test, none failed. A failure that also occurs on the base proves nothing about new tests.
    const { passed, usable, outcome } = seen.outcome
    const isRed = !passed && usable && outcome.exitCode !== 0 && !isUnable(outcome) && !wasRed(state, check, outcome)
    const failing = outcome.failing ?? null
    proved ||=
      isRed
      && isAboutNewTests({ executed: namesOf(state, checked, checksOf(standing).length), files: newTests, failing })
    if (proved) break
    runs.push(outcome)
  }
  return give(proved, proved ? null : unproven(runs, newTests, isReported))
}

/** A check that cannot run has run no test. A missing module may be one that the change adds. */
const isUnable = ({ cannotRun }: CheckOutcome): boolean => cannotRun !== undefined && cannotRun.kind !== 'module'

/** Null: no check shows that the tests fail without the change, and none shows that it ran them there. */
function unproven(runs: readonly CheckOutcome[], files: readonly string[], isReported: boolean): string | null {
  if (!isReported) return 'no check reports that it ran tests, and none is red with them on the old code'
  const isGreen = runs.every(({ exitCode }) => exitCode === 0)
  const hasRun = runs.some(({ executed = [] }) => isExecuted(executed, files))
  return isGreen && hasRun ? 'they pass without the change' : null
}

/**
 * The trusted checks whose output shows that they ran tests. Without any, those that were green before the change: only
 * the new tests on the old code can turn their exit code red.
 */
function testChecks(standing: Standing): { checks: PlannedCheck[]; isReported: boolean } {
  const passed = passing(standing)
  const planned = checksOf(standing).filter(({ name }) => !Object.hasOwn(standing.state.flaky, name))
  const those = (ran: readonly CheckRecord[]): PlannedCheck[] =>
    planned.filter(({ name }) => ran.some(({ check }) => check === name))
  const reported = those(passed.filter(({ tests }) => (tests ?? 0) > 0))
  return reported.length > 0
    ? { checks: reported, isReported: true }
    : {
        checks: those(passed.filter(({ tests, check }) => tests === null && wasGreen(standing, check))),
        isReported: false,
      }
}

const passing = ({ attempt }: Standing): CheckRecord[] => attempt.checks.filter(({ passed }) => passed)

/** Whether the check was green on the base of the attempt or later. */
function wasGreen(
  {
    state: {
      convergence: { proofs },
      landings,
    },
    since,
  }: Standing,
  name: string,
): boolean {
  return (proofs[name] ?? -1) > landings.findIndex(({ commit }) => commit === since)
}

function noTestChecks(standing: Standing): string {
  const ran = passing(standing).filter(({ tests }) => (tests ?? 0) > 0)
  return ran.length > 0
    ? 'the checks that run tests are flaky'
    : 'no check reports that it ran tests, nor was one seen green before'
}
