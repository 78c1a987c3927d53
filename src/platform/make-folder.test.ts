import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let top: string
beforeEach(() => { top = mkdtempSync(join(tmpdir(), 'looper-folder-')) })
afterEach(() => rmSync(top, { recursive: true, force: true }))

test('makes the folders above as well, and leaves one that exists as it is', () => {
  makeFolder(join(top, 'a/b/c'), 0o700)
  makeFolder(join(top, 'a/b'), 0o755)
  expect(statSync(join(top, 'a/b')).mode & 0o777).toBe(0o700)
})

test('says what is in the way', () => {
  writeFileSync(join(top, 'file'), '')
  expect(() => makeFolder(join(top, 'file'))).toThrow('EEXIST')
  expect(() => makeFolder(join(top, 'file/folder'))).toThrow('ENOTDIR')
})

test.runIf(process.platform === 'linux')('returns where the kernel makes no folder', () => {
  expect(() => makeFolder('/proc/none/looper/workspaces')).toThrow('ENOENT')
})
