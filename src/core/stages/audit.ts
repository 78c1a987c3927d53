/**
 * The audit of the run branch, and the search for what broke it: bisect what has landed, revert the culprit, prove the
 * revert.
 */
import type { FlakyRuns, Landing, NextStep } from '../../model/convergence.ts'
import type { Failure } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { verificationWorkspace, type IntegrateOutcome } from '../../model/work.ts'
import { environment } from '../answers.ts'
import { outcomeOf } from '../ledger.ts'
import { auditChecks, auditIsDue, auditPlace, isRegression, isUnaudited, patientReruns } from '../policies/audit.ts'
import { excuseFor, wasRed } from '../policies/baseline.ts'
import { checksFor, type PlannedCheck } from '../policies/checks.ts'
import { within } from '../policies/ladder.ts'
import { pause, record, want, type Proposal } from '../proposal.ts'
import { soundBefore } from '../sound.ts'
import { hasPasses, prepared } from '../workspace-needs.ts'
import { blamed, observe, runChecks, type Seen } from './checking.ts'
import { provenAlready } from './gate.ts'

/** `next`: what was broken cannot be mended by a revert. Null: all is well, or it is not time to look. */
export type Audited = { proposal: Proposal } | { next: NextStep }

const workspace = 'main'

/**
 * Each audit of a wave has ids of its own: a revert makes the branch another one, and a check found flaky has all
 * looked at again.
 */
function prefixOf({ wave, landings, convergence: { doubts } }: RunState): string {
  return `wave${wave}/at${landings.length}${doubts === undefined ? '' : `.${doubts}`}`
}

export function audit(state: RunState): Audited | null {
  if (!auditIsDue(state) && !isBegun(state)) return null
  const green: string[] = []
  const left: string[] = []
  const worse: string[] = []
  const broken: { check: PlannedCheck; id: string; seen: Seen }[] = []
  const checks = auditChecks(state)
  const prefix = prefixOf(state)
  for (const check of checks) {
    const id = `${prefix}/${auditPlace(state, check)}`
    const seen = look(state, check, id, state.landings.length)
    if ('proposal' in seen) return seen
    if (isNewlyFlaky(state, check, seen))
      return { proposal: record({ type: 'check.flaky', check: check.name, ...seen.flaky }) }
    if (seen.passed) green.push(check.name)
    else if (seen.usable && isRegression(state, check)) broken.push({ check, id, seen })
    else if (!check.proposed && excuseFor(state, null, check, seen.outcome) === null) {
      left.push(check.name)
      if (gotWorse(state, check, seen)) worse.push(shownName(check))
    }
  }
  // Who broke it is looked for on other trees, so not before this one is done with.
  for (const { check, id, seen } of broken) {
    const found = blame(state, check, id, seen)
    if (found) return found
    left.push(check.name)
  }
  return {
    proposal: record({
      type: 'branch.audited',
      landings: state.landings.length,
      green,
      ...(left.length > 0 ? { red: left } : {}),
      ...(worse.length > 0 ? { worse } : {}),
    }),
  }
}

const isNewlyFlaky = (state: RunState, { name }: PlannedCheck, seen: Seen): seen is Seen & { flaky: FlakyRuns } =>
  seen.flaky !== null && !Object.hasOwn(state.flaky, name)

/** Nobody is found guilty by a check that cannot be trusted: what is there now is asked again, and oftener. */
const doubted = ({ name }: PlannedCheck, flaky: FlakyRuns): Proposal =>
  record({ type: 'check.flaky', check: name, ...flaky, elsewhere: true })

/** It was never green, and not as red when it was last looked at. */
function gotWorse(state: RunState, check: PlannedCheck, { outcome }: Seen): boolean {
  const {
    baseline,
    convergence: { audited, red },
  } = state
  return (baseline !== null || audited > 0) && !red.includes(check.name) && !wasRed(state, check, outcome)
}

const shownName = ({ hidden, name }: PlannedCheck): string => (hidden ? 'a held-out check' : name)

/**
 * In place nothing can be taken back and nobody is looked for: what is red there keeps the run from being completed.
 */
export function auditInPlace(state: RunState): Proposal | null {
  if (!auditIsDue(state)) return null
  const { wave, landings, gate, loop, stage } = state
  const place = prepared(state, `wave${wave}/prepare`, workspace)
  if (place.status === 'not-yet') return place.proposal
  const subject = { task: null, attempt: 1, round: wave, merged: false }
  const seen = (stage === 'loop' && loop ? loop : gate).checks.filter(
    ({ round, tree }) => round === wave && tree === place.tree,
  )
  const records = [...seen, ...provenAlready(state, place.tree, subject)]
  const checked = runChecks(state, checksFor(state, null), {
    prefix: `wave${wave}/check`,
    workspace,
    tree: place.tree,
    records,
    subject,
  })
  if (checked.status === 'not-yet') return checked.proposal
  const green = records.filter(({ passed }) => passed).map(({ check }) => check)
  const red = checked.status === 'green' ? [] : blamed(records).map(({ check }) => check)
  return record({ type: 'branch.audited', landings: landings.length, green, ...(red.length > 0 ? { red } : {}) })
}

