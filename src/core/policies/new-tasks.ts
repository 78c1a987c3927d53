/** How many of the tasks that an agent proposes join the run: so many an answer, so many a run. */
import type { Fact } from '../../model/event.ts'
import type { TaskAnswer } from '../../model/results.ts'
import type { RunState } from '../../model/state.ts'
import { mostTasks } from '../../model/task.ts'
import { isBelow, isFromPlan } from '../../model/work-id.ts'

/** Of one task's answer. */
export const mostByOneTask = 10

/** Whether the task was planned, or added by a person, a source or the scaffold stage. */
const isByOthers = (origin: string): boolean =>
  isFromPlan(origin) || isBelow(origin, 'command') || origin === 'scaffold' || origin === 'source'

interface Admission {
  admitted: TaskAnswer[]
  /** Reports what was left out; none when nothing was. */
  findings: Fact[]
}

/** `most`: how many this answer may add, on top of the bounds of the run. */
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

/** What this very answer has added does not count against it: it may be weighed twice. */
const addedByAgents = ({ order, tasks }: RunState, origin: string): number =>
  order.filter((id) => {
    const task = tasks[id]
    return task !== undefined && task.parent === null && task.origin !== origin && !isByOthers(task.origin)
  }).length

/** A task that waits for one that was left out could never start: it is left out too. */
function withoutDangling(kept: readonly TaskAnswer[], left: readonly TaskAnswer[]): TaskAnswer[] {
  const gone = new Set(left.flatMap(({ id }) => id?.trim() ?? []))
  const dangling = kept.filter(({ dependsOn }) => dependsOn.some((name) => gone.has(name.trim())))
  if (gone.size === 0 || dangling.length === 0) return [...kept]
  return withoutDangling(
    kept.filter((answer) => !dangling.includes(answer)),
    [...left, ...dangling],
  )
}
