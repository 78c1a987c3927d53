/** What a run and its source have of each other in the end, and a source that cannot be read. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMemory, createShelf, item, runMirrored } from '../../test/kit/mirrored-run.ts'
import { baseConfig, iterated, started } from '../../test/kit/play.ts'
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { sourceChanges } from '../core/policies/source-changes.ts'
import { LooperError } from '../model/error.ts'
import type { Fact } from '../model/event.ts'
import type { SourceTask, TaskStore } from '../model/source.ts'
import { createMirror, type Mirror } from './mirror.ts'
import { createTodoFile } from './todo-file/store.ts'

test('D1 D4: changes of the run are in the source when it rests', async () => {
  const shelf = createShelf([item('T1'), item('T2')])
  const { state } = await runMirrored(shelf)
  expect(state.status).toBe('completed')
  expect([...shelf.there.values()].map(({ status }) => status)).toEqual(['done', 'done'])
})

test("D4: its own changes are not taken for another actor's, saved or pending", async () => {
  for (const flushBefore of [() => true, () => false]) {
    const { of } = await runMirrored(createShelf([item('T1'), item('T2'), item('T3')]), { flushBefore })
    expect(of('task.edited')).toEqual([])
    expect(of('task.reopened')).toEqual([])
  }
})

test('D4: new words for a task that is done here and not yet there do not open it again', async () => {
  const shelf = createShelf([item('T1'), item('T2', { priority: 2 })])
  const { state, of } = await runMirrored(shelf, {
    meanwhile: (look) =>
      void (look === 2 && shelf.there.set('T1', { ...(shelf.there.get('T1') as SourceTask), title: 'New words' })),
  })
  expect(of('task.reopened')).toEqual([])
  expect(state.tasks['T1']).toMatchObject({ title: 'New words', status: 'done' })
  expect(shelf.there.get('T1')).toMatchObject({ title: 'New words', status: 'done' })
})

test('D4: tasks that agents discover are added there', async () => {
  const shelf = createShelf([item('T1')])
  let steered = false
  await runMirrored(shelf, {
    answer: (work) => {
      if (work.kind !== 'turn' || steered) return undefined
      steered = true
      return iterated({
        new_tasks: [
          {
            title: 'More',
            description: 'd',
            complexity: 'simple',
            type: null,
            dependsOn: ['T1'],
            criteria: [],
            checks: [],
            files: [],
            priority: 3,
          },
        ],
      })
    },
  })
  expect(shelf.there.get('T002')).toMatchObject({ title: 'More', dependsOn: ['T1'], status: 'done' })
  // An agent wrote it, so its text permits nothing in a later run either.
  expect(shelf.there.get('T002')).toMatchObject({ byAgent: true })
})

test('permissions that a person gives or takes back there reach the run', () => {
  const state = evolve(initialState(), { ...started(baseConfig()), seq: 1, at: '2026-01-01T00:00:00.000Z' })
  const changes = (task: SourceTask): Fact[] => sourceChanges(state, { tasks: [task], removed: [] })
  const record = (fact: Fact, seq: number): void => void evolve(state, { ...fact, seq, at: '2026-01-01T00:00:00.000Z' })
  changes(item('T1', { allows: ['skip-tests'] })).forEach((fact) => record(fact, 2))
  expect(state.tasks['T1']).toMatchObject({ allows: ['skip-tests'] })
  expect(changes(item('T1', { allows: ['skip-tests'] }))).toEqual([])
  expect(changes(item('T1', { allows: ['skip-tests'], repairs: ['test'] }))).toMatchObject([
    { type: 'task.edited', edit: { repairs: ['test'] } },
  ])
  expect(changes(item('T1'))).toMatchObject([{ type: 'task.edited', edit: { allows: [] } }])
})

test('a source without such fields takes no permission away that a person gave in the run', () => {
  const state = evolve(initialState(), { ...started(baseConfig()), seq: 1, at: '2026-01-01T00:00:00.000Z' })
  const [added] = sourceChanges(state, { tasks: [item('T1', { allows: ['skip-tests'] })], removed: [] })
  if (added?.type === 'task.added')
    evolve(state, { ...added, origin: 'command/1', seq: 2, at: '2026-01-01T00:00:00.000Z' })
  expect(sourceChanges(state, { tasks: [item('T1')], removed: [] })).toEqual([])
})

test('D9: completion is recorded there', async () => {
  const shelf = createShelf([item('T1', { status: 'done' })])
  await shelf.store.complete?.('x', '')
  const { state } = await runMirrored(shelf)
  expect(state).toMatchObject({ status: 'completed', turns: 0 })
})

test('D9: completion is recorded also when the run ends while an earlier change is written', async () => {
  const shelf = createShelf([item('T1')])
  const { state } = await runMirrored(createShelf([item('T1')]))
  const live = structuredClone({ ...state, conclusion: null, backlog: { ...state.backlog!, complete: true } })
  const store: TaskStore = {
    ...shelf.store,
    async settle() {
      Object.assign(live, { conclusion: state.conclusion })
      await shelf.store.settle()
    },
  }
  const mirror = createMirror({ store, memory: createMemory(), run: '001-x', objection: () => null })
  await mirror.flush(live)
  expect([shelf.store.isComplete?.(), mirror.isDirty(live)]).toEqual([false, true])
  await mirror.flush(live)
  expect([shelf.store.isComplete?.(), mirror.isDirty(live)]).toEqual([true, false])
})

test('D4: a process that takes over at the end sends the updates that the one before did not send', async () => {
  const shelf = createShelf([item('T1')])
  const { state } = await runMirrored(shelf)
  shelf.there.set('T1', item('T1', { status: 'doing' }))
  const mirror = createMirror({
    store: shelf.store,
    memory: { load: async () => ({}), save: async () => {} },
    run: '001-x',
    objection: () => null,
  })
  expect(mirror.isDirty(state)).toBe(true)
  await mirror.flush(state)
  expect(shelf.there.get('T1')?.status).toBe('done')
})

test('D4: a poll during an update waits until the update is saved', async () => {
  const order: string[] = []
  const shelf = createShelf([item('T1')])
  const { state } = await runMirrored(shelf)
  shelf.there.set('T1', item('T1', { status: 'doing' }))
  const store = {
    ...shelf.store,
    list: async () => (order.push('list'), shelf.store.list()),
    settle: async () => {
      await new Promise((done) => setTimeout(done, 20))
      order.push('settled')
      await shelf.store.settle()
    },
  }
  const mirror = createMirror({ store, memory: createMemory(), run: '001-x', objection: () => null })
  await Promise.all([mirror.flush(state), mirror.poll({ kind: 'sync', id: 'look/9', claim: null, write: null }, state)])
  expect(order).toEqual(['list', 'settled', 'list'])
})

test('D4: an id that cannot be used hides nothing: everything is looked at again until it can', async () => {
  const shelf = createShelf([item('T1'), item('a/b')])
  let first = true
  const store = { ...shelf.store, list: async () => (first ? ((first = false), shelf.store.list()) : null) }
  let isRepaired = false
  const mirror = createMirror({
    store,
    memory: createMemory(),
    run: 'r',
    objection: (id) => (id.includes('/') && !isRepaired ? `bad id ${id}` : null),
  })
  const look = (n: number) => mirror.poll({ kind: 'sync', id: `look/${n}`, claim: null, write: null }, initialState())
  expect((await look(0)).problems).toEqual(['bad id a/b'])
  expect((await look(1)).problems).toEqual(['bad id a/b'])
  isRepaired = true
  expect((await look(2)).tasks.map(({ id }) => id)).toEqual(['T1', 'a/b'])
})

describe('D2: a source that cannot be understood', () => {
  test('reports why, and the claim holds', async () => {
    const shelf = createShelf([])
    const store = {
      ...shelf.store,
      list: async () => {
        throw new LooperError('CONFIG_BACKLOG', 'broken', { details: { problems: ['line 1'], text: '{' } })
      },
    }
    const mirror = createMirror({ store, memory: createMemory(), run: 'r', objection: () => null })
    expect(await mirror.poll({ kind: 'sync', id: 'look/0', claim: 'T1', write: null }, initialState())).toEqual({
      kind: 'sync',
      tasks: [],
      removed: [],
      claim: { task: 'T1', ok: true },
      complete: false,
      problems: ['line 1'],
      text: '{',
    })
  })

  test('an id that cannot name a task is such a problem', async () => {
    const mirror = createMirror({
      ...createShelf([item('a/b')]),
      memory: createMemory(),
      run: 'r',
      objection: (id) => `bad id ${id}`,
    })
    expect(await mirror.poll({ kind: 'sync', id: 'look/0', claim: null, write: null }, initialState())).toMatchObject({
      problems: ['bad id a/b'],
    })
  })
})

describe('D2: a backlog by a planner meets one that a person wrote meanwhile', () => {
  let folder: string
  let path: string
  let mirror: Mirror
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'looper-mirror-'))
    path = join(folder, 'to-do.json')
    mirror = createMirror({
      store: createTodoFile(path),
      memory: createMemory(),
      run: 'r',
      objection: (id) => (id.includes('/') ? `bad id ${id}` : null),
    })
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const byHand = JSON.stringify({ tasks: [{ id: 'H1', title: 'by hand' }] })
  const look = (why: 'bootstrap' | 'repair' | null) =>
    mirror.poll(
      { kind: 'sync', id: 'look/0', claim: null, write: why === null ? null : { why, tasks: [item('P1')] } },
      initialState(),
    )

  test.each([
    ['a backlog is written by hand during bootstrap', null, byHand, 'bootstrap', ['H1']],
    ['no person wrote one', null, null, 'bootstrap', ['P1']],
    ['a broken one is fixed by hand during repair', '{', byHand, 'repair', ['H1']],
    ['no person fixed it', '{', null, 'repair', ['P1']],
    ['unusable ids are fixed by the planner', byHand.replace('H1', 'a/b'), null, 'repair', ['P1']],
  ] as const)('%s', async (_name, before, meanwhile, why, ids) => {
    if (before !== null) writeFileSync(path, before)
    expect(await look(null)).toMatchObject({ tasks: [] })
    if (meanwhile !== null) writeFileSync(path, meanwhile)
    const outcome = await look(why)
    expect(outcome).toMatchObject({ problems: [] })
    expect(outcome.tasks.map(({ id }) => id)).toEqual(ids)
    if (meanwhile !== null) expect(readFileSync(path, 'utf8')).toBe(meanwhile)
  })

  test('one that was fixed by hand and read since', async () => {
    writeFileSync(path, '{')
    await look(null)
    writeFileSync(path, byHand)
    await mirror.flush(initialState())
    expect((await look('repair')).tasks.map(({ id }) => id)).toEqual(['H1'])
    expect(readFileSync(path, 'utf8')).toBe(byHand)
  })
})
