/** The graph of tasks in the state, and its indexes: which tasks are ready, which are active, which depend on which. */
import { LooperError } from '../../model/error.ts'
import { isSatisfied } from '../../model/split-tasks.ts'
import type { RunState, TaskStatusFields, TaskState } from '../../model/state.ts'
import { compareIds } from '../../model/source.ts'
import {
  repairOrigin,
  type BlockKind,
  type TaskEdit,
  type TaskSpec,
  type TaskStatus,
  type Was,
} from '../../model/task.ts'
import { noUsage } from '../../model/usage.ts'
import { setFields } from '../../model/set-fields.ts'

/** For ids from people and agents: a name such as `constructor`, which every object inherits, is not a task. */
export const findTask = (state: RunState, id: string): TaskState | undefined =>
  Object.hasOwn(state.tasks, id) ? state.tasks[id] : undefined

export function taskOf(state: RunState, id: string): TaskState {
  const task = findTask(state, id)
  if (!task) throw new LooperError('BUG_INVARIANT', `There is no task ${id}`)
  return task
}

export function addTask(state: RunState, spec: TaskSpec, origin: string, was?: Was): void {
  if (state.tasks[spec.id]) return
  const { id, title, description, complexity, type, dependsOn, criteria, checks, files, priority, parent, depth } = spec
  // Lists every key for speed: V8 builds an object literal that starts with a spread key by key, which is many times
  // slower.
  const task: TaskState = {
    id,
    title,
    description,
    complexity,
    type,
    dependsOn,
    criteria,
    checks,
    files,
    priority,
    parent,
    depth,
    origin,
    index: state.order.length,
    status: 'todo',
    reason: null,
    block: null,
    attempts: 0,
    attemptsLeft: state.config.limits.attempts ?? Number.MAX_SAFE_INTEGER,
    fixCycles: 0,
    conflicts: 0,
    attempt: null,
    next: null,
    failures: [],
    evidence: [],
    verdict: null,
    commit: null,
    summary: null,
    children: [],
    waitingOn: 0,
    usage: { ...noUsage },
    startedAt: null,
    endedAt: null,
  }
  if (spec.repairs) task.repairs = spec.repairs
  if (spec.allows) task.allows = spec.allows
  if (spec.byAgent) task.byAgent = spec.byAgent
  if (was?.status === 'doing') task.begun = true
  state.tasks[spec.id] = task
  state.order.push(spec.id)
  state.counts.todo++
  if (spec.parent !== null) {
    const whole = taskOf(state, spec.parent)
    whole.children.push(spec.id)
    if (whole.alternate) task.alternate = whole.alternate
  }
  waitForRepairs(state, task)
  waitFor(state, task)
  if (task.waitingOn === 0) insertReady(state, task)
  if (was === undefined || was.status === 'doing') return
  task.reason = was.reason
  if (was.status !== 'blocked') return setStatus(state, task, was.status)
  task.doneBefore = state.backlog?.finished ?? 0
  setBlocked(state, task, 'external')
}

/** Tasks that repair the base come before all others: those that are there already, and those that are added later. */
function waitForRepairs(state: RunState, task: TaskState): void {
  const { repairs = [] } = state
  if (task.origin === repairOrigin) {
    state.repairs = [...repairs, task.id]
    for (const id of state.order) {
      const other = taskOf(state, id)
      if (other.status === 'todo' && !state.repairs.includes(id))
        editTask(state, other, { dependsOn: [...other.dependsOn, task.id] })
    }
    // A part of a split task waits for what the whole task waited for.
  } else if (repairs.length > 0 && task.parent === null) {
    task.dependsOn = [...new Set([...task.dependsOn, ...repairs])]
  }
}

function waitFor(state: RunState, task: TaskState): void {
  task.waitingOn = 0
  for (const dependency of task.dependsOn) {
    ;(state.dependents[dependency] ??= []).push(task.id)
    const known = state.tasks[dependency]
    if (!known || !isSatisfied(state, known)) task.waitingOn++
  }
}

