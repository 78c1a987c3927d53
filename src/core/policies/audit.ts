/** What has landed together is checked together: which checks that takes, and who broke one that was green. */
import type { RunState, TaskState } from '../../model/state.ts'
import { checksFor, type PlannedCheck } from './checks.ts'

/** So many changes may land before they are looked at together. */
const landingsBetween = 8
const mostAcceptance = 20

/** Not after each task: what one tree proves need not be proven again so soon. At the end, always. */
export const auditIsDue = ({ landings, ready, convergence: { audited } }: RunState): boolean =>
  landings.length > audited && (ready.length === 0 || landings.length - audited >= landingsBetween)

/** Configured checks and those that tasks were accepted by, as far as they have not been seen green on what is there now. */
export function auditChecks(state: RunState): PlannedCheck[] {
  const { convergence: { proofs }, landings, ready } = state
  const unproven = ({ name }: PlannedCheck): boolean => proofs[name] !== landings.length
  const acceptance = acceptanceChecks(state, doneTasks(state)).filter(unproven)
    .toSorted((a, b) => (proofs[a.name] ?? 0) - (proofs[b.name] ?? 0))
  return [...checksFor(state, null).filter(unproven), ...acceptance.slice(0, ready.length === 0 ? undefined : mostAcceptance)]
}

const doneTasks = ({ order, tasks }: RunState): TaskState[] =>
  order.flatMap((id) => tasks[id] ?? []).filter(({ status }) => status === 'done')

/** Checks of their own that these tasks passed when they landed. */
export function acceptanceChecks(state: RunState, tasks: readonly TaskState[]): PlannedCheck[] {
  const own = tasks.filter(({ checks }) => checks.length > 0).flatMap((task) =>
    checksFor(state, task).filter(({ name, proposed }) => proposed && task.evidence.some(({ check }) => check === name)))
  return [...new Map(own.map((check) => [check.name, check])).values()]
}

/** Red counts only where it was green, and where the check can be trusted. */
export const isRegression = ({ convergence: { proofs }, flaky }: RunState, { name }: PlannedCheck): boolean =>
  Object.hasOwn(proofs, name) && !Object.hasOwn(flaky, name)
