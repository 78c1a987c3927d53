import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { noUsage } from '../model/usage.ts'
import { identityOf } from '../platform/process-identity.ts'
import { findTaggedOfRun, tagCommand } from '../platform/tag.ts'
import { createMask } from '../agents/mask.ts'
import { createSetting } from './local.ts'
import { keepTurns } from './keep-turns.ts'

let dir: string
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'looper-keep-')))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test.runIf(process.platform === 'linux')('a process without environment, parent and folder is ended', async () => {
  const key = `key${dir}`
  const line = `cd /; setsid env -i sh -c 'echo $$ > ${dir}/pid; exec sleep 600' & until test -s ${dir}/pid; do sleep 0.02; done`
  const [program, ...args] = tagCommand(['sh', '-c', line], `${key}:T001/prepare:1/setup1`, dir, process.env)
  await once(spawn(program, args, { cwd: dir, detached: true, stdio: 'ignore' }), 'exit')
  const pid = Number(readFileSync(join(dir, 'pid'), 'utf8'))
  try {
    // Until `exec` is over, a process may look as if it belonged to another user.
    await expect.poll(() => findTaggedOfRun(key), { timeout: 120_000 }).toEqual([pid])
    const setting = createSetting(
      {
        runDir: dir,
        key,
        agents: {},
        mask: createMask({}, []),
        env: {},
        playerPath: '',
        mcpPath: '',
        driverPath: '',
        runCheck: () => Promise.reject(new Error('no checks')),
        timings: { graceMs: 0 },
      },
      () => {},
      () => {},
    )
    const keeping = { setting, left: [], spentBefore: noUsage, isOverspent: () => false, isTaken: async () => false }
    expect(await keepTurns(keeping)).toBe('over')
    await expect.poll(() => identityOf(pid), { timeout: 120_000 }).toBeNull()
  } finally {
    if (identityOf(pid) !== null) process.kill(pid, 'SIGKILL')
  }
})