/** What was found out holds, also when tasks are opened again meanwhile. */
const isBegun = (state: RunState): boolean =>
  isUnaudited(state)
  && Object.keys(state.ledger[`wave${state.wave}`] ?? {}).some((id) => id.startsWith(`${prefixOf(state)}/`))

/** A check on the branch as it was when so many changes had landed. */
function look(state: RunState, check: PlannedCheck, id: string, landed: number): Seen | { proposal: Proposal } {
  const place = { workspace: verificationWorkspace, commit: commitAt(state, landed), tree: null, task: null }
  const seen = observe(state, check, id, place, patientReruns(state, check))
  return seen.status === 'seen' ? seen : { proposal: seen.proposal }
}

const commitAt = ({ landings, base }: RunState, landed: number): string => landings[landed - 1]?.commit ?? base.commit

/** The change that turned it red since it was last green. Null: nobody did, for it is red by now where it was green. */
function blame(state: RunState, check: PlannedCheck, id: string, red: Seen): Audited | null {
  let good = state.convergence.proofs[check.name] ?? 0
  let bad = state.landings.length
  const then = look(state, check, `${id}/bisect${good}`, good)
  if ('proposal' in then) return then
  if (isNewlyFlaky(state, check, then)) return { proposal: doubted(check, then.flaky) }
  if (!then.passed) return null
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    const seen = look(state, check, `${id}/bisect${middle}`, middle)
    if ('proposal' in seen) return seen
    if (isNewlyFlaky(state, check, seen)) return { proposal: doubted(check, seen.flaky) }
    if (seen.passed) good = middle
    else bad = middle
  }
  const culprit = state.landings[bad - 1]
  return culprit ? takeBack(state, check, culprit, bad, red) : { proposal: record() }
}

function takeBack(state: RunState, check: PlannedCheck, culprit: Landing, place: number, red: Seen): Audited {
  const evidence = `${shownName(check)} passed before ${culprit.task} landed and fails since`
  // Going back is a recovery like any other, and there is an end to them.
  const mayGoBack =
    within(state.convergence.recoveries.REGRESSING ?? 0, state.config.limits.recoveries) && !hasPasses(state)
  const back = (before: number): Audited => ({
    next: mayGoBack
      ? {
          do: 'roll-back',
          why: 'culprit',
          evidence,
          to: commitAt(state, soundBefore(state.landings, before)),
          checkpoint: null,
          tasks: [culprit.task],
        }
      : { do: 'escalate', from: 'REGRESSING', evidence, broken: place },
  })
  if (culprit.revert) return back(place)
  // Two steps of one landing, named so that git knows the one by the other.
  const prefix = `${prefixOf(state)}/revert`
  const landId = `${prefixOf(state)}/land`
  const common = {
    kind: 'integrate',
    workspace,
    task: culprit.task,
    title: `Revert ${culprit.task}`,
    base: null,
  } as const
  const made = outcomeOf(state, prefix)
  if (!made) return { proposal: want({ ...common, id: prefix, step: { kind: 'revert', commit: culprit.commit } }) }
  if (made.kind === 'failure') return { proposal: pause(environment(made)) }
  const merged = made as IntegrateOutcome
  if (merged.status === 'landed' && merged.commit !== null)
    return { proposal: undone(culprit, check, evidence, red, merged.commit) }
  if (merged.status !== 'merged') return back(place)
  const proof = proven(state, check, prefix, merged)
  if (proof !== 'green') return 'lastGreen' in proof ? back(Math.min(place, proof.lastGreen + 1)) : { proposal: proof }
  const landed = outcomeOf(state, landId)
  if (!landed) {
    return {
      proposal: want({ ...common, id: landId, step: { kind: 'land', commit: merged.commit, onto: merged.onto } }),
    }
  }
  if (landed.kind === 'failure') return { proposal: pause(environment(landed)) }
  return (landed as IntegrateOutcome).status === 'landed'
    ? { proposal: undone(culprit, check, evidence, red, merged.commit) }
    : back(place)
}

/**
 * What was broken, and what every task has to pass, on the branch without the culprit; else how much had landed when it
 * was last green.
 */
function proven(
  state: RunState,
  broken: PlannedCheck,
  prefix: string,
  { tree, commit }: { tree: string; commit: string },
): 'green' | { lastGreen: number } | Proposal {
  const others = checksFor(state, null).filter((check) => check.name !== broken.name && isRegression(state, check))
  for (const [place, check] of [broken, ...others].entries()) {
    const there = { workspace: verificationWorkspace, tree, commit, task: null }
    const seen = observe(state, check, `${prefix}/${place + 1}`, there, patientReruns(state, check))
    if (seen.status === 'not-yet') return seen.proposal
    if (isNewlyFlaky(state, check, seen)) return doubted(check, seen.flaky)
    // A revert after which the check is as red as before has not helped, whatever is to be said for that check.
    if (!seen.passed && seen.usable && (check === broken || excuseFor(state, null, check, seen.outcome) === null)) {
      // Where the culprit was found, everything before it was seen green.
      return { lastGreen: check === broken ? Infinity : (state.convergence.proofs[check.name] ?? 0) }
    }
  }
  return 'green'
}

function undone(
  { task, commit }: Landing,
  check: PlannedCheck,
  evidence: string,
  { outcome }: Seen,
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
