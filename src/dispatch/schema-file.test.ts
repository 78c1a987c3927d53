import { execFileSync } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFileKeeper, schemaFile, schemaText } from './schema-file.ts'

let runDir: string
beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), 'looper-schema-'))
})
afterEach(() => rmSync(runDir, { recursive: true }))

test('is written once, readable only by the user', async () => {
  const path = schemaFile(runDir, 'implement')
  const keep = createFileKeeper()
  keep(path, await schemaText('implement'))
  const { ino, mode } = statSync(path)
  keep(path, await schemaText('implement'))
  expect(statSync(path).ino).toBe(ino)
  expect(mode & 0o777).toBe(0o600)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ required: ['status'] })
  expect(readdirSync(dirname(path))).toEqual(['coder.json'])
})

test.each<[string, (path: string) => void]>([
  ['changed', (path) => writeFileSync(path, '{}')],
  [
    'changed to the same size and time',
    (path) => {
      const { atime, mtime, size } = statSync(path)
      writeFileSync(path, 'x'.repeat(size))
      utimesSync(path, atime, mtime)
    },
  ],
  ['removed', (path) => rmSync(path)],
  [
    'replaced by a folder',
    (path) => {
      rmSync(path)
      mkdirSync(join(path, 'deep'), { recursive: true })
    },
  ],
  ['removed with its folder', (path) => rmSync(dirname(path), { recursive: true })],
])('is whole again for the next agent when it was %s', (_, meddle) => {
  const path = schemaFile(runDir, 'implement')
  const keep = createFileKeeper()
  keep(path, '{"type":"object"}')
  meddle(path)
  keep(path, '{"type":"object"}')
  expect(readFileSync(path, 'utf8')).toBe('{"type":"object"}')
})

test.each<[string, (path: string, victim: string) => void]>([
  ['a link beside it', (path, victim) => symlinkSync(join(victim, 'file'), `${path}.new`)],
  ['a pipe beside it', (path) => void execFileSync('mkfifo', [`${path}.new`])],
  [
    'a link in its place',
    (path, victim) => {
      rmSync(path)
      symlinkSync(join(victim, 'file'), path)
    },
  ],
  [
    'a link in the place of its folder',
    (path, victim) => {
      rmSync(dirname(path), { recursive: true })
      symlinkSync(victim, dirname(path))
    },
  ],
])('%s leads nowhere', (_, plant) => {
  const path = schemaFile(runDir, 'implement')
  const victim = join(runDir, 'victim')
  mkdirSync(victim)
  writeFileSync(join(victim, 'file'), 'precious')
  createFileKeeper()(path, '{"type":"object"}')
  plant(path, victim)
  createFileKeeper()(path, '{"type":"array"}')
  expect(lstatSync(path).isFile()).toBe(true)
  expect(readFileSync(path, 'utf8')).toBe('{"type":"array"}')
  expect(readdirSync(victim)).toEqual(['file'])
  expect(readFileSync(join(victim, 'file'), 'utf8')).toBe('precious')
})
