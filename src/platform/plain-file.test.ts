import { execFileSync } from 'node:child_process'
import {
  closeSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openPlainFile, readPlainFile, writePlainFile } from './plain-file.ts'

let dir: string
let path: string
let victim: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'looper-plain-'))
  path = join(dir, 'file')
  victim = join(dir, 'victim')
  writeFileSync(victim, 'precious')
})
afterEach(() => rmSync(dir, { recursive: true }))

const planted: [string, () => void][] = [
  ['a link to a file', () => symlinkSync(victim, path)],
  ['a link to nothing', () => symlinkSync(join(dir, 'nothing'), path)],
  ['a link to a device', () => symlinkSync('/dev/zero', path)],
  ['a pipe without a writer', () => void execFileSync('mkfifo', [path])],
  ['a folder', () => mkdirSync(join(path, 'deep'), { recursive: true })],
]

describe.each(planted)('%s', (_, plant) => {
  beforeEach(() => plant())

  test('is not read', () => {
    expect(readPlainFile(path, 10)).toBeNull()
    expect(() => openPlainFile(path, 'read')).toThrow()
  })

  test('is not appended to', () => {
    expect(() => openPlainFile(path, 'append')).toThrow()
    expect(() => statSync(join(dir, 'nothing'))).toThrow('ENOENT')
  })

  test('is replaced', () => {
    writePlainFile(path, 'mine')
    expect(lstatSync(path).isFile()).toBe(true)
    expect(readFileSync(path, 'utf8')).toBe('mine')
    expect(readFileSync(victim, 'utf8')).toBe('precious')
  })
})

test('a second name of another file is replaced, not written through', () => {
  linkSync(victim, path)
  writePlainFile(path, 'mine')
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test('a socket is not read', async () => {
  const server = createServer().listen(path)
  await new Promise((resolve) => server.once('listening', resolve))
  expect(readPlainFile(path, 10)).toBeNull()
  await new Promise((resolve) => server.close(resolve))
})

test('a plain file is read up to the limit, from either end, and written with private permissions', () => {
  expect(readPlainFile(path, 10)).toBeNull()
  writePlainFile(path, '0123456789abc')
  writePlainFile(path, 'x0123456789abc')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect([readPlainFile(path, 3), readPlainFile(path, 3, 'end'), readPlainFile(path, 99, 'end')]).toEqual([
    'x01',
    'abc',
    'x0123456789abc',
  ])
})

test('append creates a private file and never truncates one', () => {
  for (const text of ['a', 'b']) {
    const file = openPlainFile(path, 'append')
    writeSync(file, text)
    closeSync(file)
  }
  expect(readFileSync(path, 'utf8')).toBe('ab')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})
