/** The audit of the run branch: checks together what has landed, and has a change that broke a check reverted. */
import type { RunState } from '../../../model/state.ts'
import { isBelow, placeId, stepId, waveOwner } from '../../../model/work-id.ts'
import { auditChecks, auditIsDue, auditPosition, isRegression, isUnaudited } from '../../policies/audit.ts'
import { excuseFor, wasRed } from '../../policies/baseline.ts'
import { checksFor, type PlannedCheck } from '../../policies/checks.ts'
import { record, type Proposal } from '../../proposal.ts'
import { notYet } from '../../step.ts'
import { prepared } from '../../tasks/workspace-needs.ts'
import { blamed, runChecks } from '../attempt/checking.ts'
import { blame, type Audited } from './culprit.ts'
import { auditPrefix, checkBranchAt, isNewlyFlaky, shownName } from './audit-check.ts'
import { provenAlready } from '../gate.ts'
import type { CheckObservation } from '../attempt/observe-check.ts'

const workspace = 'main'

/** Null when no audit is due. */
export function audit(state: RunState): Audited | null {
  if (!auditIsDue(state) && !isBegun(state)) return null
  const green: string[] = []
  const left: string[] = []
  const worse: string[] = []
  const broken: { check: PlannedCheck; id: string; seen: CheckObservation }[] = []
  const checks = auditChecks(state)
  const prefix = auditPrefix(state)
  for (const check of checks) {
    const id = placeId(prefix, auditPosition(state, check))
    const checked = checkBranchAt(state, check, id, state.landings.length)
    if (checked.status === 'not-yet') return checked
    const seen = checked.outcome
    if (isNewlyFlaky(state, check, seen))
      return notYet(record({ type: 'check.flaky', check: check.name, ...seen.flaky }))
    if (seen.passed) green.push(check.name)
    else if (seen.usable && isRegression(state, check)) broken.push({ check, id, seen })
    else if (!check.proposed && excuseFor(state, null, check, seen.outcome) === null) {
      left.push(check.name)
      if (gotWorse(state, check, seen)) worse.push(shownName(check))
    }
  }
  // The search for the culprit needs other trees, so it starts after all checks on this tree have ended.
  for (const { check, id, seen } of broken) {
    const found = blame(state, check, id, seen)
    if (found) return found
    left.push(check.name)
  }
  return notYet(
    record({
      type: 'branch.audited',
      landings: state.landings.length,
      green,
      ...(left.length > 0 ? { red: left } : {}),
      ...(worse.length > 0 ? { worse } : {}),
    }),
  )
}

/** Whether the check was never green, and was less red in the last audit or the baseline. */
function gotWorse(state: RunState, check: PlannedCheck, { outcome }: CheckObservation): boolean {
  const {
    baseline,
    convergence: { audited, red },
  } = state
  return (baseline !== null || audited > 0) && !red.includes(check.name) && !wasRed(state, check, outcome)
}

/**
 * In place nothing can be reverted, so no culprit is searched. A red check there keeps the run from being completed.
 */
export function auditInPlace(state: RunState): Proposal | null {
  if (!auditIsDue(state)) return null
  const { wave, landings, gate, loop, stage } = state
  const place = prepared(state, stepId(waveOwner(wave), 'prepare'), workspace)
  if (place.status === 'not-yet') return place.proposal
  const { tree } = place.outcome
  const subject = { task: null, attempt: 1, round: wave, merged: false }
  const seen = (stage === 'loop' && loop ? loop : gate).checks.filter(
    (known) => known.round === wave && known.tree === tree,
  )
  const records = [...seen, ...provenAlready(state, tree, subject)]
  const checked = runChecks(state, checksFor(state, null), {
    prefix: stepId(waveOwner(wave), 'check'),
    workspace,
    tree,
    records,
    subject,
  })
  if (checked.status === 'not-yet') return checked.proposal
  const green = records.filter(({ passed }) => passed).map(({ check }) => check)
  const red = checked.status === 'done' ? [] : blamed(records).map(({ check }) => check)
  return record({ type: 'branch.audited', landings: landings.length, green, ...(red.length > 0 ? { red } : {}) })
}

/** An audit that has begun is finished, even when tasks are reopened meanwhile. */
const isBegun = (state: RunState): boolean =>
  isUnaudited(state)
  && Object.keys(state.ledger[waveOwner(state.wave)] ?? {}).some((id) => isBelow(id, auditPrefix(state)))
