/**
 * Tasks that Looper adds itself: each repairs one red check of the base, and all other tasks wait for them.
 */
import type { Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import { repairOrigin, type TaskSpec } from '../../model/task.ts'
import { recordAny, type Proposal } from '../proposal.ts'
import { taskCancelled } from '../tasks/task-ends.ts'
import { numberedId } from '../../model/task-id.ts'

/** The repairs that the baseline asks for and that are not recorded yet; null when there is nothing to record. */
export function repairFirst(state: RunState): Proposal | null {
  const { baseline, config, order, tasks, loop } = state
  if (config.baseline !== 'fix-first' || baseline === null || loop !== null) return null
  const own = order.flatMap((id) => tasks[id] ?? []).filter(({ origin }) => origin === repairOrigin)
  const red = baseline.checks.filter(({ passed }) => !passed).map(({ check }) => check)
  const missing = red.filter((check) => !own.some(({ repairs = [] }) => repairs.includes(check)))
  const needless = own.filter(
    ({ status, repairs = [] }) => status === 'todo' && !repairs.some((it) => red.includes(it)),
  )
  const facts = [
    ...missing.map((check, index): Fact => ({
      type: 'task.added',
      task: repairTask(numberedId(own.length + index + 1, 'B'), check, commandOf(state, check)),
      origin: repairOrigin,
    })),
    ...needless.map(({ id }) => taskCancelled(id, 'its check passes now')),
  ]
  return recordAny(facts)
}

const commandOf = ({ config }: RunState, name: string): string =>
  config.checks.find((check) => check.name === name)?.run ?? name

const repairTask = (id: string, check: string, command: string): TaskSpec => ({
  id,
  title: `Make check ${check} pass`,
  description: `\`${command}\` fails on the base. Find the cause and repair it. Do not weaken a test or the check.`,
  complexity: 'medium',
  type: 'repair',
  dependsOn: [],
  criteria: [`\`${command}\` passes`],
  checks: [],
  files: [],
  repairs: [check],
  priority: -2,
  parent: null,
  depth: 0,
})
