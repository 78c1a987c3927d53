/** The severity of a finding, and whether it was fixed since. */
import type { RunState, TaskState } from '../../model/state.ts'
import { passIn } from '../../model/work-id.ts'

type Finding = RunState['findings'][number]

export const severityWords = (state: RunState, finding: Finding): string =>
  isFixed(state, finding) ? `${finding.severity}, fixed since` : finding.severity

/** A blocker is checked again after every turn: a task or pass that got past the check has fixed or dropped it. */
function isFixed({ tasks, loop }: RunState, { severity, task, origin }: Finding): boolean {
  if (severity !== 'BLOCKER') return false
  const isPast = ({ status, attempt, children }: TaskState): boolean =>
    status === 'done'
    || (attempt?.checks.length ?? 0) > 0
    || (status === 'split' && children.flatMap((id) => tasks[id] ?? []).every(isPast))
  if (task !== null) return tasks[task] !== undefined && isPast(tasks[task])
  const found = passIn(origin)
  if (!loop || found === null) return false
  const isBlocked = ['tamper', 'secret'].includes(loop.failure?.kind ?? '')
  return loop.stage + 1 > found.stage || (loop.iterations >= found.pass && !isBlocked)
}
