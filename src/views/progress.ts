/** Small readings of the state that several views share. */
import { iterationsOf } from '../model/loop.ts'
import type { RunState, TaskState } from '../model/state.ts'
import { scaffoldTask, type TaskStatus } from '../model/task.ts'
import { msBetween } from '../model/time.ts'
import { waitedFor } from '../model/waiting-reason.ts'
import { money, plural, spent } from './format.ts'
import type { Liveness } from './liveness.ts'
import type { Paint } from './paint.ts'
import { plain } from './plain-text.ts'

export type ShownStatus = RunState['status'] | 'crashed'

/** A run that says it is running while nobody runs it has crashed. */
export const shownStatus = (state: Pick<RunState, 'status'>, { live }: Liveness): ShownStatus =>
  state.status === 'running' && !live ? 'crashed' : state.status

/** Why the run stands where it stands. */
export const reasonOf = ({ status, pause, reason }: RunState): string | null =>
  status === 'paused' ? (pause?.detail ?? reason) : reason

/** Checks that were red before anybody touched anything. */
export const redOnBase = ({ baseline }: Pick<RunState, 'baseline'>): string[] =>
  (baseline?.checks ?? []).filter(({ passed }) => !passed).map(({ check }) => check)

/** What a rollback went to, in the words that `looper rollback --to` takes. */
export const placeText = (to: string, checkpoint: string | null, { base }: Pick<RunState, 'base'>): string =>
  checkpoint ?? (to === base.commit ? 'the base' : to.slice(0, 8))

/** "applied to main at 1a2b3c4d" */
export const appliedText = ({ commit, onto }: { commit: string; onto: string | null }): string =>
  `applied${onto === null ? '' : ` to ${onto}`} at ${commit.slice(0, 8)}`

/** What a person did with the changes; empty while that is open. */
export const handedOver = ({ applied, discardedAt }: Pick<RunState, 'applied' | 'discardedAt'>): string =>
  facts(applied !== null && appliedText(applied), discardedAt !== null && 'discarded')

export function stageText({ stage, loop, pipeline }: RunState): string {
  const walked = stage === 'loop' && loop ? pipeline?.stages[loop.stage] : undefined
  if (!loop || !walked || walked.completion.kind === 'tasks-empty') return walked?.name ?? stage ?? 'starting'
  return facts(
    plain(walked.name, 40),
    `iteration ${Math.min(loop.iterations + 1, iterationsOf(walked))} of ${iterationsOf(walked)}`,
  )
}

/** Split tasks live on in their children and cancelled ones are no longer wanted: neither counts. */
export function tally(state: RunState): { done: number; total: number } {
  const { todo, doing, done, failed, blocked } = state.counts
  return { done, total: todo + doing + done + failed + blocked }
}

/** Given up during the run, and so not in the total; what had been given up before is no news. */
export function skippedText({ tasks }: RunState): string {
  const skipped = Object.values(tasks).filter(
    ({ status, endedAt }) => status === 'cancelled' && endedAt !== null,
  ).length
  return skipped === 0 ? '' : `${skipped} skipped`
}

/** Running time up to `now`, an ISO time; without one, up to the last event. */
export const elapsedMs = (state: RunState, now = state.lastAt): number =>
  state.elapsedMs + (state.activeSince === null ? 0 : Math.max(0, msBetween(state.activeSince, now)))

/** It was done when the run first heard of it: not the run's work, so nothing that the run has to prove. */
export const isOlder = ({ status, origin, endedAt }: TaskState): boolean =>
  status === 'done' && origin === 'source' && endedAt === null

/** Done by the run or during it, without a check that Looper saw pass. */
export const isUnproven = (task: TaskState): boolean =>
  task.status === 'done' && task.evidence.length === 0 && !isOlder(task)

/** Others had made the same change meanwhile: it was merged, and there was nothing to commit. */
export const landedNothing = (
  { status, commit, attempts }: Pick<TaskState, 'status' | 'commit' | 'attempts'>,
  { config: { workspace } }: Pick<RunState, 'config'>,
): boolean =>
  status === 'done' && commit === null && attempts > 0 && (workspace.mode === 'worktree' || workspace.commit)

/** Completed, and yet Looper saw no check pass. */
export function isUnverified({ status, tasks, gate, loop, order }: RunState): boolean {
  if (status !== 'completed' || gate.checks.some(({ passed }) => passed)) return false
  // A loop that changed no file has nothing to prove, nor has a run that found everything done.
  if (loop && loop.verified === loop.landed && order.length === 0) return false
  const done = Object.values(tasks).filter((task) => task.status === 'done')
  return !done.some((task) => task.evidence.length > 0) && !(done.length > 0 && done.every(isOlder))
}

/** What a loop's stages came to, in a line; empty when the run is none. */
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

/** Tasks in their order, each below the one it came from. */
export function taskTree(state: RunState): { task: TaskState; level: number }[] {
  const below = new Map<string | null, TaskState[]>()
  // What lays the ground is added when the plan is there, and comes before it.
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

/** "blocked (external)"; who waits for an answer is blocked by nothing but that. */
export const blockedText = ({ block, reason }: Pick<TaskState, 'block' | 'reason'>): string =>
  `blocked${block === null || waitedFor(reason) !== null ? '' : ` (${block})`}`

/** " (2 | 4)" */
export const optionsText = (options: readonly string[]): string =>
  options.length === 0 ? '' : ` (${options.map((option) => plain(option, 60)).join(' | ')})`

/** Joins what there is with the dot that separates facts on a line. */
export const facts = (...parts: (string | null | undefined | false)[]): string =>
  parts.filter((part) => part).join(' · ')

/** What was spent, and of how much. */
export function costText({ usage, config }: RunState): string {
  const limit = config.limits.costUsd
  return usage.costUsd > 0 && limit !== null && limit > 0 ? `${spent(usage)} of ${money(limit)}` : spent(usage)
}

const mostNamed = 5

/** The first few by name, and how many more there are. */
export function listed(names: readonly string[]): string {
  const more = names.length - mostNamed
  return `${names
    .slice(0, mostNamed)
    .map((name) => plain(name, 60))
    .join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Where there is evidence, the tasks are those it speaks against, and more may have gone with them; else they are all
 * that went.
 */
export function rolledBackFor(tasks: readonly string[], evidence: string): string {
  if (tasks.length === 0) return 'Rolled back'
  return evidence === '' ? `Rolled back: ${listed(tasks)}` : `Rolled back because of ${listed(tasks)}`
}
