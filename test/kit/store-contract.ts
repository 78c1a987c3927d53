/** What the engine relies on, wherever tasks come from: one suite for every TaskStore. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { SourceStatus, SourceTask, SourceUpdate, TaskStore } from '../../src/model/source.ts'

export interface Planted {
  title: string
  description?: string
  criteria?: string[]
  /** Places of tasks in the same list. */
  dependsOn?: number[]
  status?: 'todo' | 'done'
}

export interface Place {
  /** The source's own names of what was planted. */
  ids: string[]
  /** A store that knows nothing yet. */
  open(): TaskStore
  /** The task as its owner has it, with what Looper knows nothing about. */
  raw(id: string): unknown
  /** Another actor, with tools of its own. */
  elsewhere: { rename(id: string, title: string): void; finish(id: string): void }
  /** For a process of its own: a module, and a call of something it exports. Not needed where nothing is shared. */
  inProcess?: { module: string; call: string }
  remove(): void
}

/**
 * `plant`: makes a place with these tasks, which it lists in this order, each with a field that Looper does not know
 * and `raw` shows as `unknown`.
 */
export interface Kind {
  name: string
  /** Whether several runs may work on one place at the same time; otherwise a run has it to itself. */
  isShared: boolean
  plant(tasks: readonly Planted[]): Place
}

const at = '2026-03-01T10:00:00.000Z'
const change = (status: SourceStatus, more: Partial<SourceUpdate> = {}): SourceUpdate => ({
  status,
  reason: null,
  summary: null,
  files: [],
  at,
  ...more,
})
const found: SourceTask = {
  id: 'T900',
  title: 'Found on the way',
  description: 'More about it.\nIn two lines.',
  dependsOn: [],
  criteria: ['it works', 'it is fast'],
  files: ['src/a.ts'],
  type: 'bug',
  priority: 1,
  status: 'todo',
  reason: null,
}

