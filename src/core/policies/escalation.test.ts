import { describe, expect, test } from 'vitest'
import type { SupervisorResult } from '../../model/results.ts'
import { judge } from './escalation.ts'

const thresholds = { approve: 70, revise: 50, failedTasksAbort: 0.5 }
const answer = (
  score: number,
  issues = 0,
  severity: 'critical' | 'major' | 'minor' = 'major',
  more: object = {},
): SupervisorResult => ({
  score,
  summary: '',
  issues: Array.from({ length: issues }, () => ({ severity, message: 'm' })),
  missing: [],
  feedback: '',
  ...more,
})

describe('A6: levels', () => {
  test.each([
    [100, 0, 'none'],
    [70, 0, 'none'],
    [69, 0, 'remind'],
    [50, 0, 'remind'],
    [49, 0, 'correct'],
    [30, 0, 'correct'],
    [29, 0, 'refocus'],
    [0, 0, 'refocus'],
    [90, 4, 'none'],
    [90, 5, 'critical'],
    [40, 5, 'critical'],
    [90, 6, 'abort'],
    [10, 6, 'abort'],
  ])('score %i with %i issues is %s', (score, issues, level) => {
    expect(judge(answer(score, issues), thresholds).level).toBe(level)
  })

  test('minor remarks do not lower a good verdict, but count when the score is low', () => {
    expect(judge(answer(90, 9, 'minor'), thresholds)).toMatchObject({ level: 'none', approved: true })
    expect(judge(answer(40, 6, 'minor'), thresholds).level).toBe('abort')
  })

  test('the approval field of the agent does not count', () => {
    expect(judge(answer(40, 0, 'major', { approved: true, level: 'none' }), thresholds).approved).toBe(false)
    expect(judge(answer(95, 5), thresholds).approved).toBe(false)
  })

  test.each([
    [1e9, 100],
    [-5, 0],
    [Number.NaN, 0],
    [Number.POSITIVE_INFINITY, 0],
    [69.6, 70],
  ])('a score of %d is taken as %i', (score, taken) => {
    expect(judge(answer(score), thresholds).score).toBe(taken)
  })
})
