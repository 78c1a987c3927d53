import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { readlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRunFolder, listRunIds, pointToNewest } from './run-folders.ts'
import { listRetired, retireRun } from './retire-run.ts'

let runs: string
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), 'looper-runs-'))
})
afterEach(() => rmSync(runs, { recursive: true, force: true }))

const create = (goal: string, taken: readonly string[] = []): Promise<string> => createRunFolder(runs, goal, taken)

test('numbers go up, and `last` points to the newest', async () => {
  expect(await create('add auth')).toBe('001-add-auth')
  expect(await create('fix payment bug')).toBe('002-fix-payment-bug')
  expect(await create('x', ['007-old'])).toBe('008-x')
  expect(await readlink(join(runs, 'last'))).toBe('008-x')
})

test('many at once never share a number', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, (_, at) => create(`goal ${at}`)))
  expect(new Set(ids.map((id) => id.slice(0, 3))).size).toBe(20)
  expect(await listRunIds(runs)).toHaveLength(20)
  expect(await readlink(join(runs, 'last'))).toBe(ids.toSorted().at(-1))
})

test('`last` is there at every moment, and whatever else is in its place does no harm', async () => {
  await create('first')
  const link = join(runs, 'last')
  let busy = true
  const missed: unknown[] = []
  const watching = (async () => {
    while (busy) await readlink(link).catch((error: unknown) => missed.push(error))
  })()
  for (let at = 0; at < 20; at++) await create(`goal ${at}`)
  busy = false
  await watching
  expect(missed).toEqual([])
  rmSync(link)
  mkdirSync(join(link, 'mine'), { recursive: true })
  expect(await create('after')).toBe('022-after')
  expect(readdirSync(runs).filter((name) => name.startsWith('.last'))).toEqual([])
})

test('a run that is retired keeps its files under another name, and `last` can point to the newest that is left', async () => {
  const [first, second] = [await create('one'), await create('two')]
  expect(await retireRun(runs, second)).toBe(join(runs, '.removing-002-two'))
  expect(await listRunIds(runs)).toEqual([first])
  await pointToNewest(runs)
  expect(await readlink(join(runs, 'last'))).toBe(first)
  symlinkSync(runs, join(runs, '.removing-003-x'))
  mkdirSync(join(runs, '.removing-mine'))
  expect(await listRetired(runs)).toEqual([{ id: second, folder: join(runs, '.removing-002-two') }])
  expect(existsSync(join(runs, '.removing-002-two', 'inbox'))).toBe(true)
  await retireRun(runs, first)
  await pointToNewest(runs)
  expect(existsSync(join(runs, 'last'))).toBe(false)
  await expect(retireRun(runs, first)).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
  expect(await create('three')).toBe('003-three')
})
