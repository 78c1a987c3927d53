import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { baseConfig, iterated, started } from '../../test/kit/play.ts'
import { concludeUntilQuiet } from '../core/conclude-until-quiet.ts'
import { evolve } from '../core/evolve.ts'
import { initialState } from '../core/initial.ts'
import { sourceChanges } from '../core/policies/source-changes.ts'
import { LooperError } from '../model/error.ts'
import type { Event, Fact } from '../model/event.ts'
import type { SourceTask, SourceUpdate, TaskStore } from '../model/source.ts'
import { addMs } from '../model/time.ts'
import type { Outcome, Work } from '../model/work.ts'
import { createClaudeTaskStore } from './claude-tasks/store.ts'
import { createMirror, type Memory, type Mirror, type Seen } from './mirror.ts'
import { createTodoFile } from './todo-file/store.ts'

const item = (id: string, more: Partial<SourceTask> = {}): SourceTask => ({
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
function createShelf(tasks: SourceTask[]) {
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

function createMemory(): Memory {
  let kept: Record<string, Seen> | null = null
  return { load: async () => kept, save: async (seen) => void (kept = structuredClone(seen)) }
}

interface Options {
  /** Called before each poll, and may change the shelf as a person would. */
  meanwhile?: (look: number) => void
  /** Before which polls all updates so far are saved. */
  flushBefore?: (look: number) => boolean
  /** Before which polls the process dies and another takes over. */
  dieBefore?: (look: number) => boolean
  answer?: (work: Work) => Outcome | undefined
  /** The task that a person skips before that poll. */
  skip?: (look: number) => string | null
}

/** The real core with the real mirror; only agents, git and the store are fakes. */
async function run(
  shelf: ReturnType<typeof createShelf>,
  { meanwhile, flushBefore, dieBefore, answer, skip }: Options = {},
) {
  const config = baseConfig({ workflow: 'backlog', parallel: 1, review: false, checks: [] })
  const state = initialState()
  const events: Event[] = []
  const memory = createMemory()
  const create = () => createMirror({ store: shelf.store, memory, run: '001-x', objection: () => null })
  let mirror = create()
  let looks = 0
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
        meanwhile?.(looks)
        skipNow(skip?.(looks) ?? null)
        if (flushBefore?.(looks)) await mirror.flush(state)
        if (dieBefore?.(looks)) {
          shelf.forget()
          mirror = create()
        }
        looks++
        return mirror.look(work, state)
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

test('D1 D4: changes of the run are in the source when it rests', async () => {
  const shelf = createShelf([item('T1'), item('T2')])
  const { state } = await run(shelf)
  expect(state.status).toBe('completed')
  expect([...shelf.there.values()].map(({ status }) => status)).toEqual(['done', 'done'])
})

test("D4: its own changes are not taken for another actor's, saved or pending", async () => {
  for (const flushBefore of [() => true, () => false]) {
    const { of } = await run(createShelf([item('T1'), item('T2'), item('T3')]), { flushBefore })
    expect(of('task.edited')).toEqual([])
    expect(of('task.reopened')).toEqual([])
  }
})

describe('B13: a task that another actor has taken in a shared source', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'looper-mirror-'))
    for (const id of ['1', '2', '3', '4']) put(id, {})
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const put = (id: string, more: Record<string, unknown>): void =>
    writeFileSync(
      join(folder, `${id}.json`),
      JSON.stringify({
        id,
        subject: `Do ${id}`,
        description: '',
        status: 'pending',
        blocks: [],
        blockedBy: [],
        ...more,
      }),
    )
  const taken = { status: 'in_progress', owner: 'ann' }
  const free = {}
  const meddle = (look: number): void =>
    void (look % 2 === 0 && put('9', { status: 'completed', description: `changed ${look}` }))
  /** The result of claiming task `2`, which changes at the given polls; another task changes at every second poll. */
  async function asked(becomes: Record<number, object>) {
    const played = await run(
      { ...createShelf([]), store: createClaudeTaskStore(folder, { owner: '001-x' }) },
      {
        meanwhile: (look) => {
          meddle(look)
          if (becomes[look]) put('2', becomes[look] as Record<string, unknown>)
        },
      },
    )
    const claims = played.events.flatMap((event) =>
      event.type === 'work.finished' && event.outcome.kind === 'sync' ? (event.outcome.claim ?? []) : [],
    )
    return {
      ...played,
      tried: claims.filter(({ task }) => task === '2').map(({ ok }) => ok),
      file: JSON.parse(readFileSync(join(folder, '2.json'), 'utf8')) as unknown,
    }
  }

  test('is left alone as long as they have it, whatever else changes there', async () => {
    const { state, of, tried, file } = await asked({ 0: taken })
    expect(tried).toEqual([false])
    expect(of('task.reopened')).toEqual([])
    expect(state).toMatchObject({ status: 'paused', counts: { done: 4, blocked: 1 } })
    expect(file).toMatchObject(taken)
  })

  test('is left alone, also when they were only quicker', async () => {
    const store = createClaudeTaskStore(folder, { owner: '001-x' })
    const claim: TaskStore['claim'] = (id, ...rest) => {
      if (id === '2') put('2', taken)
      return store.claim(id, ...rest)
    }
    const { state, of } = await run({ ...createShelf([]), store: { ...store, claim } }, { meanwhile: meddle })
    expect(of('task.reopened')).toEqual([])
    expect(state).toMatchObject({ status: 'paused', counts: { done: 4, blocked: 1 } })
  })

  const skipped: [name: string, becomes: object, dies: boolean, there: object][] = [
    ['as long as they have it', taken, false, taken],
    ['after a resume', taken, true, taken],
    ['when they let go of it, and is cancelled there then', free, false, { status: 'completed' }],
    ['when they let go of it before a resume, and is cancelled there then', free, true, { status: 'completed' }],
  ]
  test.each(skipped)('stays skipped %s', async (_, becomes, dies, there) => {
    put('2', taken)
    const { of } = await run(
      { ...createShelf([]), store: createClaudeTaskStore(folder, { owner: '001-x' }) },
      {
        meanwhile: (look) => {
          meddle(look)
          if (look === 6) put('2', becomes as Record<string, unknown>)
        },
        skip: (look) => (look === 4 ? '2' : null),
        flushBefore: (look) => look === 5,
        dieBefore: (look) => dies && look === 6,
      },
    )
    expect(of('task.reopened')).toEqual([])
    expect(JSON.parse(readFileSync(join(folder, '2.json'), 'utf8'))).toMatchObject(there)
  })

  test('is done when it is free again', async () => {
    const { state, of, tried } = await asked({ 0: taken, 6: free })
    expect(tried).toEqual([false, true])
    expect(of('task.reopened')).toMatchObject([{ tasks: ['2'], why: 'source' }])
    expect(state.status).toBe('completed')
  })

  test('is done when it is free again, also when the other claim was never seen', async () => {
    const store = createClaudeTaskStore(folder, { owner: '001-x' })
    let isQuicker = true
    const claim: TaskStore['claim'] = async (id, by, at) => {
      if (id !== '2' || !isQuicker) return store.claim(id, by, at)
      isQuicker = false
      return false
    }
    const { state } = await run({ ...createShelf([]), store: { ...store, claim } }, { meanwhile: meddle })
    expect(state).toMatchObject({ status: 'completed', counts: { done: 5 } })
  })
})

test('D4: new words for a task that is done here and not yet there do not open it again', async () => {
  const shelf = createShelf([item('T1'), item('T2', { priority: 2 })])
  const { state, of } = await run(shelf, {
    meanwhile: (look) =>
      void (look === 2 && shelf.there.set('T1', { ...(shelf.there.get('T1') as SourceTask), title: 'New words' })),
  })
  expect(of('task.reopened')).toEqual([])
  expect(state.tasks['T1']).toMatchObject({ title: 'New words', status: 'done' })
  expect(shelf.there.get('T1')).toMatchObject({ title: 'New words', status: 'done' })
})

test('D4: tasks that agents discover are added there', async () => {
  const shelf = createShelf([item('T1')])
  let told = false
  await run(shelf, {
    answer: (work) => {
      if (work.kind !== 'turn' || told) return undefined
      told = true
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
  const tell = (fact: Fact, seq: number): void => void evolve(state, { ...fact, seq, at: '2026-01-01T00:00:00.000Z' })
  changes(item('T1', { allows: ['skip-tests'] })).forEach((fact) => tell(fact, 2))
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

test('D9: completion is noted there', async () => {
  const shelf = createShelf([item('T1', { status: 'done' })])
  await shelf.store.complete?.('x', '')
  const { state } = await run(shelf)
  expect(state).toMatchObject({ status: 'completed', turns: 0 })
})

test('D4: a process that takes over at the end sends the updates that the one before did not send', async () => {
  const shelf = createShelf([item('T1')])
  const { state } = await run(shelf)
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

test('D4: a look in the middle of telling waits until it is told', async () => {
  const order: string[] = []
  const shelf = createShelf([item('T1')])
  const { state } = await run(shelf)
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
  await Promise.all([mirror.flush(state), mirror.look({ kind: 'sync', id: 'look/9', claim: null, write: null }, state)])
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
  const look = (n: number) => mirror.look({ kind: 'sync', id: `look/${n}`, claim: null, write: null }, initialState())
  expect((await look(0)).problems).toEqual(['bad id a/b'])
  expect((await look(1)).problems).toEqual(['bad id a/b'])
  isRepaired = true
  expect((await look(2)).tasks.map(({ id }) => id)).toEqual(['T1', 'a/b'])
})

describe('D2: a source that cannot be understood', () => {
  test('tells why, and the claim holds', async () => {
    const shelf = createShelf([])
    const store = {
      ...shelf.store,
      list: async () => {
        throw new LooperError('CONFIG_BACKLOG', 'broken', { details: { problems: ['line 1'], text: '{' } })
      },
    }
    const mirror = createMirror({ store, memory: createMemory(), run: 'r', objection: () => null })
    expect(await mirror.look({ kind: 'sync', id: 'look/0', claim: 'T1', write: null }, initialState())).toEqual({
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
    expect(await mirror.look({ kind: 'sync', id: 'look/0', claim: null, write: null }, initialState())).toMatchObject({
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
    mirror.look(
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
    const tell = (...facts: Fact[]): void =>
      facts.forEach((fact) => {
        const event = { ...fact, seq: state.seq + 1, at: addMs('2026-01-01T00:00:00.000Z', state.seq * 1000) }
        evolve(state, event)
        here.mirror.touch(event, state)
      })
    let looks = 0
    const look = async (claim: string | null = null) => {
      const outcome = await here.mirror.look({ kind: 'sync', id: `look/${looks}`, claim, write: null }, state)
      const claimed = outcome.claim?.ok ? outcome.claim.task : null
      tell(...sourceChanges(state, outcome), {
        type: 'source.looked',
        look: looks++,
        changes: 0,
        claimed,
        complete: false,
        problems: [],
      })
      return outcome
    }
    tell(started(baseConfig({ workflow: 'backlog' })), { type: 'stage.entered', stage: 'backlog', conclusion: null })
    return {
      state,
      look,
      tell,
      start: (task: string) =>
        tell({ type: 'task.started', task, attempt: (state.tasks[task]?.attempts ?? 0) + 1, agent: 'a', wave: 1 }),
      finish: (task: string, status: 'done' | 'blocked' = 'done') =>
        tell({
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
        tell({
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

  test('a process that looks no more makes up for what the one before could not tell', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.look()
    await its.look('T1')
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
    await its.look()
    its.start('T1')
    its.finish('T1')
    its.start('T2')
    its.die()
    set(shelf, 'T1', { status: 'cancelled' })
    await its.look()
    expect(its.state.tasks).toMatchObject({ T1: { status: 'cancelled' }, T2: { status: 'doing' } })
  })

  test('a found task that was lost with the process is added again; one that a person removed is not', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.look()
    its.find('T2')
    its.die()
    await its.flush()
    expect(statusOf(shelf, 'T2')).toBe('todo')
    shelf.there.delete('T2')
    its.start('T2')
    its.finish('T2')
    for (let time = 0; time < 2; time++) {
      await its.look()
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
    await its.look()
    its.find('T2')
    await expect(its.flush()).rejects.toThrow('down')
    await its.look()
    its.die()
    expect((await its.look()).removed).toEqual([])
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
    await its.look()
    its.finish('T1', 'blocked')
    await its.flush()
    expect(its.isDirty()).toBe(true)
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
  })

  test("an update sent to a source that saves at once is not taken for another actor's, whenever the process died", async () => {
    const shelf = createShelf([item('T1'), item('T2')])
    const its = createRun(shelf, atOnce(shelf))
    await its.look()
    await its.look('T1')
    its.start('T1')
    its.die()
    its.finish('T1')
    expect(await its.look()).toMatchObject({ tasks: [] })
    its.finish('T2', 'blocked')
    await its.flush()
    its.die()
    its.tell({ type: 'task.reopened', tasks: ['T2'], why: 'resumed' })
    expect(await its.look()).toMatchObject({ tasks: [] })
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
    await its.look()
    await its.flush()
    its.start('T1')
    its.finish('T1', 'blocked')
    await expect(its.flush()).rejects.toThrow('gone')
    its.die()
    its.tell({ type: 'task.reopened', tasks: ['T1'], why: 'resumed' })
    expect(await its.look()).toMatchObject({ tasks: [] })
  })

  test('updates under way when the process died are sent by the next one', async () => {
    const shelf = createShelf([item('T1')])
    let isDown = true
    const its = createRun(shelf, {
      ...shelf.store,
      settle: () => (isDown ? Promise.reject(new LooperError('ENVIRONMENT_SOURCE', 'down')) : shelf.store.settle()),
    })
    await its.look()
    its.start('T1')
    its.finish('T1')
    await expect(its.flush()).rejects.toThrow('down')
    its.die()
    isDown = false
    expect(await its.look()).toMatchObject({ tasks: [] })
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
  })

  test('new words on top of news the run has not heard: both are heard, and nothing is told over them', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.look()
    its.start('T1')
    its.finish('T1')
    await its.flush()
    set(shelf, 'T1', { status: 'todo' })
    await its.flush()
    set(shelf, 'T1', { title: 'New words' })
    await its.flush()
    expect(shelf.there.get('T1')).toMatchObject({ status: 'todo', title: 'New words' })
    await its.look()
    expect(its.state.tasks['T1']).toMatchObject({ status: 'todo', title: 'New words' })
  })

  test('new words say nothing of where a task stands, and hold back nothing that the run has to tell of that', async () => {
    const shelf = createShelf([item('T1')])
    const its = createRun(shelf)
    await its.look()
    its.start('T1')
    set(shelf, 'T1', { title: 'New words' })
    await its.flush()
    its.finish('T1')
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('done')
    await its.look()
    expect(its.state.tasks['T1']).toMatchObject({ status: 'done', title: 'New words' })
  })

  test('a task that was begun while the source could not be read is told when it can', async () => {
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
    await its.look()
    ;[broken, tasks] = [true, null]
    await its.look('T1')
    its.start('T1')
    broken = false
    await its.flush()
    expect(statusOf(shelf, 'T1')).toBe('doing')
  })
})

type Hand = { look: number; id: string } & (
  | { do: 'add' }
  | { do: 'rename'; title: string }
  | { do: 'status'; status: 'done' | 'cancelled' | 'todo' }
  | { do: 'remove' }
)

const ids = ['T1', 'T2', 'T3', 'T4', 'T5', 'T6']
const hand: fc.Arbitrary<Hand> = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(...ids),
    fc.oneof(
      fc.constant({ do: 'add' } as const),
      fc.record({ do: fc.constant('rename' as const), title: fc.stringMatching(/^[a-z]{1,8}$/) }),
      fc.record({ do: fc.constant('status' as const), status: fc.constantFrom('done', 'cancelled', 'todo') }),
      fc.constant({ do: 'remove' } as const),
    ),
  )
  .map(([look, id, what]) => ({ look, id, ...what }))

test('D4: no edit that people make during the run is lost', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.constantFrom('T1', 'T2', 'T3'), { minLength: 1 }),
      fc.array(hand, { maxLength: 6 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      async (start, hands, flushes, deaths) => {
        const shelf = createShelf(start.map((id) => item(id)))
        const titles = new Map<string, string>()
        const gone = new Set<string>()
        const closed = new Map<string, string>()
        const meanwhile = (look: number): void => {
          for (const act of hands.filter((each) => each.look === look)) {
            const task = shelf.there.get(act.id)
            if (act.do === 'add' && !task) {
              shelf.there.set(act.id, item(act.id))
              gone.delete(act.id)
            } else if (act.do === 'rename' && task) {
              shelf.there.set(act.id, { ...task, title: act.title })
              titles.set(act.id, act.title)
            } else if (act.do === 'status' && task) {
              shelf.there.set(act.id, { ...task, status: act.status })
              closed.delete(act.id)
              if (act.status !== 'todo' && task.status !== act.status) closed.set(act.id, act.status)
            } else if (act.do === 'remove' && task) {
              shelf.there.delete(act.id)
              gone.add(act.id)
              titles.delete(act.id)
              closed.delete(act.id)
            }
          }
        }
        const { state } = await run(shelf, {
          meanwhile,
          flushBefore: (look) => flushes[look] ?? true,
          dieBefore: (look) => deaths[look] ?? false,
        })
        for (const [id, title] of titles) {
          expect(shelf.there.get(id)?.title).toBe(title)
          expect(state.tasks[id]?.title).toBe(title)
        }
        for (const id of gone) expect(shelf.there.has(id)).toBe(false)
        for (const task of shelf.there.values()) expect(['done', 'cancelled']).toContain(task.status)
        for (const [id, status] of closed) expect(shelf.there.get(id)?.status).toBe(status)
      },
    ),
    { numRuns: 300 },
  )
})
