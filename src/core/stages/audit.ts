/**
 * The audit of the run branch, and the search for the change that broke it: bisects the landings, reverts the culprit,
 * proves the revert.
 */
import type { FlakyRuns, Landing, NextStep } from '../../model/convergence.ts'
import type { Failure } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace } from '../../model/work.ts'
import { auditId, isBelow, placeId, stepId, waveOwner } from '../../model/work-id.ts'
import { auditChecks, auditIsDue, auditPlace, isRegression, isUnaudited, patientReruns } from '../policies/audit.ts'
import { excuseFor, wasRed } from '../policies/baseline.ts'
import { checksFor, type PlannedCheck } from '../policies/checks.ts'
import { within } from '../policies/ladder.ts'
import { record, type Proposal } from '../proposal.ts'
import { rollbackTargetBefore } from '../rollback-target.ts'
import { done, failed, notYet, orPause, perform, type Failed, type NotYet, type Step } from '../step.ts'
import { hasPasses, prepared } from '../workspace-needs.ts'
import { blamed, observe, runChecks, type CheckObservation } from './checking.ts'
import { provenAlready } from './gate.ts'

/** Fails with the next step when no revert repairs the branch. */
export type Audited = NotYet | Failed<NextStep>

const workspace = 'main'

/**
 * Each audit of a wave has its own ids: a revert changes the branch, and a check found flaky repeats the whole audit.
 */
function prefixOf({ wave, landings, convergence: { doubts } }: RunState): string {
  return auditId(wave, landings.length, doubts)
}

