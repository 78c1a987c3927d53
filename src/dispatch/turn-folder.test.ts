import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFolder, folderName, readEnd, readProcess, turnFolder, writeProcess } from './turn-folder.ts'

let runDir = ''
beforeEach(() => {
  runDir = mkdtempSync(join(tmpdir(), 'looper-folder-'))
})
afterEach(() => rmSync(runDir, { recursive: true }))

test.each([
  ['T003/a2/fix1', 1, 'T003.a2.fix1'],
  ['T003/a2/fix1', 2, 'T003.a2.fix1@2'],
  ['T003.1/a1/verify', 11, 'T003.1.a1.verify@11'],
])('%s, start %d, is %s', (id, starts, name) => {
  expect(folderName(id, starts)).toBe(name)
})

test('property: whatever the id, the folder is inside turns/, and different ids have different ones', () => {
  const hostile = fc.oneof(
    fc.string(),
    fc.constantFrom('../../x', '..', '.', '', '/etc', 'a\nb', '\u001B[31m', 'x'.repeat(500), `${'x'.repeat(500)}y`),
  )
  fc.assert(
    fc.property(hostile, hostile, (a, b) => {
      const { path } = turnFolder(runDir, a, 1)
      expect(resolve(path)).toBe(path)
      expect(path.slice(0, path.lastIndexOf(sep))).toBe(join(runDir, 'turns'))
      expect(folderName(a, 1)).toMatch(/^[A-Za-z0-9_~-][A-Za-z0-9._~-]{0,140}$/)
      if (a.replaceAll('/', '.') !== b.replaceAll('/', '.')) expect(folderName(a, 1)).not.toBe(folderName(b, 1))
    }),
  )
})

test('a folder is private and fresh', () => {
  const folder = turnFolder(runDir, 'plan/1', 1)
  createFolder(folder)
  expect(statSync(folder.path).mode & 0o777).toBe(0o700)
  writeFileSync(folder.result, '{"old":true}')
  createFolder(folder)
  expect(existsSync(folder.result)).toBe(false)
})

test('a record is read back; one cut short is none', () => {
  const folder = turnFolder(runDir, 'plan/1', 1)
  createFolder(folder)
  expect(readProcess(folder)).toBeNull()
  const record = { pid: 7, startTime: '1', bootId: 'b', startedAt: '2030-01-01T00:00:00.000Z' }
  writeProcess(folder, record)
  expect(statSync(folder.process).mode & 0o777).toBe(0o600)
  expect(readProcess(folder)).toEqual(record)
  for (const text of ['{"pid":7', '{}', 'null', '{"pid":"7","startTime":"1","bootId":"b","startedAt":"x"}']) {
    writeFileSync(folder.process, text)
    expect(readProcess(folder)).toBeNull()
  }
})

test.each<[string, (path: string, victim: string) => void]>([
  ['a link', (path, victim) => symlinkSync(victim, path)],
  ['a second name of a file', (path, victim) => linkSync(victim, path)],
  ['a pipe', (path) => void execFileSync('mkfifo', [path])],
  ['a folder', (path) => mkdirSync(path)],
])('%s that an agent put in the place of its record is neither read nor written through', (_, plant) => {
  const folder = turnFolder(runDir, 'plan/1', 1)
  createFolder(folder)
  const victim = join(runDir, 'victim')
  writeFileSync(victim, 'precious')
  plant(folder.process, victim)
  expect(readProcess(folder)).toBeNull()
  const record = { pid: 7, startTime: '1', bootId: 'b', startedAt: '2030-01-01T00:00:00.000Z' }
  writeProcess(folder, record)
  expect(readProcess(folder)).toEqual(record)
  expect(readFileSync(victim, 'utf8')).toBe('precious')
})

test.each([
  ['looping', 'looping'],
  ['circling', 'looping'],
  ['disk', 'disk'],
  ['bored', null],
])('a turn that the keeper ended as %s is read as %s', (written, why) => {
  const folder = turnFolder(runDir, 'T001/a1/implement', 1)
  createFolder(folder)
  writeFileSync(folder.end, JSON.stringify({ why: written, at: '2026-01-01T00:00:00.000Z' }))
  expect(readEnd(folder)).toBe(why)
})
