import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { at, change, sample, tasks } from '../../../test/kit/todo-samples.ts'
import type { SourceUpdate } from '../../model/source.ts'
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

describe('what a run reports', () => {
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
  ])('D4: %s', async (_, before, sent, after) => {
    write(tasks(before))
    await store.update('T1', change(sent))
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
