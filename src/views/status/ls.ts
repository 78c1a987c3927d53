/** The tasks of a run as a tree, each with its evidence: `looper ls`, and the middle of `looper status`. */
import type { RunState, TaskState } from '../../model/state.ts'
import type { Evidence, TaskStatus } from '../../model/task.ts'
import { align } from '../text/columns.ts'
import { plural, spent } from '../text/format.ts'
import { noPaint, type Paint } from '../text/paint.ts'
import { shortRuns } from '../text/name-run.ts'
import { plain } from '../text/plain-text.ts'
import { blockedText, facts, isOlder, isUnproven, paintedMark, shownStatus, taskTree } from '../facts/progress.ts'

interface TaskOptions {
  /** False for a run that has crashed, whose state does not say so. */
  live?: boolean
  /** Selects one status. */
  only?: TaskStatus | null
}

export function lsText(state: RunState, paint: Paint = noPaint, options: TaskOptions = {}): string {
  if (state.order.length === 0) return `${state.run} has no tasks yet.\n`
  const lines = taskLines(state, paint, options)
  return lines.length === 0 ? 'No tasks.\n' : `${lines.join('\n')}\n`
}

export function taskLines(state: RunState, paint: Paint, { live = true, only = null }: TaskOptions = {}): string[] {
  const isRunning = shownStatus(state, { live }) === 'running'
  const rests = ({ status }: TaskState): boolean => status === 'doing' && !isRunning
  const tree = taskTree(state).filter(({ task }) => only === null || task.status === only)
  const rows = tree.map(({ task, level }) => [
    `${'  '.repeat(level)}${paintedMark(rests(task) ? 'todo' : task.status, paint)} ${task.id}`,
    plain(task.title, 56),
    rests(task) ? `attempt ${task.attempts} continues with the run` : taskFacts(task, paint),
  ])
  const lines = align(rows)
  return tree.flatMap(({ task, level }, index) => {
    const why =
      task.reason !== null && task.status !== 'done'
        ? [`${'  '.repeat(level + 1)}${paint.faint(plain(shortRuns(task.reason), 110))}`]
        : []
    return [lines[index] ?? '', ...why]
  })
}

/** Facts about a task, evidence first: a task done without evidence says so. */
function taskFacts(task: TaskState, paint: Paint): string {
  const tries = facts(
    task.attempts > 1 && plural(task.attempts, 'attempt'),
    task.fixCycles > 0 && plural(task.fixCycles, 'fix', 'fixes'),
  )
  switch (task.status) {
    case 'done':
      return facts(evidenceText(task, paint), tries, spent(task.usage))
    case 'doing':
      return facts(`attempt ${task.attempts}`, task.fixCycles > 0 && `fix ${task.fixCycles}`)
    case 'todo':
      return facts(task.dependsOn.length > 0 && `after ${task.dependsOn.join(', ')}`, tries)
    case 'failed':
      return facts(paint.bad('failed'), tries)
    case 'blocked':
      return facts(paint.warn(blockedText(task)), tries)
    case 'split':
      return `split${task.children.length > 0 ? ` into ${task.children.join(', ')}` : ''}`
    case 'cancelled':
      return 'skipped'
  }
}

const evidenceText = (task: TaskState, paint: Paint): string =>
  isUnproven(task)
    ? paint.warn(task.unchanged ? 'changed nothing, unverified' : 'unverified')
    : isOlder(task)
      ? paint.faint('done before this run')
      : paint.good(task.evidence.map(evidenceOf).join(', '))

const evidenceOf = ({ check, exitCode, flaky, noWorse }: Evidence): string => {
  const how = noWorse ? 'no worse than before' : exitCode === 0 ? '✓' : `exit ${exitCode}`
  return `${plain(check, 30)} ${how}${flaky ? ' (flaky)' : ''}`
}
