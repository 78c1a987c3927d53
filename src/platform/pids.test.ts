import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { isInOrder, newestPid, pidsBetween, pidsFrom, processIds, watchPids } from './pids.ts'
import { factsOf } from './process-identity.ts'

describe.runIf(process.platform === 'linux')('the processes of this machine', () => {
  test('are all but the kernel threads', () => {
    const before = readdirSync('/proc').map(Number)
    const listed = new Set(processIds())
    expect(listed.has(process.pid)).toBe(true)
    expect([...listed].filter((pid) => factsOf(pid)?.kernel)).toEqual([])
    const missing = before.filter((pid) => pid > 1 && !listed.has(pid))
    expect(missing.filter((pid) => factsOf(pid)?.kernel === false)).toEqual([])
  })

  test('are found from a pid on, one by one or in the list', async () => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' })
    try {
      const pid = child.pid!
      expect(pidsFrom({ pid, ageMs: 0 })).toContain(pid)
      expect(pidsFrom({ pid: pid + 1, ageMs: 0 })).not.toContain(pid)
      expect(pidsFrom({ pid: pid + 1, ageMs: Infinity })).toContain(pid)
      expect(pidsBetween(pid - 1, pid)).toEqual([pid - 1, pid])
      expect(pidsBetween(pid - 1_000, pid)).toContain(pid)
      expect(pidsBetween(2, pid)).not.toContain(pid + 1)
    } finally {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })
})

describe.runIf(process.platform === 'linux')('pids are in order', () => {
  test('while they are watched', () => {
    const { probe, first } = watchPids(1, -600_000)
    expect(isInOrder(first())).toBe(true)
    probe()
    expect(first().ageMs).toBeLessThan(Infinity)
  })

  test('not after a long time without a probe, and not after they started again', () => {
    for (const watch of [watchPids(newestPid(), 60_000), watchPids(2 ** 30, 0)]) {
      watch.probe()
      expect(watch.first().ageMs).toBe(Infinity)
      watch.probe()
      expect(isInOrder(watch.first())).toBe(false)
    }
  })
})
