import fs, { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeFolder } from './make-folder.ts'

let top: string
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'looper-folder-'))
})
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

describe('another process makes the same folder', () => {
  const { mkdirSync } = fs
  afterEach(() => {
    fs.mkdirSync = mkdirSync
    syncBuiltinESMExports()
  })

  test.each([
    ['after the folder above was made', (path: string) => path.endsWith('/a')],
    ['after the folder above was missed', (path: string) => path.endsWith('/a/b')],
  ])('%s', (_name, isMoment) => {
    fs.mkdirSync = ((path: string, options: { mode: number }) => {
      try {
        return mkdirSync(path, options)
      } finally {
        if (isMoment(path)) mkdirSync(join(top, 'a/b'), { recursive: true })
      }
    }) as typeof mkdirSync
    syncBuiltinESMExports()
    makeFolder(join(top, 'a/b'))
    expect(statSync(join(top, 'a/b')).isDirectory()).toBe(true)
  })
})
