import { chmodSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SourceTask, SourceUpdate } from '../../model/source.ts'
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

const at = '2026-01-01T00:00:00.000Z'
const text = (): string => readFileSync(path, 'utf8')
const write = (content: unknown): void =>
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content, null, 2))
const replaceIn = (before: string, after: string): void => {
  expect(text()).toContain(before)
  write(text().replace(before, after))
}
const change = (overrides: Partial<SourceUpdate>): SourceUpdate => ({
  status: 'done',
  reason: null,
  summary: null,
  files: [],
  at,
  ...overrides,
})
const sample = (overrides: Partial<SourceTask>): SourceTask => ({
  id: 'T9',
  title: 'new',
  description: '',
  dependsOn: [],
  criteria: [],
  files: [],
  type: null,
  priority: 2,
  status: 'todo',
  reason: null,
  ...overrides,
})
const tasks = (...list: object[]): object => ({
  tasks: list.map((task, index) => ({ id: `T${index + 1}`, title: `task ${index + 1}`, ...task })),
})
const inFile = (id: string): Record<string, unknown> | undefined =>
  (JSON.parse(text()) as { tasks: { id: string }[] }).tasks.find((task) => task.id === id)

describe('list (D1)', () => {
  test("tells tasks in their order, in Looper's words", async () => {
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

  test('tells what others changed while the store wrote', async () => {
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

describe('what a run tells', () => {
  test.each<[string, object, Partial<SourceUpdate>, object]>([
    [
      'done, with what was done',
      { status: 'doing', files: ['a'] },
      { summary: 'It works.', files: ['a', 'b'] },
      { status: 'done', files: ['a', 'b'], updated_at: at, summary: 'It works.' },
    ],
    [
      'blocked',
      { status: 'doing' },
      { status: 'blocked', reason: 'no key' },
      { status: 'blocked', blockers: ['no key'], updated_at: at },
    ],
    [
      'tried again: what was in the way stays until it is done',
      { status: 'blocked', blockers: ['no key'] },
      { status: 'doing' },
      { status: 'doing', blockers: ['no key'], updated_at: at },
    ],
    [
      'open again',
      { status: 'doing', blockers: ['no key'] },
      { status: 'todo' },
      { status: 'todo', blockers: ['no key'], updated_at: at },
    ],
    [
      'done: nothing is in the way',
      { status: 'doing', blockers: ['no key'] },
      {},
      { status: 'done', blockers: [], updated_at: at },
    ],
    [
      'done after all',
      { status: 'blocked', blockers: ['no key'] },
      {},
      { status: 'done', blockers: [], updated_at: at },
    ],
    [
      'blocked by something else',
      { status: 'doing', blockers: ['no key'] },
      { status: 'blocked', reason: 'no net' },
      { status: 'blocked', blockers: ['no net'], updated_at: at },
    ],
    [
      'blockers of a task that is not blocked are notes',
      { status: 'todo', blockers: ['note'] },
      {},
      { status: 'done', blockers: ['note'], updated_at: at },
    ],
    [
      'cancelled, and why',
      { status: 'todo' },
      { status: 'cancelled', reason: 'out of scope' },
      { status: 'cancelled', reason: 'out of scope', updated_at: at },
    ],
    ['the same in other words', { status: 'completed' }, {}, { status: 'completed' }],
    [
      'the same reason',
      { status: 'blocked', blockers: ['a', 'b'] },
      { status: 'blocked', reason: 'a; b' },
      { status: 'blocked', blockers: ['a', 'b'] },
    ],
  ])('D4: %s', async (_, before, told, after) => {
    write(tasks(before))
    await store.update('T1', change(told))
    await store.settle()
    expect(inFile('T1')).toEqual({ id: 'T1', title: 'task 1', ...before, ...after })
  })

  test('a second time changes nothing', async () => {
    write(tasks({}, { status: 'done' }))
    const all = async (): Promise<void> => {
      await store.update('T1', change({ status: 'blocked', reason: 'r', summary: 's', files: ['f'] }))
      await store.close('T2', change({}))
      await store.add(sample({}), at)
      await store.complete('001-x', at)
      await store.settle()
    }
    await all()
    const [before, { ino, mtimeMs }] = [text(), statSync(path)]
    store = createTodoFile(path)
    await all()
    expect(text()).toBe(before)
    expect(statSync(path)).toMatchObject({ ino, mtimeMs })
  })

  test('is nothing when it is taken back before it was written', async () => {
    write(tasks({ status: 'todo' }))
    const before = text()
    await store.update('T1', change({ status: 'doing' }))
    await store.update('T1', change({ status: 'todo' }))
    await store.settle()
    expect(text()).toBe(before)
  })

  test('of a task that is not there is forgotten', async () => {
    write(tasks({}))
    const before = text()
    await store.close('T5', change({}))
    await store.settle()
    expect(text()).toBe(before)
  })

  test('a new task can be changed before it is written', async () => {
    write({ tasks: [] })
    await store.add(
      sample({ id: 'T1', dependsOn: ['T0'], criteria: ['c'], type: 'bug', description: 'd', files: ['f'] }),
      at,
    )
    await store.close('T1', change({ summary: 'ok', at: '2026-01-02T00:00:00.000Z' }))
    await store.settle()
    expect(inFile('T1')).toEqual({
      id: 'T1',
      title: 'new',
      description: 'd',
      priority: 2,
      status: 'done',
      criteria: ['c'],
      type: 'bug',
      files: ['f'],
      depends_on: ['T0'],
      created_at: at,
      updated_at: '2026-01-02T00:00:00.000Z',
      summary: 'ok',
    })
  })

  test('D9: the mark of completion', async () => {
    write('{"tasks":[]}')
    await store.complete('001-x', at)
    await store.settle()
    expect(text()).toBe(`{"completed":{"at":"${at}","run":"001-x"},"tasks":[]}`)
  })

  test('makes the file when there was none, and only with a task to write', async () => {
    await store.complete('001-x', at)
    await store.settle()
    expect(readdirSync(folder)).toEqual([])
    await store.add(sample({ id: 'T1' }), at)
    await store.settle()
    expect(text()).toBe(`{
  "schema_version": 1,
  "tasks": [
    {
      "id": "T1",
      "title": "new",
      "priority": 2,
      "status": "todo",
      "created_at": "${at}",
      "updated_at": "${at}"
    }
  ]
}
`)
  })
})

describe('claim (D3)', () => {
  test.each([
    ['todo', true],
    ['doing', true],
    ['blocked', true],
    ['pending', true],
    ['done', false],
    ['cancelled', false],
    ['skipped', false],
  ])('%s: %s', async (status, taken) => {
    write(tasks({ status }))
    expect(await store.claim('T1', '001-x', at)).toBe(taken)
    await store.settle()
    expect(inFile('T1')?.['status']).toBe(taken ? 'doing' : status)
  })

  test('reads the file first, and knows unsaved updates', async () => {
    write(tasks({}, {}))
    await store.list()
    replaceIn('"T1"', '"T1", "status": "done"')
    expect(await store.claim('T1', '001-x', at)).toBe(false)
    expect(await store.claim('T7', '001-x', at)).toBe(false)
    await store.close('T2', change({}))
    expect(await store.claim('T2', '001-x', at)).toBe(false)
  })
})

describe('a person edits the file (D1)', () => {
  test('wins where both changed the same field, and is told by list', async () => {
    write(tasks({ status: 'todo' }, { status: 'todo' }))
    await store.list()
    await store.update('T1', change({ status: 'blocked', reason: 'r', summary: 's' }))
    await store.close('T2', change({}))
    replaceIn('"status": "todo"', '"status": "cancelled"')
    await store.settle()
    expect(inFile('T1')).toEqual({ id: 'T1', title: 'task 1', status: 'cancelled', summary: 's', updated_at: at })
    expect(inFile('T2')).toMatchObject({ status: 'done' })
    expect(await store.list()).toMatchObject([{ status: 'cancelled' }, { status: 'done' }])
  })

  test('keeps blockers that they wrote, and the status goes its way', async () => {
    write(tasks({ status: 'blocked', blockers: ['a'] }))
    await store.list()
    await store.close('T1', change({}))
    replaceIn('"a"', '"b"')
    await store.settle()
    expect(inFile('T1')).toMatchObject({ status: 'done', blockers: ['b'] })
  })

  test('has decided the same: nothing is left to write', async () => {
    write(tasks({ status: 'todo' }))
    await store.list()
    await store.close('T1', change({}))
    replaceIn('todo', 'done')
    const before = text()
    await store.settle()
    expect(text()).toBe(before)
  })

  test('takes a task away: it stays away', async () => {
    write(tasks({}, {}))
    await store.list()
    await store.close('T1', change({}))
    write({ tasks: [{ id: 'T2', title: 'task 2' }] })
    await store.settle()
    expect(JSON.parse(text())).toEqual({ tasks: [{ id: 'T2', title: 'task 2' }] })
  })

  test('uses the id of a new task for one of their own: both are kept', async () => {
    write(tasks({}))
    await store.list()
    await store.add(sample({ id: 'T2', title: 'ours' }), at)
    await store.add(sample({ id: 'T3', title: 'waits', dependsOn: ['T2'] }), at)
    write(tasks({}, { title: 'theirs' }))
    await store.settle()
    expect(await store.list()).toMatchObject([
      { id: 'T1' },
      { id: 'T2', title: 'theirs' },
      { id: 'T3', title: 'waits', dependsOn: ['T2-2'] },
      { id: 'T2-2', title: 'ours' },
    ])
  })

  test('breaks it: the file is left alone, and pending updates are written when it is fixed', async () => {
    write(tasks({}))
    await store.list()
    await store.close('T1', change({}))
    write('{ "tasks": [')
    await expect(store.settle()).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: 'to-do.json:1:13: expected a value, found end of file',
    })
    expect(text()).toBe('{ "tasks": [')
    write(tasks({}, {}))
    await store.settle()
    expect(inFile('T1')).toMatchObject({ status: 'done' })
    expect(inFile('T2')).toEqual({ id: 'T2', title: 'task 2' })
  })

  test('deletes or empties it: it is not written anew', async () => {
    write(tasks({}))
    await store.list()
    await store.close('T1', change({}))
    rmSync(path)
    await expect(store.settle()).rejects.toMatchObject({
      code: 'CONFIG_BACKLOG',
      message: 'to-do.json: was deleted while a run works on it',
    })
    await expect(store.list()).rejects.toMatchObject({ code: 'CONFIG_BACKLOG' })
    expect(readdirSync(folder)).toEqual([])
    write('')
    await expect(store.settle()).rejects.toMatchObject({ message: 'to-do.json: was emptied while a run works on it' })
    expect(text()).toBe('')
  })

  test('saves it slowly: the store waits for the whole', async () => {
    write(tasks({}))
    await store.list()
    await store.close('T1', change({}))
    renameSync(path, `${path}~`)
    const settled = store.settle()
    setTimeout(() => {
      write('{ "tas')
    }, 20)
    setTimeout(() => {
      write(tasks({ more: 1 }))
    }, 60)
    await settled
    expect(inFile('T1')).toMatchObject({ more: 1, status: 'done' })
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
