/** Shared by tests. */
import type { RunState, TaskState } from '../../src/model/state.ts'
import { noUsage } from '../../src/model/usage.ts'
import type { TurnOutcome } from '../../src/model/work.ts'
import { sampleAttempt, sampleCheck, sampleFailure, sampleState, sampleTask, sampleVerdict } from './state.ts'

export const ok = (result: unknown): TurnOutcome => ({
  kind: 'turn',
  status: 'ok',
  result,
  usage: noUsage,
  durationMs: 1,
  sessionId: null,
  edited: [],
})
export const checkFailure = sampleFailure({
  summary: 'test failed (exit 1)',
  detail: '$ test — exit 1\nOUTPUT TAIL expected 1 to be 2',
})
const first = sampleTask({
  id: 'T001',
  title: 'Lay the ground',
  status: 'done',
  evidence: [{ check: 'test', exitCode: 0, tree: null, durationMs: 1 }],
  files: ['src/ground.ts'],
  verdict: sampleVerdict({ summary: 'ground laid' }),
})
export const task: TaskState = sampleTask({
  id: 'T002',
  title: 'Add the parser',
  description: 'DESCRIPTION parse all of it',
  criteria: ['CRITERION one', 'CRITERION two'],
  checks: ['npm test -- parser'],
  files: ['src/parser.ts'],
  dependsOn: ['T001'],
  status: 'doing',
  attempts: 2,
  attempt: sampleAttempt({ n: 2, checks: [sampleCheck({ tail: 'TAIL of a green check' })] }),
})
export const run = (changes: Partial<TaskState> = {}, overrides: Partial<Omit<RunState, 'tasks'>> = {}): RunState =>
  sampleState({
    goal: 'GOAL add a parser',
    tasks: [first, sampleTask({ ...task, ...changes })],
    questions: [
      {
        id: 'Q1',
        text: 'QUESTION which grammar?',
        options: [],
        default: null,
        blocks: [],
        origin: 'o',
        answer: 'ANSWER the small one',
        by: 'person',
      },
    ],
    decisions: [
      {
        id: 'D1',
        title: 'DECISION style',
        context: '',
        choice: 'CHOICE recursive',
        alternatives: [],
        dependsOn: [],
        invalidatedIf: null,
        task: 'T001',
        origin: 'o',
      },
    ],
    ...overrides,
  })

export const section = (text: string, title: string): string =>
  text.split('\n## ').find((part) => part.startsWith(`${title}\n`)) ?? ''
