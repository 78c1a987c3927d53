import { describe, expect, test } from 'vitest'
import { done, unverified } from '../../../test/kit/report-samples.ts'
import { sampleConfig } from '../../../test/kit/state.ts'
import { proofOf } from './proof.ts'

describe('the evidence for a criterion', () => {
  const { checks } = sampleConfig()
  test.each([
    ['`npm test` passes', { kind: 'check', check: 'test' }],
    ['npm test', { kind: 'check', check: 'test' }],
    ['Running `npm test` exits with code 0.', { kind: 'check', check: 'test' }],
    ['npm test passes in under a second', { kind: 'judged', score: 88 }],
    ['npm test fails', { kind: 'judged', score: 88 }],
    ['Errors name the line', { kind: 'judged', score: 88 }],
  ])('%s', (criterion, proof) => expect(proofOf(criterion, done, checks)).toEqual(proof))

  test('without a judge the checks prove the task, not the criterion', () => {
    expect(proofOf('Errors name the line', { ...done, verdict: null }, checks)).toEqual({
      kind: 'task-checks',
      checks: ['test'],
    })
  })
  test('without evidence or verdict a criterion is unproven, and a task that is not done proves nothing', () => {
    expect(proofOf('x', unverified, checks)).toEqual({ kind: 'none' })
    expect(proofOf('`npm test` passes', { ...done, status: 'failed', block: null }, checks)).toEqual({ kind: 'none' })
  })
})
