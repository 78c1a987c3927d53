/**
 * The task source in the virtual world. `file`: a twin of the backlog file, which stores updates when it settles and
 * loses deferred ones with its process. `shared`: a source that others use as well, which stores everything at once.
 */
import { LooperError } from '../model/error.ts'
import type { SourceStatus, SourceTask, TaskStore } from '../model/source.ts'
import type { Memory, SourceSnapshot } from '../sources/sync-state.ts'
import { fromSource, toSource, type FileTask } from '../sources/todo-file/task.ts'
import type { HandEdit, PlannedTask, SourceScenario } from './scenario.ts'
import type { Random } from './random.ts'
import { pass, type Life, type VirtualClock } from './virtual-clock.ts'
import { createFileStore } from './virtual-file-store.ts'
import type { Access, SharedBacklog } from './shared-backlog.ts'
import { createSharedStore, sharedTasks } from './virtual-shared-store.ts'

export interface Edited {
  task: string | null
  was: SourceStatus | null
  now: SourceTask | null
}

export interface VirtualSource {
  open(life: Life): { store: TaskStore; memory: Memory }
  /** The edited tasks with their new state; empty when the edit does not apply. */
  edit(edit: HandEdit): Edited[]
  /** Makes the source unreachable for this long. */
  goDown(ms: number): void
  tasks(): SourceTask[]
  isOthers(id: string): boolean
}

export interface SourceOptions {
  scenario: { plan: readonly PlannedTask[]; source: SourceScenario }
  clock: VirtualClock
  random: Random
  isFull: () => boolean
  onClaim: Access['onClaim']
  onReplaced: Access['onReplaced']
}

const startOf = '2026-01-01T00:00:00.000Z'
const other = 'other'

export function createVirtualSource({
  scenario,
  clock,
  random,
  isFull,
  onClaim,
  onReplaced,
}: SourceOptions): VirtualSource {
  const { kind, content: holds } = scenario.source
  const backlog: SharedBacklog = {
    tasks:
      holds === 'nothing'
        ? []
        : scenario.plan.map((task) => ({
            ...fromSource(sourceTask(task), startOf),
            ...(kind === 'shared' && task.status === 'doing' ? { assignee: other } : {}),
          })),
    root: {},
    condition: holds === 'rubbish' ? 'broken' : 'whole',
    version: 1,
    isDown: false,
  }
  let remembered: Record<string, SourceSnapshot> | null = null
  let renames = 0

  const write = (): void => {
    if (isFull()) throw new LooperError('ENVIRONMENT_DISK_FULL', 'to-do.json: no space left')
  }
  const accessOf = (life: Life): Access => ({
    backlog,
    write,
    onReplaced,
    onClaim,
    pause: () => pass(clock, life, random.int(1, 25)),
  })
  const change = (at: number, fields: Record<string, unknown>): void => {
    backlog.tasks = backlog.tasks.map((task, index) => (index === at ? { ...task, ...fields } : task))
  }
  const statusAt = (at: number): SourceStatus | null => {
    const task = backlog.tasks[at]
    return task ? toSource(task).status : null
  }

  /** False when the edit does not apply. */
  function apply(edit: Exclude<HandEdit, { do: 'break' | 'repair' }>): boolean {
    if (edit.do === 'add') {
      if (backlog.tasks.some(({ id }) => id === edit.id)) return false
      const on = backlog.tasks[edit.after ?? -1]?.['id']
      backlog.tasks = [
        ...backlog.tasks,
        {
          id: edit.id,
          title: `by hand ${edit.id}`,
          priority: edit.priority,
          status: 'todo',
          depends_on: on === undefined ? [] : [on],
        },
      ]
      return true
    }
    const status = statusAt(edit.nth)
    if (status === null) return false
    switch (edit.do) {
      case 'rename':
        change(edit.nth, { title: `renamed ${++renames}` })
        return true
      case 'rank':
        change(edit.nth, { priority: edit.priority })
        return true
      case 'remove':
        backlog.tasks = backlog.tasks.filter((_, index) => index !== edit.nth)
        return true
      case 'reopen':
        if (status === 'todo') return false
        change(edit.nth, { status: 'todo', blockers: [], assignee: '' })
        return true
      case 'close':
        if (status === edit.as) return false
        change(edit.nth, { status: edit.as, assignee: '', ...(edit.as === 'blocked' ? { blockers: ['by hand'] } : {}) })
        return true
      case 'take':
        if (kind === 'file' || (status !== 'todo' && status !== 'blocked') || backlog.tasks[edit.nth]?.['assignee'])
          return false
        change(edit.nth, { status: 'doing', assignee: other })
        return true
    }
  }

  /** Fixes everything that is invalid; returns the tasks that had to change. */
  function repair(): FileTask[] {
    backlog.condition = 'whole'
    const ids = new Set(backlog.tasks.map(({ id }) => id))
    const wrong = backlog.tasks.filter((task) => toSource(task).dependsOn.some((id) => !ids.has(id)))
    backlog.tasks = backlog.tasks.map((task) =>
      wrong.includes(task) ? { ...task, depends_on: toSource(task).dependsOn.filter((id) => ids.has(id)) } : task,
    )
    return wrong
  }

  const nowOf = (task: string, was: SourceStatus | null): Edited => {
    const now = backlog.tasks.find(({ id }) => id === task)
    return { task, was, now: now ? toSource(now) : null }
  }

  return {
    open(life) {
      const access = accessOf(life)
      return {
        store: kind === 'file' ? createFileStore(access) : createSharedStore(access),
        memory: {
          async load() {
            await access.pause()
            return remembered === null ? null : structuredClone(remembered)
          },
          async save(seen) {
            await access.pause()
            write()
            remembered = structuredClone(seen)
          },
        },
      }
    },
    edit(edit) {
      if (edit.do === 'repair' || edit.do === 'break') {
        if (kind === 'shared') return []
        const wrong = edit.do === 'repair' ? repair() : []
        if (edit.do === 'break') backlog.condition = 'broken'
        backlog.version++
        return [
          { task: null, was: null, now: null },
          ...wrong.map((task) => nowOf(String(task['id']), toSource(task).status)),
        ]
      }
      const named = edit.do === 'add' ? edit.id : String(backlog.tasks[edit.nth]?.['id'])
      const was = edit.do === 'add' ? null : statusAt(edit.nth)
      if (backlog.condition !== 'whole' || !apply(edit)) return []
      backlog.version++
      return [nowOf(named, was)]
    },
    goDown(ms) {
      backlog.isDown = true
      clock.after(ms, () => {
        backlog.isDown = false
      })
    },
    tasks: () => (kind === 'file' ? backlog.tasks.map(toSource) : sharedTasks(backlog)),
    isOthers: (id) => backlog.tasks.some((task) => task['id'] === id && task['assignee'] === other),
  }
}

const sourceTask = ({ id, dependsOn, priority = 3, status = 'todo' }: PlannedTask): SourceTask => ({
  id,
  title: id,
  description: '',
  dependsOn,
  criteria: [],
  files: [],
  type: null,
  priority,
  status,
  reason: null,
})
