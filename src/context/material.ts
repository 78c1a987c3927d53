/** Renders the parts of a run as text for agents: complete, plain, and without advice. */
import type { CheckRecord, Failure } from '../model/event.ts'
import { isObject } from '../model/object.ts'
import type { PlannerResult, TaskAnswer } from '../model/results.ts'
import type { RunState, TaskState } from '../model/state.ts'
import type { TaskSpec } from '../model/task.ts'
import type { Verdict } from '../model/verdict.ts'
import { duration } from '../views/text/format.ts'
import { plain } from '../views/text/plain-text.ts'
import { facts, taskTree } from '../views/facts/progress.ts'

export const lines = (...parts: (string | false | null | undefined)[]): string =>
  parts.filter((part) => part).join('\n')
export const bullets = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
const titled = (title: string, items: readonly string[] = []): string =>
  items.length === 0 ? '' : `${title}:\n${bullets(items)}`

export const taskText = (task: TaskSpec & Pick<TaskState, 'granted'>): string =>
  lines(
    `${task.id}: ${plain(task.title)}`,
    facts(`complexity: ${task.complexity}`, task.type !== null && `type: ${plain(task.type)}`, after(task.dependsOn)),
    task.description,
    titled('Files it is expected to touch', task.files),
    titled('Checks of its own', task.checks),
    titled('Red checks that it is to fix', task.repairs ?? []),
    titled('What it may weaken', [...(task.allows ?? []), ...(task.granted ?? [])]),
  )

const after = (ids: readonly string[] = []): string =>
  ids.length === 0 ? '' : `after ${ids.map((id) => plain(id)).join(', ')}`

export const numbered = (items: readonly string[]): string =>
  items.map((item, index) => `${index + 1}. ${item}`).join('\n')

/** With more tasks than this, an agent that works on one task gets only the tasks around it. */
const manyTasks = 80
const nearby = 20

/** One line per task, children below their parents. */
export function overviewText(state: RunState, current: string | null): string {
  const task = current === null ? undefined : state.tasks[current]
  if (task !== undefined && state.order.length > manyTasks)
    return [countsText(state), ...near(state, task).map((other) => lineOf(other, current))].join('\n')
  return taskTree(state)
    .map(({ task: each, level }) => `${'  '.repeat(level)}${lineOf(each, current)}`)
    .join('\n')
}

const lineOf = (task: TaskState, current: string | null): string =>
  `${task.id} [${task.status}] ${wording(task)}${task.id === current ? ' ← this task' : ''}`

function countsText({ counts, order }: RunState): string {
  const lines = Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`)
  return `${order.length} tasks: ${lines.join(', ')}. These are near this one:`
}

/**
 * The task's neighbors in the plan, its parent and children, its dependencies and dependents, and the tasks in
 * progress.
 */
function near(state: RunState, { id, index, parent, dependsOn, children }: TaskState): TaskState[] {
  const neighbors = state.order.slice(Math.max(0, index - nearby), index + nearby + 1)
  const ids = new Set([
    ...neighbors,
    ...dependsOn,
    ...(state.dependents[id] ?? []),
    ...children,
    ...state.active,
    ...(parent === null ? [] : [parent]),
  ])
  return [...ids].flatMap((each) => state.tasks[each] ?? []).toSorted((a, b) => a.index - b.index)
}

/** Caches the part of a task's text that rarely changes, because every prompt of the run contains it. */
const wordings = new WeakMap<TaskState, Pick<TaskState, 'title' | 'dependsOn'> & { text: string }>()

function wording(task: TaskState): string {
  const { title, dependsOn } = task
  const known = wordings.get(task)
  if (known?.title === title && known.dependsOn === dependsOn) return known.text
  const text = facts(plain(title, 120), after(dependsOn))
  wordings.set(task, { title, dependsOn, text })
  return text
}

/** A recorded answer, which was checked when it came; one of an earlier version may have fewer fields. */
export function planText(answer: unknown): string {
  if (!isObject(answer)) return JSON.stringify(answer, null, 2) ?? ''
  const plan: Partial<PlannerResult> = answer
  const { analysis = '', tasks = [], decisions = [], questions = [] } = plan
  return [
    analysis,
    ...tasks.map(answerText),
    titled('Risks', plan.risks),
    titled('Assumptions', plan.assumptions),
    titled(
      'Decisions',
      decisions.map(({ title, choice, context }) => facts(plain(title), plain(choice), plain(context))),
    ),
    titled(
      'Questions',
      questions.map(({ text, default: preset }) => plain(preset === null ? text : `${text} (default: ${preset})`)),
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const answerText = (task: Partial<TaskAnswer>, index: number): string =>
  lines(
    `${plain(task.id ?? `task ${index + 1}`)}: ${plain(task.title ?? '')}`,
    facts(`complexity: ${task.complexity ?? 'medium'}`, after(task.dependsOn)),
    task.description,
    titled('Criteria', task.criteria),
    titled('Checks', task.checks),
    titled('Files', task.files),
    titled('Is to fix these red checks', task.repairs),
    titled('May weaken tests or checks', task.allows),
  )

/** A failure with its details. */
export const failureText = ({ kind, summary, detail }: Failure): string =>
  lines(`${kind}: ${summary}`, detail.trim() !== '' && detail !== summary && detail)

export function verdictText({ score, summary, feedback, issues, missing }: Verdict): string {
  const all = [
    ...issues.map(({ severity, message }) => `${severity}: ${message}`),
    ...missing.map((what) => `missing: ${what}`),
  ]
  return lines(`Score ${score} of 100.`, summary, feedback, bullets(all))
}

export function checkText(check: CheckRecord): string {
  const result = check.passed ? 'passed' : check.usable ? 'FAILED' : 'does not count'
  const exit = check.exitCode === null ? 'no exit code' : `exit code ${check.exitCode}`
  const numbers = facts(
    result,
    exit,
    check.tests !== null && `${check.tests} tests`,
    duration(check.durationMs),
    check.note,
  )
  return lines(
    `${plain(check.check)}: ${numbers}`,
    check.tail.trim() !== '' && check.tail.trimEnd().replace(/^/gm, '  '),
  )
}

const provedBy = ({ evidence }: TaskState): string =>
  evidence
    .map(({ check, exitCode, hidden }) => `${hidden ? 'a held-out check' : plain(check)} (exit code ${exitCode})`)
    .join(', ')

/** A task with its evidence, for a judge of the whole run. */
export const evidenceText = (task: TaskState): string =>
  lines(
    `${task.id} [${task.status}] ${plain(task.title)}`,
    task.status === 'done' && `  evidence: ${provedBy(task) || 'none, unverified'}`,
    task.verdict !== null && `  supervisor: score ${task.verdict.score}, ${plain(task.verdict.summary, 300)}`,
    task.reason !== null && task.status !== 'done' && `  reason: ${plain(task.reason, 300)}`,
    ...task.criteria.map((criterion) => `  - ${plain(criterion)}`),
  )
