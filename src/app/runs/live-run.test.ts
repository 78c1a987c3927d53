import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Played } from '../../../test/kit/play.ts'
import { brokenOffRun, limitedRun } from '../../../test/kit/runs.ts'
import { sampleBytes } from '../../../test/kit/sample-events.ts'
import { acquireLock, lockName, type Lock } from '../../platform/lock.ts'
import { findLiveRunId } from './live-run.ts'
import { runOf } from './runs.ts'

let root: string
let locks: (Lock | null)[]
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-live-'))
  locks = []
})
afterEach(async () => {
  for (const lock of locks) await lock?.release()
  rmSync(root, { recursive: true, force: true })
})

function make(id: string, { events }: Played): string {
  const dir = runOf(root, id).folder
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'events.jsonl'), sampleBytes(events))
  return lockName(dir)
}
const hold = async (name: string): Promise<void> => {
  locks.push(await acquireLock(name))
}

test('the one run that is under way is meant, however many came after it', async () => {
  await hold(make('001-a', brokenOffRun()))
  make('002-b', brokenOffRun())
  // Stands for a process that sends an order to a resting run.
  await hold(make('003-c', limitedRun()))
  expect(await findLiveRunId(root, null)).toBe('001-a')
  expect(await findLiveRunId(root, '2')).toBe('002-b')
  expect(await findLiveRunId(root, 'last')).toBe('003-c')
})

test('none under way: the newest', async () => {
  make('001-a', brokenOffRun())
  make('002-b', limitedRun())
  expect(await findLiveRunId(root, null)).toBe('002-b')
})

test('several live runs: the error names them, and none is chosen', async () => {
  for (const id of ['001-a', '002-b']) await hold(make(id, brokenOffRun()))
  make('003-c', limitedRun())
  const refusal = { code: 'USAGE_NO_RUN', exitCode: 2, message: '2 runs are under way: 001-a, 002-b.' }
  await expect(findLiveRunId(root, null)).rejects.toMatchObject(refusal)
})

test('no run at all', async () => {
  await expect(findLiveRunId(root, null)).rejects.toMatchObject({ code: 'USAGE_NO_RUN' })
})
