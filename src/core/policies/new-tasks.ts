/** Limits how many of the tasks that an agent proposes are added: per answer and per run. */
import type { Fact } from '../../model/event.ts'
import type { TaskAnswer } from '../../model/results.ts'
import type { RunState } from '../../model/state.ts'
import { mostTasks } from '../../model/task.ts'
import { isFromCommand, isFromPlan } from '../../model/work-id.ts'
import { dependenciesOf } from './plan-graph.ts'

/** The most tasks that the answer of one task may add. */
export const mostByOneTask = 10

/**
 * Whether the task does not count as added by an agent: planned, or added by a person, a source or the scaffold stage.
 */
const isByOthers = (origin: string): boolean =>
  isFromPlan(origin) || isFromCommand(origin) || origin === 'scaffold' || origin === 'source'

interface Admission {
  admitted: TaskAnswer[]
  /** Reports the tasks that were left out; empty when there are none. */
  findings: Fact[]
}

/** Reports that none of the proposed tasks was added. */
export const refuseTasks = (
  { length }: readonly TaskAnswer[],
  detail: string,
  { task, origin }: { task: string | null; origin: string },
): Fact => ({
  type: 'finding.raised',
  severity: 'WARNING',
  title: `${length} new tasks were not accepted`,
  detail,
  task,
  origin,
})

/** `most`: how many tasks this answer may add, besides the limits of the run. */
export function admitNewTasks(
  state: RunState,
  proposed: readonly TaskAnswer[],
  { origin, task, most }: { origin: string; task: string | null; most: number | null },
): Admission {
  const { newTasks = null } = state.config.limits
  const used = addedByAgents(state, origin)
  const room = Math.max(0, Math.min(most ?? mostTasks, (newTasks ?? mostTasks) - used, mostTasks - state.order.length))
  const admitted = withoutDangling(proposed.slice(0, room), proposed.slice(room))
  const refused = proposed.length - admitted.length
  if (refused === 0) return { admitted, findings: [] }
  const bounds = [
    ...(most === null ? [] : [`one task may add ${most}`]),
    ...(newTasks === null ? [] : [`agents may add ${newTasks} in a run`]),
  ]
  const detail = `${bounds.join(', ')} (limits.newTasks), and ${used} had been added before`
  const title = `${refused} of ${proposed.length} new tasks were not accepted`
  return { admitted, findings: [{ type: 'finding.raised', severity: 'WARNING', title, detail, task, origin }] }
}

/** Tasks that this answer has added already do not count against it, because an answer may be evaluated twice. */
const addedByAgents = ({ order, tasks }: RunState, origin: string): number =>
  order.filter((id) => {
    const task = tasks[id]
    return task !== undefined && task.parent === null && task.origin !== origin && !isByOthers(task.origin)
  }).length

/** Also leaves out tasks that depend on one that was left out: they could never start. */
function withoutDangling(kept: readonly TaskAnswer[], left: readonly TaskAnswer[]): TaskAnswer[] {
  const gone = new Set(left.flatMap(({ id }) => id?.trim() ?? []))
  const dangling = kept.filter((answer) => dependenciesOf(answer).some((name) => gone.has(name.trim())))
  if (gone.size === 0 || dangling.length === 0) return [...kept]
  return withoutDangling(
    kept.filter((answer) => !dangling.includes(answer)),
    [...left, ...dangling],
  )
}
