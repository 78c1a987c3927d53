import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { afterEach, expect, test } from 'vitest'
import { bootId, factsOf, identityOf, isAlive, parseProcStat, parsePs, startTimeOf } from './process-identity.ts'

const started: number[] = []
const folders: string[] = []
afterEach(() => {
  for (const pid of started.splice(0))
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      /* already gone */
    }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function sleeper(program = 'sleep'): ReturnType<typeof spawn> {
  const child = spawn(program, ['60'], { stdio: 'ignore' })
  started.push(child.pid!)
  return child
}

test('this process is alive and keeps one identity', () => {
  const me = identityOf(process.pid)!
  expect(me).toEqual({ pid: process.pid, startTime: startTimeOf(process.pid), bootId: bootId() })
  expect(isAlive(me)).toBe(true)
})

test('a process that was ended is gone', async () => {
  const child = sleeper()
  const identity = identityOf(child.pid!)!
  expect(isAlive(identity)).toBe(true)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(isAlive(identity)).toBe(false)
  expect(identityOf(child.pid!)).toBeNull()
  expect(startTimeOf(child.pid!)).toBeNull()
})

test('a zombie is gone, although its pid still exists', async () => {
  // The shell becomes a sleep that never waits for its child, and the child ends when the test closes its input.
  const parent = spawn('sh', ['-c', 'cat <&3 >/dev/null & echo $!; exec sleep 60'], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  })
  started.push(parent.pid!)
  const [line] = (await once(parent.stdout!, 'data')) as [Buffer]
  const pid = Number(line.toString())
  const nameOf = (): string => execFileSync('ps', ['-o', 'comm=', '-p', String(parent.pid)], { encoding: 'utf8' })
  await expect.poll(nameOf, { timeout: 120_000 }).toContain('sleep')
  ;(parent.stdio[3] as Writable).end()
  await expect.poll(() => factsOf(pid)?.zombie, { timeout: 120_000 }).toBe(true)
  const startTime = startTimeOf(pid)!
  expect(isAlive({ pid, startTime, bootId: bootId() })).toBe(false)
  expect(identityOf(pid)).toBeNull()
})

test('the same pid with another start time or boot is another process', () => {
  const me = identityOf(process.pid)!
  expect(isAlive({ ...me, startTime: `${me.startTime}0` })).toBe(false)
  expect(isAlive({ ...me, bootId: 'before' })).toBe(false)
})

test.each([0, -1, 1.5, Number.NaN, 2 ** 31])('pid %s is no process', (pid) => {
  expect(factsOf(pid)).toBeNull()
})

test.runIf(process.platform === 'linux')('a program named with spaces and parentheses is read right', () => {
  const folder = mkdtempSync(join(tmpdir(), 'looper-identity-'))
  folders.push(folder)
  const program = join(folder, 'a) S 1 (b')
  copyFileSync(spawnSync('sh', ['-c', 'command -v sleep'], { encoding: 'utf8' }).stdout.trim(), program)
  const odd = sleeper(program)
  const plain = sleeper()
  expect(readFileSync(`/proc/${odd.pid}/stat`, 'utf8')).toContain('a) S 1 (b')
  expect(Math.abs(Number(startTimeOf(odd.pid!)) - Number(startTimeOf(plain.pid!)))).toBeLessThan(6_000)
  expect(factsOf(odd.pid!)!.group).toBe(factsOf(process.pid)!.group)
})

test('fields of /proc/<pid>/stat', () => {
  const tail = ['1', '42', '42', '0', '-1', '2129984', ...Array.from({ length: 12 }, () => '0'), '987654', '0']
  expect(parseProcStat(`7 (x) y) Z ${tail.join(' ')}\n`)).toEqual({
    startTime: '987654',
    group: 42,
    zombie: true,
    suspended: false,
    kernel: true,
  })
  expect(parseProcStat(`7 (x) T ${tail.join(' ')}\n`)).toMatchObject({ zombie: false, suspended: true })
  expect(parseProcStat('')).toBeNull()
})

test('fields of ps on macOS', () => {
  expect(parsePs('Ss     501 Wed Mar  5 10:11:12 2025    \n')).toEqual({
    startTime: 'Wed Mar  5 10:11:12 2025',
    group: 501,
    zombie: false,
    suspended: false,
    kernel: false,
  })
  expect(parsePs('Z+     501 Wed Mar  5 10:11:12 2025\n')?.zombie).toBe(true)
  expect(parsePs('')).toBeNull()
})
