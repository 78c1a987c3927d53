/** Small queries on the state that several views share. */
import { firstNames } from '../../model/and-more.ts'
import { maxPassesOf } from '../../model/loop.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { scaffoldTask, type TaskStatus } from '../../model/task.ts'
import { money, plural, spent } from '../text/format.ts'
import type { Liveness } from '../status/liveness.ts'
import type { Paint } from '../text/paint.ts'
import { plain } from '../text/plain-text.ts'

export { elapsedMs } from '../../model/elapsed.ts'

export type ShownStatus = RunState['status'] | 'crashed'

/** A run with status running but without an engine has crashed. */
export const shownStatus = (state: Pick<RunState, 'status'>, { live }: Liveness): ShownStatus =>
  state.status === 'running' && !live ? 'crashed' : state.status

/** The reason for the run's status. */
export const reasonOf = ({ pause, reason }: RunState): string | null => pause?.detail ?? reason

/** Checks that failed on the base, before the first task. */
export const redOnBase = ({ baseline }: Pick<RunState, 'baseline'>): string[] =>
  (baseline?.checks ?? []).filter(({ passed }) => !passed).map(({ check }) => check)

/** Names in `repairs` that are no checks, with their tasks: such a name has no effect. */
export const unknownRepairs = ({ tasks, order, config }: Pick<RunState, 'tasks' | 'order' | 'config'>): string[] => {
  const known = new Set(config.checks.map(({ name }) => name))
  return order.flatMap((id) =>
    (tasks[id]?.repairs ?? []).filter((name) => !known.has(name)).map((name) => `${name} (${id})`),
  )
}

/** "applied to main at 1a2b3c4d, although test is red" */
export const appliedText = ({ commit, onto, red = [] }: Omit<NonNullable<RunState['applied']>, 'at'>): string =>
  `applied${onto === null ? '' : ` to ${onto}`} at ${commit.slice(0, 8)}`
  + (red.length === 0 ? '' : `, although ${red.join(', ')} ${red.length === 1 ? 'is' : 'are'} red on it`)

/** What a person did with the changes; empty while undecided. */
export const handedOver = ({ applied, discardedAt }: Pick<RunState, 'applied' | 'discardedAt'>): string =>
  facts(applied !== null && appliedText(applied), discardedAt !== null && 'discarded')

export function stageText({ stage, loop, pipeline }: RunState): string {
  const walked = stage === 'loop' && loop ? pipeline?.stages[loop.stage] : undefined
  if (!loop || !walked || walked.completion.kind === 'tasks-empty') return walked?.name ?? stage ?? 'starting'
  return facts(
    plain(walked.name, 40),
    `iteration ${Math.min(loop.iterations + 1, maxPassesOf(walked))} of ${maxPassesOf(walked)}`,
  )
}

/** Counts neither split tasks, whose children count instead, nor cancelled ones. */
export function tally(state: RunState): { done: number; total: number } {
  const { todo, doing, done, failed, blocked } = state.counts
  return { done, total: todo + doing + done + failed + blocked }
}

/** Tasks given up during the run, which the total excludes; tasks given up before it are not listed. */
export function skippedText({ tasks }: RunState): string {
  const skipped = Object.values(tasks).filter(
    ({ status, endedAt }) => status === 'cancelled' && endedAt !== null,
  ).length
  return skipped === 0 ? '' : `${skipped} skipped`
}

/** The task was done before the run first saw it, so the run need not prove it. */
export const isOlder = ({ status, origin, endedAt }: TaskState): boolean =>
  status === 'done' && origin === 'source' && endedAt === null

/** Done by the run or during it, without a check that Looper saw pass. */
export const isUnproven = (task: TaskState): boolean =>
  task.status === 'done' && task.evidence.length === 0 && !isOlder(task)

/** Another landing had made the same change, so the merge had nothing to commit. */
export const landedNothing = (
  { status, commit, attempts }: Pick<TaskState, 'status' | 'commit' | 'attempts'>,
  { config: { workspace } }: Pick<RunState, 'config'>,
): boolean =>
  status === 'done' && commit === null && attempts > 0 && (workspace.mode === 'worktree' || workspace.commit)

