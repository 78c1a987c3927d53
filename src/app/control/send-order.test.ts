import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failedRun } from '../../../test/kit/runs.ts'
import { sampleBytes } from '../../../test/kit/sample-events.ts'
import type { Order } from '../../api/control.ts'
import { readRun } from '../runs/read-run.ts'
import { runOf } from '../runs/runs.ts'
import { sendOrder } from './send-order.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'looper-tell-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function laid(): void {
  const dir = runOf(root, '001-x').folder
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'events.jsonl'), sampleBytes(failedRun().events))
}

test.each<[string, Order, string]>([
  ['a task that is not there', { do: 'retry', task: 'T9' }, 'USAGE_NO_TASK'],
  [
    'a task that cannot be depended on',
    { do: 'add', task: { title: 'x', description: '', dependsOn: ['T9'], criteria: [], priority: null } },
    'USAGE_NO_TASK',
  ],
  ['a task in another state', { do: 'skip', task: 'T001', reason: null }, 'USAGE_RUN_STATE'],
  ['a question that is not there', { do: 'answer', question: 'task', answer: 'x' }, 'USAGE_RUN_STATE'],
])('%s is refused as what it is', async (_name, order, code) => {
  laid()
  if (order.do === 'skip') await sendOrder(root, '001-x', order)
  await expect(sendOrder(root, '001-x', order)).rejects.toMatchObject({ code })
})

test('a resting run takes a task at once and reports its id', async () => {
  laid()
  const task = { title: 'one more', description: '', dependsOn: [], criteria: [], priority: null }
  const receipt = await sendOrder(root, '001-x', { do: 'add', task })
  expect(receipt).toMatchObject({ run: '001-x', live: false, added: expect.stringMatching(/^T\d{3}$/) })
  expect((await readRun(root, '001-x')).state.tasks[receipt.added ?? '']).toMatchObject({
    title: 'one more',
    status: 'todo',
  })
  expect(await sendOrder(root, '001-x', { do: 'skip', task: 'T001', reason: null })).toEqual({
    run: '001-x',
    live: false,
  })
})
