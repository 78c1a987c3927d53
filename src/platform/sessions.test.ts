import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isRunning } from '../../test/kit/live.ts'
import { temporaryFolder } from '../../test/kit/repository.ts'
import { isOfOthers, recordSession, noneOfTurn } from './sessions.ts'

const end = (pid: number): unknown => isRunning(pid) && process.kill(pid, 'SIGKILL')

function start(line: string): ChildProcess & { pid: number } {
  const child = spawn('sh', ['-c', line], { detached: true, stdio: 'ignore' }) as ChildProcess & { pid: number }
  onTestFinished(() => void end(child.pid))
  return child
}

/** The line writes the pid of the process that it leaves to `$1`. */
async function leave(line: string): Promise<{ pid: number; left: number }> {
  const file = join(temporaryFolder(), 'pid')
  const child = start(line.replaceAll('$1', file))
  await once(child, 'exit')
  const read = (): number => Number(readFileSync(file, 'utf8'))
  await expect.poll(read, { timeout: 120_000 }).toBeGreaterThan(0)
  onTestFinished(() => void end(read()))
  return { pid: child.pid, left: read() }
}

describe.runIf(process.platform === 'linux')('by its session', () => {
  test('a process that ended, and one in the session of Looper, is of others', async () => {
    const child = start('exit 0')
    await once(child, 'exit')
    expect(isOfOthers(child.pid, child.pid)).toBe(true)
    const own = spawn('sleep', ['600'], { stdio: 'ignore' })
    onTestFinished(() => void own.kill('SIGKILL'))
    expect(isOfOthers(own.pid as number, child.pid)).toBe(true)
  })

  test('a process of a running turn is of others, but not of itself or once that turn has ended', () => {
    const [turn, other] = [start('exec sleep 600'), start('exec sleep 600')]
    expect(isOfOthers(other.pid, turn.pid)).toBe(false)
    recordSession(other)
    expect(isOfOthers(other.pid, turn.pid)).toBe(true)
    expect(isOfOthers(other.pid, other.pid)).toBe(false)
    other.emit('exit')
    expect(isOfOthers(other.pid, turn.pid)).toBe(false)
  })

  test.for(["sh -c 'echo $$ >$1; exec sleep 600' &", "setsid env -i sh -c 'echo $$ >$1; exec sleep 600' &"])(
    'a process that the turn left is found, in its session or in a new one: %s',
    async (line) => {
      const { pid, left } = await leave(line)
      expect(isOfOthers(left, pid)).toBe(false)
      expect(noneOfTurn(pid, { pid, ageMs: 0 })).toBe(false)
      process.kill(left, 'SIGKILL')
      await expect.poll(() => isOfOthers(left, pid), { timeout: 120_000 }).toBe(true)
    },
  )

  test('nothing is known when pids may have been reused since', async () => {
    const child = start('exit 0')
    await once(child, 'exit')
    expect(noneOfTurn(child.pid, { pid: child.pid, ageMs: 60_000 })).toBe(false)
  })
})
