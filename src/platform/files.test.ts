import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LooperError } from '../model/error.ts'
import { ioError, readIfExists, writeAtomic } from './files.ts'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'looper-files-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

describe('writeAtomic', () => {
  test('writes a new file and replaces an old one, leaving nothing else behind', async () => {
    const path = join(dir, 'state.json')
    await writeAtomic(path, 'old')
    await writeAtomic(path, Buffer.from('new'))
    expect(await readFile(path, 'utf8')).toBe('new')
    expect(await readdir(dir)).toEqual(['state.json'])
  })

  test('gives the file its mode from the first byte on', async () => {
    const path = join(dir, 'secret')
    await writeAtomic(path, 'x', { mode: 0o600 })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  test('keeps the old content and no scrap when it fails', async () => {
    const path = join(dir, 'taken')
    await mkdir(path)
    await writeFile(join(path, 'inside'), '')
    await expect(writeAtomic(path, 'x')).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    expect(await readdir(dir)).toEqual(['taken'])
  })

  test('removes what killed processes left in the folder, and nothing else', async () => {
    const { pid: dead } = spawnSync('true')
    const long = new Date(performance.timeOrigin - 60_000)
    const kept = [`.tmp-${process.ppid}-abc1`, `.tmp-${dead}-now2`, `.tmp-${dead}`, 'notes.tmp']
    for (const name of [`.tmp-${dead}-abc3`, ...kept]) {
      await writeFile(join(dir, name), 'x')
      if (!name.endsWith('now2')) await utimes(join(dir, name), long, long)
    }
    await writeAtomic(join(dir, 'state.json'), 'new')
    expect((await readdir(dir)).toSorted()).toEqual([...kept, 'state.json'].toSorted())
  })

  test('never shows half a file to a reader', async () => {
    const path = join(dir, 'big')
    const contents = ['a', 'b'].map((letter) => letter.repeat(1_000_000))
    await writeAtomic(path, contents[0]!)
    const writing = (async () => {
      for (let i = 0; i < 10; i++) await writeAtomic(path, contents[i % 2]!)
    })()
    let done = false
    void writing.finally(() => {
      done = true
    })
    while (!done) expect(contents).toContain(await readFile(path, 'utf8'))
    await writing
  })
})

describe('readIfExists', () => {
  test('is null for a missing file or folder and the bytes otherwise', async () => {
    await writeFile(join(dir, 'x'), 'hello')
    expect(await readIfExists(join(dir, 'y'))).toBeNull()
    expect(await readIfExists(join(dir, 'x', 'below-a-file'))).toBeNull()
    expect(String(await readIfExists(join(dir, 'x')))).toBe('hello')
    await expect(readIfExists(dir)).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
  })
})

describe('ioError', () => {
  test.each([
    ['ENOSPC', 'ENVIRONMENT_DISK_FULL'],
    ['EDQUOT', 'ENVIRONMENT_DISK_FULL'],
    ['EROFS', 'ENVIRONMENT_READ_ONLY'],
    ['EACCES', 'ENVIRONMENT_READ_ONLY'],
    ['EPERM', 'ENVIRONMENT_READ_ONLY'],
    ['EIO', 'ENVIRONMENT_IO'],
  ])('%s becomes %s and names the path', (errno, code) => {
    const error = ioError(Object.assign(new Error('no'), { code: errno }), '/some/path')
    expect(error).toMatchObject({ code, details: { path: '/some/path', errno } })
    expect(error.message).toContain('/some/path')
  })

  test('hands a LooperError through and takes anything else', () => {
    const known = new LooperError('JOURNAL_CONFLICT', 'x')
    expect(ioError(known, '/p')).toBe(known)
    expect(ioError('odd', '/p')).toMatchObject({ code: 'ENVIRONMENT_IO', message: '/p: odd' })
  })
})
