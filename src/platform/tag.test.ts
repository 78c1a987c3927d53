import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs, { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { identityOf } from './process-identity.ts'
import { endTagged, endTaggedOfRun, findTagged, findTaggedOfRun, tagBelow, tagCommand } from './tag.ts'

const readAll = fs.readFileSync
const onLinux = process.platform === 'linux'
let dir: string
const pids: number[] = []
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'looper-tag-')))
})
afterEach(() => {
  for (const pid of pids.splice(0)) if (identityOf(pid) !== null) process.kill(pid, 'SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

const pidIn = (name: string): number => {
  try {
    return Number(readFileSync(join(dir, name), 'utf8'))
  } catch {
    return 0
  }
}

/**
 * Runs a shell line with the tag of the mark until it ends. The line writes the pid of the process that it leaves
 * behind to `pid`.
 */
async function leave(line: string, mark: string): Promise<number> {
  const [program, ...args] = tagCommand(['sh', '-c', line], mark, dir, process.env)
  const child = spawn(program, args, { cwd: dir, detached: true, stdio: 'ignore' })
  await once(child, 'exit')
  await expect.poll(() => pidIn('pid'), { timeout: 120_000 }).toBeGreaterThan(0)
  pids.push(pidIn('pid'))
  return pidIn('pid')
}

const body = (): string => `echo $$ > ${dir}/pid; exec sleep 600`

describe.runIf(onLinux)('a process with a tag is found and ended', () => {
  test.each([
    ['without environment, parent, session and folder', () => `cd /; setsid env -i sh -c '${body()}' &`],
    ['after two forks', () => `(cd /; (env -i nohup setsid sh -c '${body()}' &) &)`],
  ])('%s', async (_name, line) => {
    const pid = await leave(line(), `key:${dir}:1`)
    expect(findTagged(`key:${dir}:1`)).toEqual([pid])
    expect(findTagged(`key:${dir}:2`)).toEqual([])
    expect(await endTagged(`key:${dir}:1`)).toBe(1)
    expect(identityOf(pid)).toBeNull()
    expect(findTagged(`key:${dir}:1`)).toEqual([])
  })

  test('by the ids that were given out since', async () => {
    const pid = await leave(`cd /; setsid env -i sh -c '${body()}' &`, `key:${dir}:1`)
    expect(findTagged(`key:${dir}:1`, { pid: pid - 2, ageMs: 0 })).toEqual([pid])
    expect(findTagged(`key:${dir}:1`, { pid: pid + 1, ageMs: 0 })).toEqual([])
  })
})

test.runIf(onLinux)('processes of a run are found by its key, whatever mark they have', async () => {
  const [one, other] = [`key${dir}:a:1`, `key${dir}:b:1`]
  const line = `cd /; setsid env -i sh -c '${body()}' &`
  const first = await leave(line, one)
  rmSync(join(dir, 'pid'))
  const second = await leave(line, other)
  expect(findTaggedOfRun(`key${dir}`)).toEqual([first, second])
  expect(findTaggedOfRun(`key${dir}`, new Set([one]))).toEqual([second])
  expect(findTaggedOfRun(`other${dir}`)).toEqual([])
  expect(await endTaggedOfRun(`key${dir}`, new Set([one]))).toBe(1)
  expect(identityOf(second)).toBeNull()
  expect(identityOf(first)).not.toBeNull()
})

describe.runIf(onLinux)('a command with a tag', () => {
  test('is the program itself: arguments, exit code and process id are its own', () => {
    const line = 'printf "%s|" "$@"; exit 7'
    const [program, ...args] = tagCommand(['sh', '-c', line, 'x', 'a b', '', '$c'], 'key:a:1', dir, process.env)
    const { stdout, status } = spawnSync(program, args, { encoding: 'utf8' })
    expect([stdout, status]).toEqual(['a b||$c|', 7])
  })

  test('that cannot be started fails as without one', () => {
    expect(() => tagCommand([join(dir, 'none')], 'key:a:1', dir, process.env)).toThrow(/ENOENT/)
  })
})

test('a tag is below the limit, and no limit that a person would set is touched', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 63n), fc.string(), (limit, mark) => {
      const tag = tagBelow(String(limit), mark)
      if (limit < 2n ** 55n) expect(tag).toBeNull()
      else expect(tag).not.toBeNull()
      if (tag !== null) expect(tag * 512n < limit && tag * 512n > 2n ** 54n).toBe(true)
    }),
  )
})

test('marks have tags of their own', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (a, b) => {
      expect(tagBelow('unlimited', a) === tagBelow('unlimited', b)).toBe(a === b)
    }),
  )
})

test.runIf(onLinux)('a limit that cannot be read is asked for once', async () => {
  let reads = 0
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) => {
    if (args[0] !== '/proc/self/limits') return readAll(...args)
    reads += 1
    return 'Max file size 1 2 bytes'
  }) as typeof readFileSync
  syncBuiltinESMExports()
  try {
    vi.resetModules()
    const fresh = await import('./tag.ts')
    for (const mark of ['key:a:1', 'key:a:2']) {
      expect(fresh.tagCommand(['/bin/sh'], mark, dir, process.env)).toEqual(['/bin/sh'])
    }
    expect(reads).toBe(1)
  } finally {
    fs.readFileSync = readAll
    syncBuiltinESMExports()
    // Test files share modules, and this one believes the wrong limit.
    vi.resetModules()
  }
})
