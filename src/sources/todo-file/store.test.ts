import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { at, change, sample, tasks } from '../../../test/kit/todo-samples.ts'
import { createDocument, replaceDocument } from './create.ts'
import { createTodoFile, type TodoFile } from './store.ts'

let folder: string
let path: string
let store: TodoFile
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-store-'))
  path = join(folder, 'to-do.json')
  store = createTodoFile(path)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const text = (): string => readFileSync(path, 'utf8')
const write = (content: unknown): void =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
const replaceIn = (before: string, after: string): void => {
  expect(text()).toContain(before)
  write(text().replace(before, after))
}
const inFile = (id: string): Record<string, unknown> | undefined =>
  (JSON.parse(text()) as { tasks: { id: string }[] }).tasks.find((task) => task.id === id)

describe('list (D1)', () => {
  test("reports tasks in their order, in Looper's words", async () => {
    write({
      tasks: [
        {
          id: 'T2',
          title: 'two',
          description: 'What.',
          details: 'How.',
          steps: ['a', 'b'],
          reference: 'docs/x.md',
          priority: 1,
          status: 'in_progress',
          depends_on: ['T1'],
          files: ['f'],
          criteria: ['c'],
          type: 'bug',
          tags: ['t'],
          blockers: ['old'],
        },
        { id: 'T1', title: 'one' },
        { id: 'T3', title: 'three', status: 'blocked', blockers: ['no key', 'no time'] },
        { id: 'T4', title: 'four', status: 'skipped', reason: 'not wanted', description: null, steps: null },
      ],
    })
    expect(await store.list()).toEqual([
      sample({
        id: 'T2',
        title: 'two',
        description: 'What.\n\nHow.\n\nSteps:\n1. a\n2. b\n\nSee: docs/x.md',
        priority: 1,
        status: 'doing',
        dependsOn: ['T1'],
        files: ['f'],
        criteria: ['c'],
        type: 'bug',
      }),
      sample({ id: 'T1', title: 'one', priority: 3 }),
      sample({ id: 'T3', title: 'three', priority: 3, status: 'blocked', reason: 'no key; no time' }),
      sample({ id: 'T4', title: 'four', priority: 3, status: 'cancelled', reason: 'not wanted' }),
    ])
  })

  test('is empty without a file, or with an empty one', async () => {
    expect(await store.list()).toEqual([])
    expect(await store.list()).toBeNull()
    write(' \n')
    expect(await createTodoFile(path).list()).toEqual([])
    write(tasks({}))
    expect(await store.list()).toMatchObject([{ id: 'T1' }])
  })

  test('is null until another process changes the file', async () => {
    write(tasks({}, {}))
    expect(await store.list()).toHaveLength(2)
    expect(await store.list()).toBeNull()
    await store.update('T1', change({ status: 'doing' }))
    expect(await store.list()).toBeNull()
    await store.settle()
    expect(await store.list()).toBeNull()
    replaceIn('"doing"', '"todo"')
    expect(await store.list()).toMatchObject([{ id: 'T1', status: 'todo' }, { id: 'T2' }])
    expect(await store.list()).toBeNull()
  })

  test('reports what others changed while the store wrote', async () => {
    write(tasks({}, {}))
    await store.list()
    await store.close('T1', change({}))
    replaceIn('task 2', 'TASK 2')
    await store.settle()
    expect(await store.list()).toMatchObject([
      { id: 'T1', status: 'done' },
      { id: 'T2', title: 'TASK 2' },
    ])
    expect(await store.list()).toBeNull()
  })

  test('lists updates that are not written yet', async () => {
    write(tasks({}))
    await store.close('T1', change({}))
    await store.add(sample({}), at)
    expect(await store.list()).toMatchObject([
      { id: 'T1', status: 'done' },
      { id: 'T9', title: 'new', priority: 2 },
    ])
    expect(inFile('T1')).not.toHaveProperty('status')
  })

  test.each([
    ['{\n  "tasks": [\n    { "id": "T1" "title": "x" }\n  ]\n}', 'to-do.json:3:18: expected "," or "}", found "\\""'],
    ['\uFEFF{"tasks": 5}', 'to-do.json:1:11: tasks must be a list of tasks, not 5'],
    [JSON.stringify(tasks({}, { id: 'T1' })), 'to-do.json:1:46: tasks[1].id repeats "T1", the id of tasks[0]'],
    [
      JSON.stringify(tasks({ depends_on: ['T2'] }, { depends_on: ['T1', 'T9'] })),
      'to-do.json:1:102: tasks[1].depends_on[0] closes a circle: "T1" → "T2" → "T1" (and 1 more: `looper validate` lists them)',
    ],
  ])('refuses %j and leaves it alone', async (content, message) => {
    write(content)
    await expect(store.list()).rejects.toMatchObject({ code: 'CONFIG_BACKLOG', message })
    await expect(store.list()).rejects.toMatchObject({ code: 'CONFIG_BACKLOG', message })
    expect(text()).toBe(content)
  })
})

