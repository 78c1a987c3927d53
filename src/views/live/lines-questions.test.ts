import { describe, expect, test } from 'vitest'
import { esc, shown } from '../../../test/kit/line-samples.ts'
import { sampleAttempt, sampleState, sampleTask } from '../../../test/kit/state.ts'

describe('live lines', () => {
  test('F16: remaining work of an ended attempt prints no line', () => {
    expect(shown({ type: 'work.lost', id: 'T002/a2/check2/4.rerun1', why: 'it never started' })).toBeNull()
    const race = sampleState({
      tasks: [sampleTask({ id: 'T002', status: 'doing', attempt: sampleAttempt(), racers: [sampleAttempt({ n: 2 })] })],
    })
    expect(shown({ type: 'work.lost', id: 'T002/a2/check2/4', why: 'it never started' }, race)).toBe(
      '  ! T002 attempt 2 · checking · lost: it never started',
    )
  })

  test('E7: a question is printed with its options, and a task that waits for an answer is not shown as blocked', () => {
    const question = {
      id: 'Q1',
      text: 'How many digits?',
      options: ['2', `4${esc}`],
      default: null,
      blocks: ['T002'],
      origin: 'o',
    }
    expect(shown({ type: 'question.asked', question })).toBe(
      '? Q1 How many digits? (2 | 4)\n  looper answer Q1 "…" --run 001-add-auth',
    )
    const blocked = {
      type: 'task.finished',
      task: 'T002',
      status: 'blocked',
      block: 'external',
      commit: null,
      summary: null,
    } as const
    expect(shown({ ...blocked, evidence: [], reason: 'waiting for an answer to Q1', question: 'Q1' })).toBe(
      '⏸ T002 blocked: waiting for an answer to Q1',
    )
    expect(shown({ ...blocked, evidence: [], reason: 'needs a key' })).toBe('⏸ T002 blocked (external): needs a key')
  })

  test('a resume says of a task whose question is answered that this is why it goes on', () => {
    const asked = { text: 'Which?', options: [], default: null, by: 'person' as const }
    const state = sampleState({
      tasks: [
        sampleTask({ id: 'T001', attempts: 1 }),
        sampleTask({ id: 'T002', attempts: 2 }),
        sampleTask({ id: 'T003', attempts: 1 }),
      ],
      questions: [
        { ...asked, id: 'Q1', blocks: ['T001'], origin: 'T001/a1/implement', answer: 'this' },
        // The attempt after the answer failed.
        { ...asked, id: 'Q2', blocks: ['T002'], origin: 'T002/a1/implement', answer: 'that' },
      ],
    })
    expect(shown({ type: 'task.reopened', tasks: ['T001', 'T002', 'T003'], why: 'resumed' }, state)).toBe(
      '↻ T001 reopened (its question was answered)\n↻ T002, T003 reopened (the run was resumed)',
    )
    expect(shown({ type: 'task.reopened', tasks: ['T001'], why: 'resumed' }, state)).toBe(
      '↻ T001 reopened (its question was answered)',
    )
  })

  test('a plan that waited for answers is not called rejected', () => {
    const feedback = 'The questions are answered now: plan with the answers.'
    expect(shown({ type: 'plan.rejected', revision: 0, score: null, feedback })).toBe(
      '↻ planning again · its questions are answered',
    )
  })
})