/** Null when no audit is due. */
export function audit(state: RunState): Audited | null {
  if (!auditIsDue(state) && !isBegun(state)) return null
  const green: string[] = []
  const left: string[] = []
  const worse: string[] = []
  const broken: { check: PlannedCheck; id: string; seen: CheckObservation }[] = []
  const checks = auditChecks(state)
  const prefix = prefixOf(state)
  for (const check of checks) {
    const id = placeId(prefix, auditPlace(state, check))
    const looked = look(state, check, id, state.landings.length)
    if (looked.status === 'not-yet') return looked
    const seen = looked.outcome
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

const isNewlyFlaky = (
  state: RunState,
  { name }: PlannedCheck,
  seen: CheckObservation,
): seen is CheckObservation & { flaky: FlakyRuns } => seen.flaky !== null && !Object.hasOwn(state.flaky, name)

/**
 * A flaky check must not convict a change: the check is recorded as flaky, and the audit repeats it with more reruns.
 */
const doubted = ({ name }: PlannedCheck, flaky: FlakyRuns): Proposal =>
  record({ type: 'check.flaky', check: name, ...flaky, elsewhere: true })

/** Whether the check was never green, and was less red in the last audit or the baseline. */
function gotWorse(state: RunState, check: PlannedCheck, { outcome }: CheckObservation): boolean {
  const {
    baseline,
    convergence: { audited, red },
  } = state
  return (baseline !== null || audited > 0) && !red.includes(check.name) && !wasRed(state, check, outcome)
}

const shownName = ({ hidden, name }: PlannedCheck): string => (hidden ? 'a held-out check' : name)

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
  && Object.keys(state.ledger[waveOwner(state.wave)] ?? {}).some((id) => isBelow(id, prefixOf(state)))

/** Runs a check on the branch as it was after `landed` landings. */
function look(state: RunState, check: PlannedCheck, id: string, landed: number): Step<CheckObservation> {
  const place = { workspace: verificationWorkspace, commit: commitAt(state, landed), tree: null, task: null }
  return observe(state, check, id, place, patientReruns(state, check))
}

const commitAt = ({ landings, base }: RunState, landed: number): string => landings[landed - 1]?.commit ?? base.commit

/**
 * Finds the landing that turned the check red since it was last green. Null when no landing did: the check is now red
 * even where it was green.
 */
function blame(state: RunState, check: PlannedCheck, id: string, red: CheckObservation): Audited | null {
  let good = state.convergence.proofs[check.name] ?? 0
  let bad = state.landings.length
  const then = look(state, check, stepId(id, 'bisect', good), good)
  if (then.status === 'not-yet') return then
  if (isNewlyFlaky(state, check, then.outcome)) return notYet(doubted(check, then.outcome.flaky))
  if (!then.outcome.passed) return null
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    const seen = look(state, check, stepId(id, 'bisect', middle), middle)
    if (seen.status === 'not-yet') return seen
    if (isNewlyFlaky(state, check, seen.outcome)) return notYet(doubted(check, seen.outcome.flaky))
    if (seen.outcome.passed) good = middle
    else bad = middle
  }
  const culprit = state.landings[bad - 1]
  return culprit ? takeBack(state, check, culprit, bad, red) : notYet(record())
}

function takeBack(
  state: RunState,
  check: PlannedCheck,
  culprit: Landing,
  place: number,
  red: CheckObservation,
): Audited {
  const evidence = `${shownName(check)} passed before ${culprit.task} landed and fails since`
  // A rollback counts as a recovery, and the number of recoveries is limited.
  const mayGoBack =
    within(state.convergence.recoveries.REGRESSING ?? 0, state.config.limits.recoveries) && !hasPasses(state)
  const back = (before: number): Audited =>
    failed<NextStep>(
      mayGoBack
        ? {
            do: 'roll-back',
            why: 'culprit',
            evidence,
            to: commitAt(state, rollbackTargetBefore(state.landings, before)),
            checkpoint: null,
            tasks: [culprit.task],
          }
        : { do: 'escalate', from: 'REGRESSING', evidence, broken: place },
    )
  if (culprit.revert) return back(place)
  // Two steps of one landing. Their ids are related, so that git finds the first step from the second.
  const prefix = stepId(prefixOf(state), 'revert')
  const landId = stepId(prefixOf(state), 'land')
  const common = {
    kind: 'integrate',
    workspace,
    task: culprit.task,
    title: `Revert ${culprit.task}`,
    base: null,
  } as const
  const made = orPause(perform(state, { ...common, id: prefix, step: { kind: 'revert', commit: culprit.commit } }))
  if (made.status === 'not-yet') return made
  const merged = made.outcome
  if (merged.status === 'landed' && merged.commit !== null)
    return notYet(undone(culprit, check, evidence, red, merged.commit))
  if (merged.status !== 'merged') return back(place)
  const { commit, onto } = merged
  const proof = proven(state, check, prefix, merged)
  if (proof.status === 'not-yet') return proof
  if (proof.status === 'failed') return back(Math.min(place, proof.failure.lastGreen + 1))
  const landed = orPause(perform(state, { ...common, id: landId, step: { kind: 'land', commit, onto } }))
  if (landed.status === 'not-yet') return landed
  return landed.outcome.status === 'landed' ? notYet(undone(culprit, check, evidence, red, commit)) : back(place)
}

/**
 * Runs the broken check and all configured checks that were green on the branch without the culprit. On failure,
 * returns how many changes had landed when the failing check was last green.
 */
function proven(
  state: RunState,
  broken: PlannedCheck,
  prefix: string,
  { tree, commit }: { tree: string; commit: string },
): Step<'green', { lastGreen: number }> {
  const others = checksFor(state, null).filter((check) => check.name !== broken.name && isRegression(state, check))
  for (const [place, check] of [broken, ...others].entries()) {
    const there = { workspace: verificationWorkspace, tree, commit, task: null }
    const ran = observe(state, check, placeId(prefix, place + 1), there, patientReruns(state, check))
    if (ran.status === 'not-yet') return ran
    const seen = ran.outcome
    if (isNewlyFlaky(state, check, seen)) return notYet(doubted(check, seen.flaky))
    // A revert that leaves the broken check red has not helped, even when the check has an excuse.
    if (!seen.passed && seen.usable && (check === broken || excuseFor(state, null, check, seen.outcome) === null)) {
      // The search for the culprit saw the broken check green on the landing before it.
      return failed({ lastGreen: check === broken ? Infinity : (state.convergence.proofs[check.name] ?? 0) })
    }
  }
  return done('green')
}

function undone(
  { task, commit }: Landing,
  check: PlannedCheck,
  evidence: string,
  { outcome }: CheckObservation,
  revert: string,
): Proposal {
  const failure: Failure = {
    kind: 'regression',
    error: null,
    summary: evidence,
    fingerprint: `regression:${check.name}`,
    detail: check.hidden
      ? evidence
      : `${evidence}. Your change was taken back. What ${check.name} printed with it:\n${outcome.tail}`,
  }
  return record({ type: 'task.undone', task, why: 'culprit', failure, revert, reverts: commit })
}
