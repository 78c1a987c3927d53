import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LooperError } from '../../model/error.ts'
import { readBacklog, stillThere, type Read } from './read-file.ts'
import { replaceFile, untilWritten } from './replace-file.ts'
import { createTodoFile } from './store.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'looper-backlog-'))
  path = join(folder, 'to-do.json')
  chmodSync(folder, 0o755)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const read = (): Read => readBacklog(path, 'to-do.json')!
const errorOf = (action: () => unknown): LooperError => {
  try {
    action()
  } catch (error) {
    if (error instanceof LooperError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

/** Runs the action as a user without permissions, because root may read everything. */
function asOtherUser(action: string): string {
  const script = `import { readBacklog } from ${JSON.stringify(join(import.meta.dirname, 'read-file.ts'))}
    import { replaceFile } from ${JSON.stringify(join(import.meta.dirname, 'replace-file.ts'))}
    const path = ${JSON.stringify(path)}
    try { ${action} } catch (error) { console.log(error.code, error.message, error.code === 'ENVIRONMENT_READ_ONLY' ? error.hint : '') }`
  const otherUser = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}
  const loader = join(import.meta.dirname, '../../../scripts/strip-types.js')
  const argv = ['--import', loader, '--input-type=module', '-e', script]
  return execFileSync(process.execPath, argv, { ...otherUser, cwd: '/', encoding: 'utf8' }).trim()
}

describe('a file that can be no backlog', () => {
  const cases: [string, () => void, string, string][] = [
    ['a folder', () => mkdirSync(path), 'CONFIG_BACKLOG', 'is a folder, not a file'],
    ['a pipe without a writer', () => void execFileSync('mkfifo', [path]), 'CONFIG_BACKLOG', 'is not a regular file'],
    ['a device', () => symlinkSync('/dev/zero', path), 'CONFIG_BACKLOG', 'is not a regular file'],
    [
      'a link in a circle',
      () => symlinkSync('to-do.json', path),
      'CONFIG_BACKLOG',
      'is a symbolic link that leads in a circle',
    ],
    [
      'a link to nothing',
      () => symlinkSync('nothing', path),
      'CONFIG_BACKLOG',
      'is a symbolic link to a file that does not exist',
    ],
    [
      'more than 100 MB',
      () => {
        writeFileSync(path, '')
        truncateSync(path, 100 * 1024 * 1024 + 1)
      },
      'CONFIG_BACKLOG',
      'is larger than 100 MB',
    ],
    ['UTF-16', () => writeFileSync(path, '\uFEFF{}', 'utf16le'), 'CONFIG_BACKLOG', 'is not UTF-8 text'],
    [
      'something whose name the system refuses',
      () => {
        path = join(folder, 'x'.repeat(300))
      },
      'ENVIRONMENT_IO',
      'cannot be read: ENAMETOOLONG',
    ],
  ]
  test.each(cases)('%s', async (_, make, code, message) => {
    make()
    const changed = (): unknown =>
      readdirSync(folder).map((name) => lstatSync(join(folder, name), { bigint: true }).ctimeNs)
    const before = changed()
    expect(errorOf(() => readBacklog(path, 'to-do.json'))).toMatchObject({ code, message: `to-do.json: ${message}` })
    await expect(createTodoFile(path, 'to-do.json').list()).rejects.toMatchObject({
      code,
      message: `to-do.json: ${message}`,
    })
    expect(changed()).toEqual(before)
  })

  test('is not read by who may not', () => {
    writeFileSync(path, '{}')
    chmodSync(path, 0)
    expect(asOtherUser('console.log(readBacklog(path, "to-do.json"))')).toBe(
      'ENVIRONMENT_IO to-do.json: cannot be read: permission denied',
    )
  })

  test('is nothing when there is none', () => {
    expect(readBacklog(path, 'x')).toBeNull()
    expect(readBacklog(join(path, 'below'), 'x')).toBeNull()
  })
})

describe('stillThere', () => {
  const at = new Date('2026-01-01T00:00:00Z')
  const write = (text: string): void => {
    writeFileSync(path, text)
    utimesSync(path, at, at)
  }

  test('sees any change, also one of the same length at the same time', () => {
    write('{"a":1}')
    const known = read()
    expect(stillThere(path, known)?.source).toBe('{"a":1}')
    write('{"a":2}')
    expect(stillThere(path, known)).toBeNull()
    const next = read()
    rmSync(path)
    write('{"a":2}')
    expect(stillThere(path, next)).toBeNull()
    rmSync(path)
    expect(stillThere(path, next)).toBeNull()
    symlinkSync('to-do.json', path)
    expect(stillThere(path, next)).toBeNull()
  })

  test('does not believe a stamp that may not be the last one of its moment', () => {
    write('{"a":1}')
    const known = read()
    write('{"a":2}')
    const stamp = read().stamp
    expect(stillThere(path, { ...known, stamp, rested: false })).toBeNull()
    expect(stillThere(path, { ...known, stamp, rested: true })).not.toBeNull()
    expect(known.rested).toBe(false)
  })
})

describe('replaceFile', () => {
  test('replaces the whole file, keeps its mode, and leaves nothing behind', async () => {
    writeFileSync(path, 'old')
    chmodSync(path, 0o640)
    const written = await replaceFile(path, 'new', read())
    expect(readFileSync(path, 'utf8')).toBe('new')
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readdirSync(folder)).toEqual(['to-do.json'])
    expect(stillThere(path, written!)?.source).toBe('new')
  })

  test('follows a link and replaces what it leads to', async () => {
    mkdirSync(join(folder, 'elsewhere'))
    writeFileSync(join(folder, 'elsewhere/real.json'), 'old')
    symlinkSync('elsewhere/real.json', path)
    const written = await replaceFile(path, 'new', read())
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'elsewhere/real.json'), 'utf8')).toBe('new')
    expect(readdirSync(folder)).toEqual(['elsewhere', 'to-do.json'])
    expect(stillThere(path, written!)?.source).toBe('new')
  })

  test('does nothing when the file is not what it was', async () => {
    writeFileSync(path, 'old')
    const known = read()
    writeFileSync(path, 'OLD')
    expect(await replaceFile(path, 'new', known)).toBeNull()
    rmSync(path)
    expect(await replaceFile(path, 'new', known)).toBeNull()
    expect(readdirSync(folder)).toEqual([])
  })

  test('does nothing when it changes while the new one is written', async () => {
    writeFileSync(path, 'old')
    const writing = replaceFile(path, 'new', read())
    writeFileSync(path, 'OLD')
    expect(await writing).toBeNull()
    expect(readFileSync(path, 'utf8')).toBe('OLD')
    expect(readdirSync(folder)).toEqual(['to-do.json'])
  })

  test('is tried again while others write, but not for ever', async () => {
    let tries = 0
    expect(await untilWritten('x', async () => (++tries < 3 ? null : 'done'))).toBe('done')
    await expect(untilWritten('x', async () => null)).rejects.toMatchObject({ code: 'ENVIRONMENT_SOURCE' })
  })

  test('makes a file only where none is', async () => {
    expect((await replaceFile(path, 'first', null))?.source).toBe('first')
    expect(await replaceFile(path, 'second', null)).toBeNull()
    expect(readFileSync(path, 'utf8')).toBe('first')
    expect(readdirSync(folder)).toEqual(['to-do.json'])
  })

  test('removes what a killed writer left, and nothing that may still be written', async () => {
    writeFileSync(path, 'old')
    for (const name of ['.to-do.json.tmp-1-old', '.to-do.json.tmp-2-new', '.other.tmp-1-old'])
      writeFileSync(join(folder, name), '')
    for (const name of ['.to-do.json.tmp-1-old', '.other.tmp-1-old']) utimesSync(join(folder, name), 1, 1)
    await replaceFile(path, 'new', read())
    expect(readdirSync(folder)).toEqual(['.other.tmp-1-old', '.to-do.json.tmp-2-new', 'to-do.json'])
  })

  test('is not done by who may not', () => {
    writeFileSync(path, 'old')
    chmodSync(folder, 0o555)
    expect(asOtherUser('await replaceFile(path, "new", readBacklog(path, "to-do.json"))')).toBe(
      `ENVIRONMENT_READ_ONLY ${path}: permission denied Looper needs to write in the folder of the backlog.`,
    )
    expect(readFileSync(path, 'utf8')).toBe('old')
  })

  test('says what the disk refuses, and leaves the file as it was', async () => {
    writeFileSync(path, 'old')
    linkSync(path, join(folder, 'second'))
    const known = read()
    const deep = join(folder, 'gone', 'to-do.json')
    await expect(replaceFile(deep, 'new', null)).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    expect(stillThere(path, known)).not.toBeNull()
  })
})