/** Completed, although Looper saw no check pass. */
export function isUnverified({ status, tasks, gate, loop, order }: RunState): boolean {
  if (status !== 'completed' || gate.checks.some(({ passed }) => passed)) return false
  // A loop that changed no file has nothing to prove, and neither has a run that found everything done.
  if (loop && loop.verified === loop.landed && order.length === 0) return false
  const done = Object.values(tasks).filter((task) => task.status === 'done')
  return !done.some((task) => task.evidence.length > 0) && !(done.length > 0 && done.every(isOlder))
}

/** A summary of a loop's passes, in one line; empty when the run has no loop. */
export function passesText({ loop }: RunState): string {
  if (!loop) return ''
  const byStage = new Map<string, number>()
  for (const { name } of loop.entries) byStage.set(name, (byStage.get(name) ?? 0) + 1)
  const stages = [...byStage].map(([name, count]) => `${plain(name, 40)} ${count}`)
  return facts(
    plural(loop.entries.length, 'iteration'),
    byStage.size > 1 && stages.join(', '),
    loop.landed > 0 && `${loop.landed} landed`,
  )
}

export const taskMarks: Record<TaskStatus, string> = {
  done: '✓',
  failed: '✗',
  doing: '●',
  todo: '○',
  blocked: '⏸',
  split: '⑂',
  cancelled: '–',
}

export const taskStatuses = Object.keys(taskMarks) as TaskStatus[]

const tones: Record<TaskStatus, keyof Paint> = {
  done: 'good',
  failed: 'bad',
  doing: 'busy',
  todo: 'faint',
  blocked: 'warn',
  split: 'faint',
  cancelled: 'faint',
}
export const paintedMark = (status: TaskStatus, paint: Paint): string => paint[tones[status]](taskMarks[status])

/** Tasks in their order, each below its parent. */
export function taskTree(state: RunState): { task: TaskState; level: number }[] {
  const below = new Map<string | null, TaskState[]>()
  // The scaffold task is added after the plan, but runs before it.
  const ground = state.tasks[scaffoldTask] === undefined ? [] : [scaffoldTask]
  for (const id of [...ground, ...state.order.filter((each) => each !== scaffoldTask)]) {
    const task = state.tasks[id]
    if (task === undefined) continue
    const parent =
      task.parent !== null && state.tasks[task.parent] !== undefined && task.parent !== id ? task.parent : null
    const siblings = below.get(parent)
    if (siblings === undefined) below.set(parent, [task])
    else siblings.push(task)
  }
  const tree: { task: TaskState; level: number }[] = []
  const walk = (parent: string | null, level: number): void => {
    for (const task of below.get(parent) ?? []) {
      tree.push({ task, level })
      walk(task.id, level + 1)
    }
  }
  walk(null, 0)
  return tree
}

export const openQuestions = (state: RunState): RunState['questions'] =>
  state.questions.filter((question) => question.answer === null)

/** "blocked (external)"; a task that waits for an answer has no such suffix. */
export const blockedText = ({ block, question }: Pick<TaskState, 'block' | 'question'>): string =>
  `blocked${block === null || question !== undefined ? '' : ` (${block})`}`

/** " (2 | 4)" */
export const optionsText = (options: readonly string[]): string =>
  options.length === 0 ? '' : ` (${options.map((option) => plain(option, 60)).join(' | ')})`

/** Joins the non-empty parts with the dot that separates facts on a line. */
export const facts = (...parts: (string | null | undefined | false)[]): string =>
  parts.filter((part) => part).join(' · ')

/** The cost, and the limit. */
export function costText({ usage, config }: RunState): string {
  const limit = config.limits.costUsd
  return usage.costUsd > 0 && limit !== null && limit > 0 ? `${spent(usage)} of ${money(limit)}` : spent(usage)
}

const mostNamed = 5

/** The first few names, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  firstNames(
    names.map((name) => plain(name, 60)),
    mostNamed,
  )

/**
 * With evidence, the tasks are those that it blames, and the rollback may have undone more. Without, they are all that
 * were undone.
 */
export function rolledBackFor(tasks: readonly string[], evidence: string): string {
  if (tasks.length === 0) return 'Rolled back'
  return evidence === '' ? `Rolled back: ${listed(tasks)}` : `Rolled back because of ${listed(tasks)}`
}