/** Changes the definition of a task, not its status. */
export function editTask(state: RunState, task: TaskState, edit: TaskEdit): void {
  remove(state.ready, task.id)
  if (edit.dependsOn !== undefined)
    for (const dependency of task.dependsOn) remove(state.dependents[dependency] ?? [], task.id)
  if (task.status === 'done') state.met -= criteriaOf(task)
  setFields(task, edit)
  if (task.status === 'done') state.met += criteriaOf(task)
  if (edit.dependsOn !== undefined) waitFor(state, task)
  if (task.status === 'todo' && task.waitingOn === 0) insertReady(state, task)
}

/** What people have granted a task: the newest answer to each question counts, so that a refusal takes it back. */
export function updateGranted({ tasks, questions }: RunState, id: string): void {
  const task = tasks[id]
  if (!task) return
  const asked = questions.filter(({ blocks }) => blocks.includes(id))
  const granted = [...new Set(asked.flatMap((question) => question.granted ?? []))]
  if (granted.length > 0) task.granted = granted
  else delete task.granted
}

/** A task without criteria counts as one. */
export const criteriaOf = ({ criteria }: TaskState): number => Math.max(1, criteria.length)

/** Changes the status of a task that nothing blocks. */
export const setStatus = (state: RunState, task: TaskState, status: Exclude<TaskStatus, 'blocked'>): void =>
  move(state, task, { status, block: null })

export const setBlocked = (state: RunState, task: TaskState, block: BlockKind): void =>
  move(state, task, { status: 'blocked', block })

/** Keeps all indexes consistent. */
function move(state: RunState, task: TaskState, fields: TaskStatusFields): void {
  const { status } = fields
  const before = isSatisfied(state, task)
  state.counts[task.status]--
  state.counts[status]++
  if (task.status === 'done') state.met -= criteriaOf(task)
  if (status === 'done') state.met += criteriaOf(task)
  if (task.status === 'todo') remove(state.ready, task.id)
  if (task.status === 'doing') remove(state.active, task.id)
  setFields(task, fields)
  if (status === 'todo' && task.waitingOn === 0) insertReady(state, task)
  if (status === 'doing') state.active.push(task.id)
  const after = isSatisfied(state, task)
  if (before !== after) satisfactionChanged(state, task, after ? -1 : 1)
}

function satisfactionChanged(state: RunState, task: TaskState, change: 1 | -1): void {
  for (const id of state.dependents[task.id] ?? []) {
    const dependent = taskOf(state, id)
    dependent.waitingOn += change
    if (dependent.status !== 'todo') continue
    if (dependent.waitingOn === 0) insertReady(state, dependent)
    else remove(state.ready, id)
  }
  if (task.parent === null) return
  const parent = taskOf(state, task.parent)
  if (parent.status !== 'split') return
  const others = parent.children.every((child) => child === task.id || isSatisfied(state, taskOf(state, child)))
  if (others) satisfactionChanged(state, parent, change)
}

/**
 * In a backlog: tasks that were already begun, then by priority and id. In a plan: by priority, then in planned order.
 */
function precedes(state: RunState, a: TaskState, b: TaskState): boolean {
  if (state.backlog === null) return a.priority < b.priority || (a.priority === b.priority && a.index < b.index)
  if (a.begun !== b.begun) return a.begun === true
  if (a.begun !== true && a.priority !== b.priority) return a.priority < b.priority
  return compareIds(a.id, b.id) < 0
}

function insertReady(state: RunState, task: TaskState): void {
  const before = (id: string): boolean => precedes(state, taskOf(state, id), task)
  let low = 0
  let high = state.ready.length
  while (low < high) {
    const middle = (low + high) >> 1
    const id = state.ready[middle]
    if (id !== undefined && before(id)) low = middle + 1
    else high = middle
  }
  if (state.ready[low] !== task.id) state.ready.splice(low, 0, task.id)
}

function remove(list: string[], id: string): void {
  const at = list.indexOf(id)
  // `shift` removes the first of thousands without moving the others.
  if (at === 0) list.shift()
  else if (at > 0) list.splice(at, 1)
}

/** Counts the tasks that carry work themselves: neither split nor cancelled. */
export const leafCount = (state: RunState): number => state.order.length - state.counts.split - state.counts.cancelled
