/** The audit of all landed changes together: when it is due, which checks it runs, and how its result counts. */
import type { Conclusion } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { inPlace } from '../tasks/workspace-needs.ts'
import { checksFor, ownChecks, wholesOf, type PlannedCheck } from './checks.ts'

/** An audit is due after this many landings. */
const landingsBetween = 8
const mostAcceptance = 20

/** An audit after each task would prove the same tree again too soon. One at the end always runs. */
export function auditIsDue(state: RunState): boolean {
  const {
    landings,
    ready,
    stages,
    config,
    convergence: { audited, unaudited = 0 },
  } = state
  if (!inPlace(state)) return isUnaudited(state) && (ready.length === 0 || landings.length - audited >= landingsBetween)
  // In place nothing is merged: each task was checked on the tree that is there. Only checks with `when: wave` are
  // left.
  const waits = config.checks.some(({ when }) => when === 'wave')
  return waits && unaudited > 0 && ((ready.length === 0 && !stages.includes('gate')) || unaudited >= landingsBetween)
}

/**
 * Changes have landed since the last audit, or a person resumed the run after a red audit, and the check may pass now.
 */
export const isUnaudited = ({ landings, convergence: { audited, red, unaudited = 0 } }: RunState): boolean =>
  landings.length > audited || (red.length > 0 && unaudited > 0)

/** The configured checks and the acceptance checks that are not yet proven green on the current landings. */
export function auditChecks(state: RunState): PlannedCheck[] {
  const {
    convergence: { proofs },
    landings,
    ready,
  } = state
  const unproven = ({ name }: PlannedCheck): boolean => proofs[name] !== landings.length
  const configured = checksFor(state, null)
  const names = new Set(configured.map(({ name }) => name))
  // A proof under a name that is not configured belongs to an acceptance check.
  const hasMore = Object.keys(proofs).some((name) => !names.has(name))
  const acceptance = hasMore ? acceptedBy(state).filter(unproven) : []
  const oldest = acceptance.toSorted((a, b) => (proofs[a.name] ?? 0) - (proofs[b.name] ?? 0))
  return [...configured.filter(unproven), ...oldest.slice(0, ready.length === 0 ? undefined : mostAcceptance)]
}

/** The acceptance checks of all done tasks. All of them must pass at the end. */
export const acceptedBy = (state: RunState): PlannedCheck[] => acceptanceChecks(state, accepted(state))

/** Done tasks that may have acceptance checks of their own or of the task they are a part of. */
function accepted({ order, tasks }: RunState): TaskState[] {
  const found: TaskState[] = []
  for (const id of order) {
    const task = tasks[id]
    if (task?.status === 'done' && (task.checks.length > 0 || task.parent !== null)) found.push(task)
  }
  return found
}

/** Checks of these tasks, or of the tasks they are a part of, that passed when the tasks landed. */
export function acceptanceChecks(state: RunState, tasks: readonly TaskState[]): PlannedCheck[] {
  const own = tasks.flatMap((task) =>
    [task, ...wholesOf(state, task)]
      .filter(({ checks }) => checks.length > 0)
      .flatMap((owner) => ownChecks(state, owner))
      .filter(({ name }) => task.evidence.some(({ check }) => check === name)),
  )
  return [...new Map(own.map((check) => [check.name, check])).values()]
}

/** A red check is a regression only if it was green before. */
export const isRegression = ({ convergence: { proofs } }: RunState, { name }: PlannedCheck): boolean =>
  Object.hasOwn(proofs, name)

const mostReruns = 9

/** A flaky check gets so many reruns that it stays red only when it is really broken. */
export const patientReruns = ({ config: { checkReruns = 0 }, flaky }: RunState, { name }: PlannedCheck): number =>
  Object.hasOwn(flaky, name) ? Math.max(mostReruns, checkReruns) : checkReruns

/** A number for the check in the ids of audit work. It does not depend on which other checks the audit runs. */
export function auditPosition(state: RunState, { name }: PlannedCheck): number {
  const names = [
    ...checksFor(state, null).map((check) => check.name),
    ...state.order.flatMap((id) => state.tasks[id]?.checks ?? []),
  ]
  return names.indexOf(name) + 1
}

/** The end of a run without a gate: it fails when a configured check was red in the audit of the last landing. */
export function concluded({ convergence: { red, audited }, landings }: RunState): Conclusion {
  return red.length === 0 || audited !== landings.length
    ? { status: 'completed', reason: null }
    : { status: 'failed', reason: `the final checks are red: ${red.join(', ')}` }
}
