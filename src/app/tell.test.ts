import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failedRun } from '../../test/kit/runs.ts'
import { sampleBytes } from '../../test/kit/sample-events.ts'
import { readRun } from './read-run.ts'
import { runFolder } from './run-folder.ts'
import { tell } from './tell.ts'

let root: string
beforeEach(() => { root = mkdtempSync(join(tmpdir(), 'looper-tell-')) })
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('a resting run takes a task at once and tells its id', async () => {
  const dir = runFolder(root, '001-x')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'events.jsonl'), sampleBytes(failedRun().events))
  const task = { title: 'one more', description: '', dependsOn: [], criteria: [], priority: null }
  const told = await tell(root, '001-x', { do: 'add', task })
  expect(told).toMatchObject({ run: '001-x', live: false, added: expect.stringMatching(/^T\d{3}$/) })
  expect((await readRun(root, '001-x')).state.tasks[told.added ?? '']).toMatchObject({ title: 'one more', status: 'todo' })
  expect(await tell(root, '001-x', { do: 'skip', task: 'T001', reason: null })).toEqual({ run: '001-x', live: false })
})
