import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { markVariable } from './mark.ts'
import { identityOf } from './process-identity.ts'
import { createKin, endStrays, findStrays, type Kin, type Trace } from './strays.ts'

let dir: string
const pids: number[] = []
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'looper-strays-')))
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
 * Starts a leader that runs a shell line; the line writes the pid of the process it leaves behind to `pid`. Resolves
 * when the leader is gone.
 */
async function leave(line: string, during: (kin: Kin) => Promise<void> = async () => {}): Promise<Trace> {
  const output = openSync(join(dir, 'stream'), 'a+')
  const child = spawn('sh', ['-c', line], { cwd: dir, detached: true, stdio: ['ignore', output, 'ignore'] })
  closeSync(output)
  const kin = createKin(child.pid ?? 0)
  const ended = once(child, 'exit')
  await expect.poll(() => pidIn('pid'), { timeout: 120_000 }).toBeGreaterThan(0)
  pids.push(pidIn('pid'))
  await during(kin)
  await ended
  return { kin, ageMs: 10_000, outputs: [join(dir, 'stream')], workspace: null }
}

const daemon = (more = ''): string => `setsid env -i sh -c 'echo $$ > ${dir}/pid; ${more}exec sleep 600'`

describe.runIf(process.platform === 'linux')('a process that dropped its mark is found', () => {
  test('by the output that it can still write to, and ended', async () => {
    const trace = await leave(`${daemon(`cd /; `)} 2>/dev/null &`)
    expect(findStrays(trace)).toEqual([pidIn('pid')])
    expect(await endStrays(trace)).toBe(1)
    await expect.poll(() => identityOf(pidIn('pid')), { timeout: 120_000 }).toBeNull()
  })

  test('as an orphan in the workspace of the turn, and only where no other turn works', async () => {
    const trace = await leave(`${daemon()} >/dev/null 2>&1 &`)
    expect(findStrays(trace)).toEqual([])
    expect(findStrays({ ...trace, ageMs: 0, workspace: dir })).toEqual([pidIn('pid')])
    expect(findStrays({ ...trace, workspace: `${dir}-other` })).toEqual([])
  })

  test('as an orphan in the workspace after the workspace was removed', async () => {
    const workspace = join(dir, 'workspace')
    const trace = await leave(`mkdir ${workspace}; cd ${workspace}; ${daemon()} >/dev/null 2>&1 &`)
    rmSync(workspace, { recursive: true })
    expect(findStrays({ ...trace, workspace })).toEqual([pidIn('pid')])
  })

  test("because it was seen below the turn's process", async () => {
    const trace = await leave(
      `${daemon('cd /; ')} >/dev/null 2>&1 & until test -e ${dir}/go; do sleep 0.02; done`,
      async (kin) => {
        kin.sample()
        expect(kin.seen(pidIn('pid'), identityOf(pidIn('pid'))?.startTime ?? '')).toBe(true)
        closeSync(openSync(join(dir, 'go'), 'w'))
      },
    )
    expect(findStrays(trace)).toEqual([pidIn('pid')])
  })
})

describe.runIf(process.platform === 'linux')('a process is left alone that', () => {
  test('is only a thread of this very process, which has the output open as well', async () => {
    const trace = await leave(`echo 1 > ${dir}/pid; sleep 0.1`)
    const output = openSync(join(dir, 'stream'), 'a+')
    const worker = new Worker('setInterval(() => {}, 1000)', { eval: true })
    try {
      await once(worker, 'online')
      expect(findStrays({ ...trace, ageMs: 0 })).toEqual([])
    } finally {
      closeSync(output)
      await worker.terminate()
    }
  })

  test('carries a mark: it belongs to the turn that the mark names', async () => {
    const line = `${markVariable}=another:T2:1 setsid sh -c 'echo $$ > ${dir}/pid; exec sleep 600' &`
    expect(findStrays({ ...(await leave(line)), workspace: dir })).toEqual([])
  })

  test('is older than the turn, or only reads its output', async () => {
    const older = spawn('sleep', ['600'], { cwd: dir, detached: true, stdio: 'ignore' })
    pids.push(older.pid ?? 0)
    const output = openSync(join(dir, 'stream'), 'a')
    closeSync(output)
    const trace = await leave(`echo 1 > ${dir}/pid; sleep 0.1`)
    const reader = spawn('sh', ['-c', `exec sleep 600 < ${dir}/stream`], { cwd: '/', detached: true, stdio: 'ignore' })
    pids.push(reader.pid ?? 0)
    await expect.poll(() => readFileSync(`/proc/${reader.pid}/comm`, 'utf8'), { timeout: 120_000 }).toBe('sleep\n')
    expect(findStrays({ ...trace, workspace: dir })).toEqual([])
  })
})
