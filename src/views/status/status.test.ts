import { expect, test } from 'vitest'
import { sampleState, sampleTask, sampleVerdict } from '../../../test/kit/state.ts'
import { runRow } from './runs.ts'
import { statusView } from './status.ts'

const hostile = '\u001B[31m<b>"T"</b>\n# x'

test('the JSON has the shape that programs rely on, with texts as they were given', () => {
  const state = sampleState({
    goal: hostile,
    tasks: [
      sampleTask({
        id: 'T001',
        title: hostile,
        status: 'done',
        attempts: 2,
        fixCycles: 1,
        verdict: sampleVerdict({ score: 91 }),
        evidence: [{ check: 'test', exitCode: 0, tree: 'abc', durationMs: 5 }],
      }),
      sampleTask({ id: 'T001.1', parent: 'T001', dependsOn: ['T001'] }),
    ],
    questions: [
      { id: 'Q1', text: 'Which?', options: ['a'], default: null, blocks: [], origin: 'x', answer: null, by: null },
    ],
  })
  const view = statusView(state, { live: true })
  expect(view).toMatchObject({
    id: '001-add-auth',
    goal: hostile,
    workflow: 'supervised',
    status: 'running',
    reason: null,
    stage: 'execute',
    health: 'PROGRESSING',
    branch: 'looper/001-add-auth',
    turns: 4,
    wave: 1,
    usage: { costUsd: 0.42, inputTokens: 12_000, outputTokens: 3_000 },
    questions: [{ id: 'Q1', text: 'Which?', answer: null }],
    checkpoints: [],
  })
  expect(view.tasks[0]).toMatchObject({
    id: 'T001',
    title: hostile,
    status: 'done',
    attempts: 2,
    fixCycles: 1,
    dependsOn: [],
    parent: null,
    evidence: [{ check: 'test', exitCode: 0 }],
    verified: true,
    score: 91,
  })
  expect(view.tasks[0]?.evidence).toEqual([{ check: 'test', exitCode: 0 }])
  expect(view.tasks[1]).toMatchObject({ id: 'T001.1', parent: 'T001', dependsOn: ['T001'], verified: false })
  expect(JSON.parse(JSON.stringify(view))).toEqual(view)
})

test('cost is rounded without floating point digits', () => {
  const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.1 + 0.2 }
  const view = statusView(sampleState({ usage, tasks: [sampleTask({ id: 'T001', usage })] }))
  expect(view.usage.costUsd).toBe(0.3)
  expect(view.tasks[0]?.usage.costUsd).toBe(0.3)
})

test('a run whose state is running but that has no process has crashed', () => {
  expect(statusView(sampleState(), { live: false }).status).toBe('crashed')
  expect(statusView(sampleState({ status: 'completed' }), { live: false }).status).toBe('completed')
  expect(runRow(sampleState(), { live: false }).status).toBe('crashed')
})

test('the reason of a pause is a string', () => {
  const pause = { kind: 'limit', detail: 'the limit of $25 is reached', hint: 'looper resume --cost 50' } as const
  const view = statusView(sampleState({ status: 'paused', reason: null, pause }))
  expect(view.reason).toBe('the limit of $25 is reached')
  expect(view.pause).toEqual(pause)
})
