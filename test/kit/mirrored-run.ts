/** A backlog run with the real core and the real mirror, on a source in memory that acts like a file. */
import { concludeUntilQuiet } from '../../src/core/conclude-until-quiet.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import type { Event, Fact } from '../../src/model/event.ts'
import type { SourceTask, SourceUpdate, TaskStore } from '../../src/model/source.ts'
import { addMs } from '../../src/model/time.ts'
import type { Outcome, Work } from '../../src/model/work.ts'
import { createMirror } from '../../src/sources/mirror.ts'
import type { Memory, SourceSnapshot } from '../../src/sources/sync-state.ts'
import { baseConfig, iterated, started } from './play.ts'

export const item = (id: string, more: Partial<SourceTask> = {}): SourceTask => ({
  id,
  title: `Do ${id}`,
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 1,
  status: 'todo',
  reason: null,
  ...more,
})

/** A store that saves updates only when it settles, as a file does. */
export function createShelf(tasks: SourceTask[]) {
  const there = new Map(tasks.map((task) => [task.id, task]))
  const later: (() => void)[] = []
  const set = (id: string, { status, reason }: Pick<SourceUpdate, 'status' | 'reason'>) =>
    later.push(() => {
      const task = there.get(id)
      if (task) there.set(id, { ...task, status, reason })
    })
  let complete = false
  const store: TaskStore = {
    list: async () => [...there.values()],
    claim: async (id) => {
      set(id, { status: 'doing', reason: null })
      return there.has(id)
    },
    update: async (id, change) => void set(id, change),
    close: async (id, change) => void set(id, change),
    add: async (task) => void later.push(() => void (there.has(task.id) || there.set(task.id, task))),
    settle: async () => later.splice(0).forEach((change) => change()),
    isComplete: () => complete,
    complete: async () => void (complete = true),
  }
  return { there, store, forget: () => void later.splice(0) }
}

export function createMemory(): Memory {
  let kept: Record<string, SourceSnapshot> | null = null
  return { load: async () => kept, save: async (seen) => void (kept = structuredClone(seen)) }
}

interface Options {
  /** Called before each poll, and may change the shelf as a person would. */
  meanwhile?: (poll: number) => void
  /** Before which polls all updates so far are saved. */
  flushBefore?: (poll: number) => boolean
  /** Before which polls the process dies and another takes over. */
  dieBefore?: (poll: number) => boolean
  answer?: (work: Work) => Outcome | undefined
  /** The task that a person skips before that poll. */
  skip?: (poll: number) => string | null
}

/** The real core with the real mirror; only agents, git and the store are fakes. */
export async function runMirrored(
  shelf: ReturnType<typeof createShelf>,
  { meanwhile, flushBefore, dieBefore, answer, skip }: Options = {},
) {
  const config = baseConfig({ workflow: 'backlog', parallel: 1, review: false, checks: [] })
  const state = initialState()
  const events: Event[] = []
  const memory = createMemory()
  const create = () => createMirror({ store: shelf.store, memory, run: '001-x', objection: () => null })
  let mirror = create()
  let polls = 0
  const tell = (fact: Fact): void => {
    const event = { ...fact, seq: state.seq + 1, at: addMs('2026-01-01T00:00:00.000Z', events.length * 1000) }
    events.push(event)
    evolve(state, event)
    mirror.touch(event, state)
    if (events.length > 5_000) throw new Error('the run does not end')
  }
  const skipNow = (task: string | null): void => {
    if (task === null || state.tasks[task]?.status === 'cancelled') return
    tell({
      type: 'task.finished',
      task,
      status: 'cancelled',
      reason: 'skipped',
      block: null,
      evidence: [],
      commit: null,
      summary: null,
    })
  }
  const perform = async (work: Work): Promise<Outcome> => {
    const said = answer?.(work)
    if (said) return said
    switch (work.kind) {
      case 'sync':
        meanwhile?.(polls)
        skipNow(skip?.(polls) ?? null)
        if (flushBefore?.(polls)) await mirror.flush(state)
        if (dieBefore?.(polls)) {
          shelf.forget()
          mirror = create()
        }
        polls++
        return mirror.poll(work, state)
      case 'turn':
        return iterated()
      case 'prepare':
        return { kind: 'prepare', base: 'c', tree: 't' }
      case 'inspect':
        return {
          kind: 'inspect',
          tree: work.id,
          files: ['a'],
          fileCount: 1,
          insertions: 1,
          deletions: 0,
          restored: false,
        }
      case 'integrate':
        return { kind: 'integrate', status: 'landed', commit: work.id }
      case 'finish':
        return { kind: 'finish' }
      case 'checkpoint':
        return { kind: 'checkpoint', ref: '' }
      default:
        return { kind: 'wait' }
    }
  }
  tell(started(config))
  for (;;) {
    const { work } = concludeUntilQuiet(state, tell)
    const unwanted = Object.keys(state.works).filter((id) => !work.some((each) => each.id === id))
    for (const id of unwanted) tell({ type: 'work.lost', id, why: 'not wanted any more' })
    if (unwanted.length > 0) continue
    for (const item of work) if (!state.works[item.id]) tell({ type: 'work.started', work: item })
    const next = Object.values(state.works)
      .map((entry) => entry.work)
      .find(({ kind }) => kind !== 'wait')
    if (!next) break
    tell({ type: 'work.finished', id: next.id, outcome: await perform(next) })
  }
  await mirror.flush(state)
  return { state, events, of: (type: Event['type']) => events.filter((event) => event.type === type) }
}
