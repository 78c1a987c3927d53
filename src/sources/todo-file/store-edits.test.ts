import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { at, change, sample, tasks } from '../../../test/kit/todo-samples.ts'
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

describe('a person edits the file (D1)', () => {
  test('wins where both changed the same field, and is reported by list', async () => {
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
