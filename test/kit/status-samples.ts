/** A running run with tasks and questions, for tests of its status. */
import { sampleState, sampleTask, sampleTurn } from './state.ts'

export const now = '2026-03-01T10:06:30.000Z'
export const green = [
  { check: 'test', exitCode: 0, tree: null, durationMs: 1_200 },
  { check: 'lint', exitCode: 0, tree: null, durationMs: 300 },
]
const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.12 }
export const tasks = [
  sampleTask({
    id: 'T001',
    title: 'Set up the module',
    status: 'done',
    attempts: 1,
    evidence: green,
    usage,
    commit: 'c1',
  }),
  sampleTask({ id: 'T002', title: 'Add the parser', status: 'doing', attempts: 2, fixCycles: 1, dependsOn: ['T001'] }),
  sampleTask({
    id: 'T003',
    title: 'Too big\u001B[2J\nfor one go',
    status: 'split',
    attempts: 3,
    children: ['T003.1'],
    reason: 'too big',
  }),
  sampleTask({
    id: 'T003.1',
    title: 'First half',
    status: 'failed',
    parent: 'T003',
    attempts: 3,
    reason: '\u001B]0;x\u0007no luck',
  }),
  sampleTask({ id: 'T004', title: 'Documentation', status: 'done', attempts: 1 }),
  sampleTask({
    id: 'T005',
    title: 'Deploy key',
    status: 'blocked',
    block: 'external',
    attempts: 1,
    reason: 'waiting for an answer to Q1',
    question: 'Q1',
  }),
  sampleTask({ id: 'T006', title: 'Release notes', dependsOn: ['T002', 'T005'] }),
  sampleTask({ id: 'T007', title: 'Not wanted', status: 'cancelled' }),
]
export const questions = [
  {
    id: 'Q1',
    text: 'Which\nkey?',
    options: ['old', 'new'],
    default: null,
    blocks: ['T005'],
    origin: 'o',
    answer: null,
    by: null,
  },
]
export const state = sampleState({
  tasks,
  questions,
  works: { a: { work: sampleTurn({ purpose: 'fix' }), at: now, starts: 1 } },
})
