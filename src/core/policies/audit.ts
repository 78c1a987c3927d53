/** What has landed together is checked together: which checks that takes, and who broke one that was green. */
import type { Conclusion } from '../../model/event.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { inPlace } from '../workspace-needs.ts'
import { checksFor, ownChecks, wholesOf, type PlannedCheck } from './checks.ts'

/** So many changes may land before they are looked at together. */
const landingsBetween = 8
const mostAcceptance = 20

/** Not after each task: what one tree proves need not be proven again so soon. At the end, always. */
export function auditIsDue(state: RunState): boolean {
  const {
    landings,
    ready,
    stages,
    config,
    convergence: { audited, unaudited = 0 },
  } = state
  if (!inPlace(state)) return isUnaudited(state) && (ready.length === 0 || landings.length - audited >= landingsBetween)
  // Nothing is merged there: what each task was checked on is what there is, but for checks that wait for the whole.
  const waits = config.checks.some(({ when }) => when === 'wave')
  return waits && unaudited > 0 && ((ready.length === 0 && !stages.includes('gate')) || unaudited >= landingsBetween)
}

/**
 * Something has landed since the last look, or a person lets the run go on with what was red then: that may be right by
 * now.
 */
export const isUnaudited = ({ landings, convergence: { audited, red, unaudited = 0 } }: RunState): boolean =>
  landings.length > audited || (red.length > 0 && unaudited > 0)

/**
 * Configured checks and those that tasks were accepted by, as far as they have not been seen green on what is there
 * now.
 */
export function auditChecks(state: RunState): PlannedCheck[] {
  const {
    convergence: { proofs },
    landings,
    ready,
  } = state
  const unproven = ({ name }: PlannedCheck): boolean => proofs[name] !== landings.length
  const configured = checksFor(state, null)
  const names = new Set(configured.map(({ name }) => name))
  // What a task was accepted by was seen green.
  const hasMore = Object.keys(proofs).some((name) => !names.has(name))
  const acceptance = hasMore ? acceptedBy(state).filter(unproven) : []
  const oldest = acceptance.toSorted((a, b) => (proofs[a.name] ?? 0) - (proofs[b.name] ?? 0))
  return [...configured.filter(unproven), ...oldest.slice(0, ready.length === 0 ? undefined : mostAcceptance)]
}

/** What the tasks that are done were accepted by, besides the configured checks: all of it has to hold in the end. */
export const acceptedBy = (state: RunState): PlannedCheck[] => acceptanceChecks(state, accepted(state))

/** Those that may have been accepted by checks of their own, or of what they are a part of; of thousands, few. */
function accepted({ order, tasks }: RunState): TaskState[] {
  const found: TaskState[] = []
  for (const id of order) {
    const task = tasks[id]
    if (task?.status === 'done' && (task.checks.length > 0 || task.parent !== null)) found.push(task)
  }
  return found
}

/** Checks of their own, or of what they are a part of, that these tasks passed when they landed. */
export function acceptanceChecks(state: RunState, tasks: readonly TaskState[]): PlannedCheck[] {
  const own = tasks.flatMap((task) =>
    [task, ...wholesOf(state, task)]
      .filter(({ checks }) => checks.length > 0)
      .flatMap((owner) => ownChecks(state, owner))
      .filter(({ name }) => task.evidence.some(({ check }) => check === name)),
  )
  return [...new Map(own.map((check) => [check.name, check])).values()]
}

/** Red counts only where it was green. */
export const isRegression = ({ convergence: { proofs } }: RunState, { name }: PlannedCheck): boolean =>
  Object.hasOwn(proofs, name)

const mostReruns = 9

/** A check that cannot be trusted is asked so much oftener that only one that is truly red stays red. */
export const patientReruns = ({ config: { checkReruns = 0 }, flaky }: RunState, { name }: PlannedCheck): number =>
  Object.hasOwn(flaky, name) ? Math.max(mostReruns, checkReruns) : checkReruns

/**
 * The same for each check, whatever else is asked for by the time it is looked at: its name in the ids of an audit's
 * work.
 */
export function auditPlace(state: RunState, { name }: PlannedCheck): number {
  const names = [
    ...checksFor(state, null).map((check) => check.name),
    ...state.order.flatMap((id) => state.tasks[id]?.checks ?? []),
  ]
  return names.indexOf(name) + 1
}

/**
 * How a run ends that has no gate: a configured check that was red when the whole was last looked at is not overlooked.
 */
export function concluded({ convergence: { red, audited }, landings }: RunState): Conclusion {
  return red.length === 0 || audited !== landings.length
    ? { status: 'completed', reason: null }
    : { status: 'failed', reason: `the final checks are red: ${red.join(', ')}` }
}