test('a store is used from many places at once', async () => {
  write(tasks(...Array.from({ length: 20 }, () => ({}))))
  await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      expect(await store.claim(`T${index + 1}`, '001-x', at)).toBe(true)
      await store.close(`T${index + 1}`, change({ summary: String(index) }))
      await store.settle()
    }),
  )
  const all = (JSON.parse(text()) as { tasks: { status: string; summary: string }[] }).tasks
  expect(all.map(({ status, summary }) => `${status} ${summary}`)).toEqual(
    Array.from({ length: 20 }, (_, index) => `done ${index}`),
  )
})

describe('a backlog that Looper writes (D2)', () => {
  test('createDocument', async () => {
    const made = createDocument(
      [sample({ id: 'T1', status: 'blocked', reason: 'r' }), sample({ id: 'T2', dependsOn: ['T1'] })],
      { project: { name: 'p', root: '.' }, sourceFiles: ['README.md'], at },
    )
    expect(JSON.parse(made)).toEqual({
      schema_version: 1,
      project: { name: 'p', root: '.' },
      source_files: ['README.md'],
      tasks: [
        { id: 'T1', title: 'new', priority: 2, status: 'blocked', blockers: ['r'], created_at: at, updated_at: at },
        { id: 'T2', title: 'new', priority: 2, status: 'todo', depends_on: ['T1'], created_at: at, updated_at: at },
      ],
    })
    expect(made).toBe(`${JSON.stringify(JSON.parse(made), null, 2)}\n`)
    write(made)
    expect(await store.list()).toEqual([
      sample({ id: 'T1', status: 'blocked', reason: 'r' }),
      sample({ id: 'T2', dependsOn: ['T1'] }),
    ])
  })

  test('replaceDocument keeps the original', async () => {
    expect(await replaceDocument(path, 'first', at)).toEqual({ replaced: true, backup: null })
    write('{ broken')
    chmodSync(path, 0o600)
    expect(await replaceDocument(path, 'second', at)).toEqual({
      replaced: true,
      backup: `${path}.bak-2026-01-01T00-00-00.000Z`,
    })
    expect(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o600])
    expect(await replaceDocument(path, 'third', at)).toEqual({
      replaced: true,
      backup: `${path}.bak-2026-01-01T00-00-00.000Z-2`,
    })
    expect(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')])).toEqual([
      ['to-do.json', 'third'],
      ['to-do.json.bak-2026-01-01T00-00-00.000Z', '{ broken'],
      ['to-do.json.bak-2026-01-01T00-00-00.000Z-2', 'second'],
    ])
  })

  const byHand = JSON.stringify({ tasks: [{ id: 'H1', title: 'by hand' }] })
  const broken = '{ "tasks": ['
  test.each([
    ['bootstrap', 'nothing', null, null, true],
    ['bootstrap', 'an empty file', null, '\n', true],
    ['bootstrap', 'a backlog without tasks', '{"tasks":[]}', '{"tasks":[]}', true],
    ['bootstrap', 'tasks that were written meanwhile', null, byHand, false],
    ['bootstrap', 'a file that a person is editing', null, broken, false],
    ['repair', 'the broken one', broken, broken, true],
    ['repair', 'one that was fixed meanwhile', broken, byHand, false],
    ['repair', 'one that a person is fixing', broken, `${broken} `, false],
    ['repair', 'nothing any more', broken, null, true],
  ] as const)('%s: %s', async (why, _what, before, now, replaced) => {
    const put = (content: string | null): void => (content === null ? rmSync(path, { force: true }) : write(content))
    put(before)
    await store.list().catch(() => {})
    put(now)
    await store.replace([sample({ id: 'P1' })], at, why)
    expect(readdirSync(folder)).toHaveLength(replaced && now !== null ? 2 : 1)
    if (!replaced) return expect(text()).toBe(now)
    expect(await store.list()).toEqual([sample({ id: 'P1' })])
  })

  test('a repair by a process that has not looked: what is broken is replaced, what is not stays', async () => {
    write(byHand)
    await store.replace([sample({ id: 'P1' })], at, 'repair')
    expect(text()).toBe(byHand)
    write(broken)
    await store.replace([sample({ id: 'P1' })], at, 'repair')
    expect(await store.list()).toEqual([sample({ id: 'P1' })])
  })
})
