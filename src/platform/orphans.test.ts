import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isRunning, until } from '../../test/kit/live.ts'
import { temporaryFolder } from '../../test/kit/repository.ts'
import { markVariable } from './mark.ts'
import { endOrphansIn, findOrphansIn } from './orphans.ts'

const isLinux = process.platform === 'linux'

/** Starts a process whose parent exits at once; the process prints its pid. */
async function orphan(cwd: string, env: Record<string, string> = {}): Promise<number> {
  const script = "setsid sh -c 'echo $$; exec sleep 1000 >/dev/null' & exit 0"
  const all = { PATH: process.env['PATH'], ...env }
  const child = spawn('sh', ['-c', script], { cwd, env: all, stdio: ['ignore', 'pipe', 'ignore'] })
  const pid = await new Promise<number>((done) =>
    child.stdout.once('data', (text: Buffer) => done(Number(text.toString()))),
  )
  onTestFinished(() => {
    if (isRunning(pid)) process.kill(pid, 'SIGKILL')
  })
  return pid
}

test.runIf(isLinux)('a process without its mark is found by its folder and ended, in folders below too', async () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'deep'))
  const pids = [await orphan(folder), await orphan(join(folder, 'deep'))]
  await until('orphans', () => findOrphansIn(folder).length === 2)
  expect(new Set(findOrphansIn(folder))).toEqual(new Set(pids))
  await endOrphansIn(folder)
  expect(pids.filter(isRunning)).toEqual([])
})

test.runIf(isLinux)('a process in another folder, one with a mark, and one with a living parent stay', async () => {
  const folder = temporaryFolder()
  const elsewhere = await orphan(temporaryFolder())
  const marked = await orphan(folder, { [markVariable]: 'some:work:1' })
  const child = spawn('sleep', ['1000'], { cwd: folder, env: { PATH: process.env['PATH'] }, stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await until('a child', () => child.pid)
  await endOrphansIn(folder)
  expect([elsewhere, marked, child.pid as number].map(isRunning)).toEqual([true, true, true])
})
