/** The mirror step by step: polls, updates and deaths of processes in any order. */
import { describe, expect, test } from 'vitest'
import { createMemory, createShelf, item } from '../../test/kit/mirrored-run.ts'
import { baseConfig, started } from '../../test/kit/play.ts'
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { sourceChanges } from '../core/policies/source-changes.ts'
import { LooperError } from '../model/error.ts'
import type { Fact } from '../model/event.ts'
import type { SourceTask, TaskStore } from '../model/source.ts'
import { addMs } from '../model/time.ts'
import { createMirror } from './mirror.ts'

describe('D4: step by step', () => {
  /**
   * A run with tasks from its source, and a mirror for each of its processes; events reach the mirror as from the
   * engine.
   */
  function createRun(shelf: ReturnType<typeof createShelf>, store: TaskStore = shelf.store) {
    const state = initialState()
    const memory = createMemory()
    const create = () => createMirror({ store, memory, run: '001-x', objection: () => null })
    const here = { mirror: create() }
    const record = (...facts: Fact[]): void =>
      facts.forEach((fact) => {
        const event = { ...fact, seq: state.seq + 1, at: addMs('2026-01-01T00:00:00.000Z', state.seq * 1000) }
        evolve(state, event)
        here.mirror.touch(event, state)
      })
    let polls = 0
    const poll = async (claim: string | null = null) => {
      const outcome = await here.mirror.poll({ kind: 'sync', id: `look/${polls}`, claim, write: null }, state)
      const claimed = outcome.claim?.ok ? outcome.claim.task : null
      record(...sourceChanges(state, outcome), {
        type: 'source.polled',
        poll: polls++,
        changes: 0,
        claimed,
        complete: false,
        problems: [],
      })
      return outcome
    }
    record(started(baseConfig({ workflow: 'backlog' })), { type: 'stage.entered', stage: 'backlog', conclusion: null })
    return {
      state,
      poll,
      record,
      start: (task: string) =>
        record({ type: 'task.started', task, attempt: (state.tasks[task]?.attempts ?? 0) + 1, agent: 'a', wave: 1 }),
      finish: (task: string, status: 'done' | 'blocked' = 'done') =>
        record({
          type: 'task.finished',
          task,
          status,
          reason: null,
          block: null,
          evidence: [],
          commit: null,
          summary: null,
        }),
      find: (id: string) => {
        const { status: _status, reason: _reason, ...words } = item(id)
        record({
          type: 'task.added',
          task: { ...words, complexity: 'medium', checks: [], parent: null, depth: 0 },
          origin: 'T1/a1/iterate',
        })
      },
      flush: () => here.mirror.flush(state),
      isDirty: () => here.mirror.isDirty(state),
      die: () => {
        shelf.forget()
        here.mirror = create()
      },
    }
  }
  const statusOf = ({ there }: ReturnType<typeof createShelf>, id: string) => there.get(id)?.status
  const set = (shelf: ReturnType<typeof createShelf>, id: string, change: Partial<SourceTask>) =>
    shelf.there.set(id, { ...(shelf.there.get(id) as SourceTask), ...change })
  /** Saves every update at once, as a shared source does. */
  const atOnce = ({ store }: ReturnType<typeof createShelf>): TaskStore => {
    const keeping =
      <A extends unknown[], R>(job: (...args: A) => Promise<R>) =>
      async (...args: A): Promise<R> => {
        const result = await job(...args)
        await store.settle()
        return result
      }
    return {
      ...store,
      claim: keeping(store.claim),
      update: keeping(store.update),
      close: keeping(store.close),
      add: keeping(store.add),
    }
  }

  test('a process that looks no more makes up for what the one before could not send', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.poll()
    await its.poll('T1')
    its.start('T1')
    await its.flush()
    its.finish('T1')
    its.die()
    expect(its.isDirty()).toBe(true)
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
    expect(its.isDirty()).toBe(false)
  })

  test('a task closed in the source counts as closed, also without a snapshot from before', async () => {
    const shelf = createShelf([item('T1'), item('T2')])
    const its = createRun(shelf, {
      ...shelf.store,
      settle: () => Promise.reject(new LooperError('ENVIRONMENT_SOURCE', 'down')),
    })
    await its.poll()
    its.start('T1')
    its.finish('T1')
    its.start('T2')
    its.die()
    set(shelf, 'T1', { status: 'cancelled' })
    await its.poll()
    expect(its.state.tasks).toMatchObject({ T1: { status: 'cancelled' }, T2: { status: 'doing' } })
  })

  test('a found task that was lost with the process is added again; one that a person removed is not', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.poll()
    its.find('T2')
    its.die()
    await its.flush()
    expect(statusOf(shelf, 'T2')).toBe('todo')
    shelf.there.delete('T2')
    its.start('T2')
    its.finish('T2')
    for (let time = 0; time < 2; time++) {
      await its.poll()
      await its.flush()
      expect(shelf.there.has('T2')).toBe(false)
      its.die()
    }
  })

  test('a found task that is being added when the process dies does not count as removed', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf, {
      ...shelf.store,
      settle: () => Promise.reject(new LooperError('ENVIRONMENT_SOURCE', 'down')),
    })
    await its.poll()
    its.find('T2')
    await expect(its.flush()).rejects.toThrow('down')
    await its.poll()
    its.die()
    expect((await its.poll()).removed).toEqual([])
    expect(its.state.tasks['T2']?.status).toBe('todo')
  })

  test('a change of a task during its update is sent with the next one', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf, {
      ...shelf.store,
      async update(id, change) {
        await shelf.store.update(id, change)
        its.finish('T1')
      },
    })
    await its.poll()
    its.finish('T1', 'blocked')
    await its.flush()
    expect(its.isDirty()).toBe(true)
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
  })

  test("an update sent to a source that saves at once is not taken for another actor's, whenever the process died", async () => {
    const shelf = createShelf([item('T1'), item('T2')])
    const its = createRun(shelf, atOnce(shelf))
    await its.poll()
    await its.poll('T1')
    its.start('T1')
    its.die()
    its.finish('T1')
    expect(await its.poll()).toMatchObject({ tasks: [] })
    its.finish('T2', 'blocked')
    await its.flush()
    its.die()
    its.record({ type: 'task.reopened', tasks: ['T2'], why: 'resumed' })
    expect(await its.poll()).toMatchObject({ tasks: [] })
    expect(its.state.tasks).toMatchObject({ T1: { status: 'done' }, T2: { status: 'todo' } })
  })

  test('an update is remembered before it is sent', async () => {
    const shelf = createShelf([item('T1')])
    const store = atOnce(shelf)
    const its = createRun(shelf, {
      ...store,
      async update(id, change) {
        await store.update(id, change)
        throw new LooperError('ENVIRONMENT_SOURCE', 'gone')
      },
    })
    await its.poll()
    await its.flush()
    its.start('T1')
    its.finish('T1', 'blocked')
    await expect(its.flush()).rejects.toThrow('gone')
    its.die()
    its.record({ type: 'task.reopened', tasks: ['T1'], why: 'resumed' })
    expect(await its.poll()).toMatchObject({ tasks: [] })
  })

  test('updates under way when the process died are sent by the next one', async () => {
    const shelf = createShelf([item('T1')])
    let isDown = true
    const its = createRun(shelf, {
      ...shelf.store,
      settle: () => (isDown ? Promise.reject(new LooperError('ENVIRONMENT_SOURCE', 'down')) : shelf.store.settle()),
    })
    await its.poll()
    its.start('T1')
    its.finish('T1')
    await expect(its.flush()).rejects.toThrow('down')
    its.die()
    isDown = false
    expect(await its.poll()).toMatchObject({ tasks: [] })
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
  })

  test('edits on top of edits that the run has not read: both are read, and nothing is written over them', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.poll()
    its.start('T1')
    its.finish('T1')
    await its.flush()
    set(shelf, 'T1', { status: 'todo' })
    await its.flush()
    set(shelf, 'T1', { title: 'New words' })
    await its.flush()
    expect(shelf.there.get('T1')).toMatchObject({ status: 'todo', title: 'New words' })
    await its.poll()
    expect(its.state.tasks['T1']).toMatchObject({ status: 'todo', title: 'New words' })
  })

  test('new words say nothing of where a task stands, and hold back nothing that it sends', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.poll()
    its.start('T1')
    set(shelf, 'T1', { title: 'New words' })
    await its.flush()
    its.finish('T1')
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
    await its.poll()
    expect(its.state.tasks['T1']).toMatchObject({ status: 'done', title: 'New words' })
  })

  test('a task that was begun while the source could not be read is reported when it can', async () => {
    const shelf = createShelf([item('T1')])
    let broken = false
    let tasks: SourceTask[] | null = await shelf.store.list()
    const its = createRun(shelf, {
      ...shelf.store,
      async list() {
        if (broken) throw new LooperError('CONFIG_BACKLOG', 'broken')
        return tasks
      },
    })
    await its.poll()
    ;[broken, tasks] = [true, null]
    await its.poll('T1')
    its.start('T1')
    broken = false
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('doing')
  })
})
