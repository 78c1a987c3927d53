import { expect, test } from 'vitest'
import { sampleState, sampleTask } from '../../../test/kit/state.ts'
import { initialLoop } from '../../core/state/loop.ts'
import type { RunState, TaskState } from '../../model/state.ts'
import { severityWords } from './finding-words.ts'

const failure = { kind: 'tamper', error: null, summary: '', detail: '', fingerprint: null } as const
const blocker: RunState['findings'][number] = {
  severity: 'BLOCKER',
  title: 'x',
  detail: '',
  task: 'T001',
  origin: 'T001/a1/inspect0',
}
const task = (more: Partial<TaskState>): TaskState => sampleTask({ id: 'T001', ...more })
const words = (tasks: TaskState[], finding = blocker): string =>
  severityWords({ ...sampleState(), tasks: Object.fromEntries(tasks.map((each) => [each.id, each])) }, finding)

test.each<[name: string, tasks: TaskState[], isFixed: boolean]>([
  ['its task is done', [task({ status: 'done' })], true],
  ['its task failed', [task({ status: 'failed' })], false],
  ['its task is under way', [task({ status: 'doing' })], false],
  ['its parts are done', [task({ status: 'split', children: ['T002'] }), task({ id: 'T002', status: 'done' })], true],
  [
    'its parts are not done',
    [task({ status: 'split', children: ['T002'] }), task({ id: 'T002', status: 'failed' })],
    false,
  ],
])('F13: a weakening is fixed, or not, when %s', (_name, tasks, isFixed) => {
  expect(words(tasks)).toBe(isFixed ? 'BLOCKER, fixed since' : 'BLOCKER')
  expect(words(tasks, { ...blocker, severity: 'WARNING' })).toBe('WARNING')
})

test.each([
  ['no pass has come after it', { iterations: 0 }, false],
  ['the next pass left it so', { iterations: 2, failure }, false],
  ['a later pass put it back', { iterations: 3, failure: null }, true],
  ['the next stage has begun', { stage: 1 }, true],
])('F13: that of a pass, when %s', (_name, loop, isFixed) => {
  const state = { ...sampleState(), loop: { ...initialLoop(), ...loop } }
  expect(severityWords(state, { ...blocker, task: null, origin: 'loop1.1/inspect' })).toBe(
    isFixed ? 'BLOCKER, fixed since' : 'BLOCKER',
  )
})