export function describeTaskStore(kind: Kind): void {
  let place: Place
  const plant = (...tasks: Planted[]): TaskStore => {
    place = kind.plant(tasks)
    return place.open()
  }
  const listed = async (): Promise<SourceTask[]> => (await place.open().list()) ?? []
  const one = async (id: string): Promise<SourceTask> => (await listed()).find((task) => task.id === id) as SourceTask
  const first = (): string => place.ids[0] as string

  describe(kind.name, () => {
    afterEach(() => place.remove())

    test('lists every task, in its order there', async () => {
      const store = plant(
        { title: 'One', description: 'What it is.', criteria: ['a', 'b'] },
        { title: 'Two', dependsOn: [0] },
        { title: 'Three', status: 'done' },
        { title: 'Four' },
      )
      const tasks = await store.list()
      expect(tasks?.map(({ id, title, status, reason }) => [id, title, status, reason])).toEqual([
        [place.ids[0], 'One', 'todo', null],
        [place.ids[1], 'Two', 'todo', null],
        [place.ids[2], 'Three', 'done', null],
        [place.ids[3], 'Four', 'todo', null],
      ])
      expect(tasks?.[0]).toMatchObject({
        description: expect.stringContaining('What it is.'),
        criteria: ['a', 'b'],
        dependsOn: [],
      })
      expect(tasks?.[1]?.dependsOn).toEqual([place.ids[0]])
    })

    test('lists an empty place', async () => {
      const store = plant()
      expect(await store.list()).toEqual([])
      expect(await store.list()).toBeNull()
    })

    test('lists only changes by other actors', async () => {
      const store = plant({ title: 'One' }, { title: 'Two' }, { title: 'Three' })
      await store.list()
      expect(await store.list()).toBeNull()
      await store.claim(first(), 'run-1', at)
      await store.update(place.ids[1] as string, change('blocked', { reason: 'no key' }))
      await store.close(place.ids[2] as string, change('done', { summary: 'made it' }))
      await store.add({ ...found, dependsOn: [first()] }, at)
      await store.add({ ...found, id: 'T901', status: 'blocked', reason: 'no key' }, at)
      await store.settle()
      expect(await store.list()).toBeNull()
      place.elsewhere.rename(place.ids[1] as string, 'Second')
      const titles = (await store.list())?.map(({ title }) => title)
      expect(titles?.toSorted()).toEqual([found.title, found.title, 'One', 'Second', 'Three'])
      expect(await store.list()).toBeNull()
    })

    test('gives a task to one who asks, and again to the same', async () => {
      const store = plant({ title: 'One' })
      expect(await store.claim(first(), 'run-1', at)).toBe(true)
      expect(await store.claim(first(), 'run-1', at)).toBe(true)
      await store.settle()
      expect((await one(first())).status).toBe('doing')
      expect(await place.open().claim(first(), 'run-1', at)).toBe(true)
    })

    test('gives away neither what is closed nor what is not there', async () => {
      const store = plant({ title: 'One', status: 'done' })
      expect(await store.claim(first(), 'run-1', at)).toBe(false)
      expect(await store.claim('nothing-9', 'run-1', at)).toBe(false)
      expect((await listed()).map(({ status }) => status)).toEqual(['done'])
    })

    test('keeps the reason why a task is blocked, and lets the next actor claim it', async () => {
      const store = plant({ title: 'One' })
      await store.claim(first(), 'run-1', at)
      await store.update(first(), change('blocked', { reason: 'the key for "staging" is missing' }))
      await store.settle()
      expect(await one(first())).toMatchObject({ status: 'blocked', reason: 'the key for "staging" is missing' })
      const next = place.open()
      expect(await next.claim(first(), 'run-2', at)).toBe(true)
      await next.settle()
      expect(await one(first())).toMatchObject({ status: 'doing', reason: null })
    })

    test('lets go of a task that goes back to the others', async () => {
      const store = plant({ title: 'One' })
      await store.claim(first(), 'run-1', at)
      await store.update(first(), change('todo'))
      await store.settle()
      expect((await one(first())).status).toBe('todo')
      expect(await place.open().claim(first(), 'run-2', at)).toBe(true)
    })

    test.each([
      ['done', { summary: 'made it' }, null],
      ['cancelled', { reason: 'not needed' }, 'not needed'],
    ] as const)('closes a task as %s, and closing it again changes nothing', async (status, more, reason) => {
      const store = plant({ title: 'One' })
      await store.claim(first(), 'run-1', at)
      await store.close(first(), change(status, more))
      await store.settle()
      expect(await one(first())).toMatchObject({ status, reason })
      const before = place.raw(first())
      await store.close(first(), change(status, more))
      await place.open().close(first(), change(status, more))
      await store.settle()
      expect(place.raw(first())).toEqual(before)
      expect(await place.open().claim(first(), 'run-2', at)).toBe(false)
    })

    test('changes nothing when the same update is sent twice', async () => {
      const store = plant({ title: 'One' })
      for (const told of [change('doing'), change('blocked', { reason: 'no key' }), change('todo')]) {
        await store.update(first(), told)
        await store.settle()
        const before = place.raw(first())
        await store.update(first(), told)
        await store.settle()
        const again = place.open()
        await again.update(first(), told)
        await again.settle()
        expect(place.raw(first()), told.status).toEqual(before)
      }
    })

    test('takes a closing elsewhere as meant', async () => {
      const store = plant({ title: 'One' })
      await store.list()
      place.elsewhere.finish(first())
      await store.close(first(), change('done'))
      await store.settle()
      expect((await one(first())).status).toBe('done')
      expect(await store.claim(first(), 'run-1', at)).toBe(false)
    })

    test('opens again what the run itself had closed, when it takes that back', async () => {
      const store = plant({ title: 'One' })
      await store.list()
      expect(await store.claim(first(), 'run-1', at)).toBe(true)
      await store.close(first(), change('done'))
      await store.settle()
      await store.update(first(), change('todo', { again: true }))
      await store.settle()
      expect((await one(first())).status).toBe('todo')
      expect(await store.claim(first(), 'run-1', at)).toBe(true)
    })

    test('adds a task under its own name, once', async () => {
      const store = plant({ title: 'One' })
      await store.add({ ...found, dependsOn: place.ids }, at)
      await store.settle()
      const task = await one('T900')
      expect(task).toMatchObject({
        title: found.title,
        dependsOn: place.ids,
        criteria: found.criteria,
        status: 'todo',
        priority: 1,
      })
      expect(task.description).toContain(found.description)
      await store.add({ ...found, dependsOn: place.ids }, at)
      const again = place.open()
      await again.add({ ...found, dependsOn: place.ids }, at)
      await Promise.all([store.settle(), again.settle()])
      expect((await listed()).map(({ id }) => id).toSorted()).toEqual([...place.ids, 'T900'].toSorted())
      expect(await store.claim('T900', 'run-1', at)).toBe(true)
      await store.close('T900', change('done'))
      await store.settle()
      expect((await one('T900')).status).toBe('done')
    })

    test('keeps whether a person or an agent wrote a task', async () => {
      const store = plant({ title: 'One' })
      await store.add({ ...found, repairs: ['lint'], allows: ['remove-tests'] }, at)
      await store.add({ ...found, id: 'T901', byAgent: true }, at)
      await store.settle()
      expect(await one('T900')).toMatchObject({ repairs: ['lint'], allows: ['remove-tests'] })
      expect(await one('T900')).not.toHaveProperty('byAgent')
      expect(await one('T901')).toMatchObject({ byAgent: true })
    })

    test('adds a task that is blocked or closed already', async () => {
      const store = plant()
      await store.add({ ...found, id: 'T901', status: 'blocked', reason: 'waits for the key' }, at)
      await store.add({ ...found, id: 'T902', status: 'done' }, at)
      await store.add({ ...found, id: 'T903', status: 'cancelled', reason: 'too late' }, at)
      await store.settle()
      const standing = new Map((await listed()).map(({ id, status, reason }) => [id, [status, reason]]))
      expect(Object.fromEntries(standing)).toEqual({
        T901: ['blocked', 'waits for the key'],
        T902: ['done', null],
        T903: ['cancelled', 'too late'],
      })
    })

    test('keeps what it does not know, and words that look like something else', async () => {
      const title = `--force "quoted" $(touch nothing) \\ 'x' — ünïcode 🎉`
      const store = plant({ title, description: '-- not an option\n`code` <b>&amp;</b>' }, { title: 'Two' })
      expect((await store.list())?.[0]).toMatchObject({
        title,
        description: expect.stringContaining('`code` <b>&amp;</b>'),
      })
      await store.claim(first(), 'run-1', at)
      await store.update(first(), change('blocked', { reason: '--status=closed; "why" $HOME\nsecond line' }))
      await store.update(first(), change('doing'))
      await store.add({ ...found, title: '-x; rm -rf /', dependsOn: [first()] }, at)
      await store.close(first(), change('done', { summary: '--force\n\u001B[31mred' }))
      await store.settle()
      expect(place.raw(first())).toMatchObject({ unknown: { kept: [1, 'two', null] } })
      expect((await listed()).map((task) => task.title)).toEqual(expect.arrayContaining([title, 'Two', '-x; rm -rf /']))
    })

    if (!kind.isShared) return

    test('claims no task of another actor', async () => {
      const store = plant({ title: 'One' })
      expect(await store.claim(first(), 'run-1', at)).toBe(true)
      await store.settle()
      expect(await place.open().claim(first(), 'run-2', at)).toBe(false)
      expect(await place.open().claim(first(), 'run-1', at)).toBe(true)
    })

    test('leaves tasks of another actor alone', async () => {
      const store = plant({ title: 'One' }, { title: 'Two' })
      await store.claim(first(), 'run-1', at)
      await store.update(place.ids[1] as string, change('doing'))
      await store.settle()
      const before = place.ids.map(place.raw)
      const other = place.open()
      expect(await other.claim(first(), 'run-2', at)).toBe(false)
      for (const id of place.ids) {
        for (const status of ['todo', 'doing', 'blocked'] as const)
          await other.update(id, change(status, { reason: 'no key' }))
        for (const status of ['done', 'cancelled'] as const) await other.close(id, change(status))
      }
      await other.settle()
      expect(place.ids.map(place.raw)).toEqual(before)
      await store.close(place.ids[1] as string, change('done'))
      await store.settle()
      expect((await one(place.ids[1] as string)).status).toBe('done')
    })

    describe('with processes that race', () => {
      let dir: string
      beforeAll(() => {
        dir = mkdtempSync(join(tmpdir(), 'looper-race-'))
      })
      afterAll(() => rmSync(dir, { recursive: true, force: true }))

      test('gives a task to exactly one of ten', async () => {
        plant({ title: 'One' }, { title: 'Two' })
        const answers = await race(
          dir,
          place,
          Array.from({ length: 10 }, (_, n) => `claim(${JSON.stringify(first())}, 'run-${n}', '${at}')`),
        )
        expect(answers.filter((answer) => answer === 'true')).toHaveLength(1)
        expect(answers.filter((answer) => answer === 'false')).toHaveLength(9)
        expect(await place.open().claim(first(), `run-${answers.indexOf('true')}`, at)).toBe(true)
        expect((await listed()).map(({ status }) => status)).toEqual(['doing', 'todo'])
      })

      test('loses nothing that five add and change', async () => {
        plant(...Array.from({ length: 5 }, (_, n) => ({ title: `Task ${n}` })))
        await race(
          dir,
          place,
          place.ids.flatMap((id, n) => [
            `close(${JSON.stringify(id)}, ${JSON.stringify(change('done', { summary: `by ${n}` }))})`,
            `add(${JSON.stringify({ ...found, id: `T95${n}`, title: `New ${n}` })}, '${at}')`,
          ]),
        )
        const tasks = await listed()
        expect(
          tasks
            .filter(({ status }) => status === 'done')
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(place.ids.toSorted())
        expect(
          tasks
            .filter(({ status }) => status === 'todo')
            .map(({ title }) => title)
            .toSorted(),
        ).toEqual(place.ids.map((_, n) => `New ${n}`))
      })
    })
  })
}

/** One process for each call of the store, all let go at once. Resolves with what each got. */
async function race(
  dir: string,
  { inProcess = { module: '', call: '' } }: Place,
  calls: readonly string[],
): Promise<string[]> {
  const { module, call } = inProcess
  const name = /^\w+/.exec(call)?.[0] ?? ''
  const [entry, file] = [join(dir, 'racer.ts'), join(dir, 'racer.mjs')]
  writeFileSync(
    entry,
    `
    import { once } from 'node:events'
    import { ${name} } from ${JSON.stringify(module)}
    const store = ${call}
    const jobs = [${calls.map((each) => `() => store.${each}`).join(', ')}]
    console.log('ready')
    await once(process.stdin.resume(), 'end')
    const answer = await jobs[Number(process.argv[2])]().catch((error) => String(error.message))
    await store.settle()
    console.log(String(answer))
  `,
  )
  const bundle = await rolldown({ input: entry, platform: 'node', logLevel: 'silent' })
  await bundle.write({ file, format: 'esm' })
  await bundle.close()
  const racers = calls.map((_, n) => spawn(process.execPath, [file, String(n)], { stdio: ['pipe', 'pipe', 'inherit'] }))
  const lines = racers.map((racer) => createInterface({ input: racer.stdout })[Symbol.asyncIterator]())
  const answers = lines.map(async (line) => String((await line.next()).value))
  expect(await Promise.all(answers)).toEqual(calls.map(() => 'ready'))
  for (const racer of racers) racer.stdin.end()
  const results = await Promise.all(lines.map(async (line) => String((await line.next()).value)))
  await Promise.all(racers.map(async (racer) => racer.exitCode ?? once(racer, 'exit')))
  return results
}
