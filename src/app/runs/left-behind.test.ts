import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sampleState, sampleTurn } from '../../../test/kit/state.ts'
import { keeperLock } from '../../dispatch/keeper-greeting.ts'
import type { RunState } from '../../model/state.ts'
import { acquireLock, lockName } from '../../platform/lock.ts'
import { markOf, markVariable, runKey } from '../../platform/mark.ts'
import { findLeft } from './left-behind.ts'

let dir: string
let agent: ChildProcess
const work = sampleTurn()

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'left-behind-'))
  const env = { ...process.env, [markVariable]: markOf(runKey(dir), work.id, 1) }
  agent = spawn('sh', ['-c', 'echo ready; exec sleep 60'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  if (agent.stdout) await once(agent.stdout, 'data')
})
afterEach(() => {
  agent.kill('SIGKILL')
  rmSync(dir, { recursive: true, force: true })
})

/** A crashed run with one agent, whose last event has this age. */
const crashed = (ageMs: number): RunState =>
  sampleState({
    works: { [work.id]: { work, starts: 1 } } as unknown as RunState['works'],
    lastAt: new Date(Date.now() - ageMs).toISOString(),
  })

test('a run that crashed just now is given a moment for its keeper to start', async () => {
  const finding = findLeft(dir, crashed(0))
  await sleep(200)
  const lock = await acquireLock(keeperLock(lockName(dir)))
  expect(await finding).toMatchObject({ agents: [{ turn: work.id }], kept: true })
  await lock?.release()
})

test('a run that crashed long ago is asked once', async () => {
  const finding = findLeft(dir, crashed(10_000))
  await sleep(500)
  const lock = await acquireLock(keeperLock(lockName(dir)))
  expect(await finding).toMatchObject({ agents: [{ turn: work.id }], kept: false })
  await lock?.release()
})
