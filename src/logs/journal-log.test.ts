import { expect, test } from 'vitest'
import { agentError, invalid, ok } from '../../test/kit/play.ts'
import type { Event } from '../model/event.ts'
import type { Role } from '../model/purposes.ts'
import type { Outcome, Work } from '../model/work.ts'
import { logOf } from './journal-log.ts'

const at = '2026-01-01T00:00:00.000Z'
const turn = (role: Role, task: string | null = 'T001'): Work => ({
  kind: 'turn',
  id: 'T001/a1/x',
  slot: 'T001/a1/x',
  workspace: 'T001',
  role,
  purpose: 'implement',
  agent: 'a',
  model: null,
  task,
  attempt: 1,
  errors: [],
  tree: null,
  base: null,
})
const told = (work: Work, outcome: Outcome): object[] => {
  const event: Event = { type: 'work.finished', id: work.id, outcome, seq: 1, at }
  return logOf('001-x', event, work, (id) => id === 'T001')
}

test.each<[Role, unknown, object]>([
  [
    'coder',
    { status: 'complete', summary: 'did it', newTasks: [{ title: 'more' }] },
    { status: 'done', task_id: 'T001', summary: 'did it', new_tasks: [{ title: 'more' }] },
  ],
  ['coder', { status: 'blocked', summary: '' }, { status: 'blocked', summary: '', new_tasks: [] }],
  [
    'iterator',
    { task_id: 'T7', status: 'skipped', summary: 'not needed', new_tasks: [{ title: 'x' }] },
    { status: 'skipped', task_id: 'T7', summary: 'not needed', new_tasks: [{ title: 'x' }] },
  ],
  ['iterator', { task_id: null, status: 'continue' }, { status: 'continue', task_id: 'T001', summary: '' }],
  ['tester', { status: 'failed', summary: 'two fail' }, { status: 'failed', summary: 'two fail' }],
  [
    'planner',
    { status: 'plan', tasks: [{ title: 'a' }], analysis: 'small' },
    { status: 'plan', summary: 'small', new_tasks: [{ title: 'a' }] },
  ],
  ['supervisor', { score: 42, summary: '', feedback: 'no' }, { status: 'done', summary: 'score 42: no' }],
  ['judge', { stop: true, confidence: 1, reason: 'enough' }, { status: 'done', summary: 'enough' }],
  ['coder', null, { status: 'done', summary: '', new_tasks: [] }],
  [
    'coder',
    { status: 7, summary: {}, newTasks: 'x', task_id: 9 },
    { status: 'done', task_id: 'T001', summary: '', new_tasks: [] },
  ],
])('D8: the summary of a %s that answered %j', (role, result, expected) => {
  expect(told(turn(role), ok(result))).toMatchObject([
    { type: 'summary', timestamp: at, run: '001-x', turn: 'T001/a1/x', role, agent: 'a', ...expected },
  ])
})

test('D8: what went wrong', () => {
  expect(told(turn('coder'), invalid('no status'))).toMatchObject([
    { type: 'error', error: 'invalid answer: no status' },
  ])
  expect(told(turn('coder'), agentError('network'))).toMatchObject([{ type: 'error', error: 'network: network' }])
  const failure: Outcome = { kind: 'failure', code: 'WORKSPACE_SETUP', message: 'npm ci failed' }
  expect(told({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' }, failure)).toEqual([
    {
      type: 'error',
      timestamp: at,
      error: 'WORKSPACE_SETUP: npm ci failed',
      run: '001-x',
      task: 'T001',
      turn: 'T001/a1/prepare',
      role: null,
      agent: null,
    },
  ])
  expect(told({ kind: 'prepare', id: 'gate/g1/prepare', workspace: 'main' }, failure)).toMatchObject([{ task: null }])
  expect(
    told({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' }, { kind: 'prepare', base: null, tree: null }),
  ).toEqual([])
})
