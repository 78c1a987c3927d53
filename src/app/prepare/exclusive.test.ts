import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { backlogExclusive, acquire } from './exclusive.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'looper-exclusive-')))
  for (const name of ['one', 'two', 'shared']) mkdirSync(join(folder, name))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (...path: string[]): string => join(folder, ...path)

test.each<[string, () => void]>([
  [
    'a link to the file',
    () => {
      writeFileSync(at('one/to-do.json'), '')
      symlinkSync('../one/to-do.json', at('two/to-do.json'))
    },
  ],
  ['a link to a file that is yet to be made', () => symlinkSync('../one/to-do.json', at('two/to-do.json'))],
  [
    'links of both to a third',
    () => {
      writeFileSync(at('shared/tasks.json'), '')
      for (const name of ['one', 'two']) symlinkSync('../shared/tasks.json', at(name, 'to-do.json'))
    },
  ],
  [
    'a link to its folder',
    () => {
      rmSync(at('two'), { recursive: true })
      symlinkSync('one', at('two'))
    },
  ],
])('a backlog has one live run, also by another name: %s', async (_name, make) => {
  make()
  const first = await acquire(at('one'), [backlogExclusive(at('one'), 'to-do.json')])
  await first.publish('001-first')
  try {
    await expect(acquire(at('one'), [backlogExclusive(at('two'), 'to-do.json')])).rejects.toMatchObject({
      code: 'LIMIT_LOCKED',
      message: 'The run 001-first holds the backlog to-do.json.',
    })
  } finally {
    await first.release()
  }
})

test('a run of another checkout learns which run holds the lock, and where', async () => {
  symlinkSync('../one/to-do.json', at('two/to-do.json'))
  const wanted = [backlogExclusive(at('two'), 'to-do.json')]
  const first = await acquire(at('one'), [backlogExclusive(at('one'), 'to-do.json')])
  await first.publish('001-first')
  try {
    await expect(acquire(at('two'), wanted)).rejects.toMatchObject({
      code: 'LIMIT_LOCKED',
      message: `The run 001-first of ${at('one')} holds the backlog to-do.json.`,
      hint: `\`looper -C ${at('one')} status 001-first\` shows it; \`looper -C ${at('one')} stop 001-first\` stops it.`,
      details: { run: '001-first', root: at('one') },
    })
  } finally {
    await first.release()
  }
  await (await acquire(at('two'), wanted)).release()
})

test('two backlogs are two, whether they are there or not', () => {
  const keys = (): string[] => ['one', 'two', 'gone'].map((name) => backlogExclusive(at(name), 'to-do.json').key)
  expect(new Set(keys()).size).toBe(3)
  for (const name of ['one', 'two']) writeFileSync(at(name, 'to-do.json'), '')
  expect(new Set(keys()).size).toBe(3)
})
