/** What the engine relies on, wherever tasks come from: one suite for every TaskStore. */
import { afterEach, describe, expect, test } from 'vitest'
import { at, change, found, plantedStore, type Kind } from './planted-store.ts'
import { testSharedStore } from './shared-store-contract.ts'

export function describeTaskStore(kind: Kind): void {
  const planted = plantedStore(kind)
  const { plant, listed, one, first } = planted

  describe(kind.name, () => {
    afterEach(() => planted.scenario.remove())

    test('lists every task, in its order there', async () => {
      const store = plant(
        { title: 'One', description: 'What it is.', criteria: ['a', 'b'] },
        { title: 'Two', dependsOn: [0] },
        { title: 'Three', status: 'done' },
        { title: 'Four' },
      )
      const tasks = await store.list()
      expect(tasks?.map(({ id, title, status, reason }) => [id, title, status, reason])).toEqual([
        [planted.scenario.ids[0], 'One', 'todo', null],
        [planted.scenario.ids[1], 'Two', 'todo', null],
        [planted.scenario.ids[2], 'Three', 'done', null],
        [planted.scenario.ids[3], 'Four', 'todo', null],
      ])
      expect(tasks?.[0]).toMatchObject({
        description: expect.stringContaining('What it is.'),
        criteria: ['a', 'b'],
        dependsOn: [],
      })
      expect(tasks?.[1]?.dependsOn).toEqual([planted.scenario.ids[0]])
    })

    test('lists an empty store', async () => {
      const store = plant()
      expect(await store.list()).toEqual([])
      expect(await store.list()).toBeNull()
    })

    test('lists only changes by other actors', async () => {
      const store = plant({ title: 'One' }, { title: 'Two' }, { title: 'Three' })
      await store.list()
      expect(await store.list()).toBeNull()
      await store.claim(first(), 'run-1', at)
      await store.update(planted.scenario.ids[1] as string, change('blocked', { reason: 'no key' }))
      await store.close(planted.scenario.ids[2] as string, change('done', { summary: 'made it' }))
      await store.add({ ...found, dependsOn: [first()] }, at)
      await store.add({ ...found, id: 'T901', status: 'blocked', reason: 'no key' }, at)
      await store.settle()
      expect(await store.list()).toBeNull()
      planted.scenario.elsewhere.rename(planted.scenario.ids[1] as string, 'Second')
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
      expect(await planted.scenario.open().claim(first(), 'run-1', at)).toBe(true)
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
      const next = planted.scenario.open()
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
      expect(await planted.scenario.open().claim(first(), 'run-2', at)).toBe(true)
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
      const before = planted.scenario.raw(first())
      await store.close(first(), change(status, more))
      await planted.scenario.open().close(first(), change(status, more))
      await store.settle()
      expect(planted.scenario.raw(first())).toEqual(before)
      expect(await planted.scenario.open().claim(first(), 'run-2', at)).toBe(false)
    })

    test('changes nothing when the same update is sent twice', async () => {
      const store = plant({ title: 'One' })
      for (const sent of [change('doing'), change('blocked', { reason: 'no key' }), change('todo')]) {
        await store.update(first(), sent)
        await store.settle()
        const before = planted.scenario.raw(first())
        await store.update(first(), sent)
        await store.settle()
        const again = planted.scenario.open()
        await again.update(first(), sent)
        await again.settle()
        expect(planted.scenario.raw(first()), sent.status).toEqual(before)
      }
    })

    test('takes a closing elsewhere as meant', async () => {
      const store = plant({ title: 'One' })
      await store.list()
      planted.scenario.elsewhere.finish(first())
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
      await store.add({ ...found, dependsOn: planted.scenario.ids }, at)
      await store.settle()
      const task = await one('T900')
      expect(task).toMatchObject({
        title: found.title,
        dependsOn: planted.scenario.ids,
        criteria: found.criteria,
        status: 'todo',
        priority: 1,
      })
      expect(task.description).toContain(found.description)
      await store.add({ ...found, dependsOn: planted.scenario.ids }, at)
      const again = planted.scenario.open()
      await again.add({ ...found, dependsOn: planted.scenario.ids }, at)
      await Promise.all([store.settle(), again.settle()])
      expect((await listed()).map(({ id }) => id).toSorted()).toEqual([...planted.scenario.ids, 'T900'].toSorted())
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
      expect(planted.scenario.raw(first())).toMatchObject({ unknown: { kept: [1, 'two', null] } })
      expect((await listed()).map((task) => task.title)).toEqual(expect.arrayContaining([title, 'Two', '-x; rm -rf /']))
    })

    if (kind.isShared) testSharedStore(planted)
  })
}
