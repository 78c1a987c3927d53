import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSafeId } from './task-id.ts'
import {
  attemptId,
  attemptIn,
  auditId,
  authorOfOrigin,
  awaited,
  commandOrigin,
  gateId,
  hasStep,
  isBelow,
  isDelay,
  isFromPlan,
  isPartOf,
  isPlan,
  isStep,
  isTimeLimit,
  isTry,
  isTryAt,
  lastStep,
  pollId,
  makeWorkId,
  ownerOf,
  partOrigin,
  passIn,
  passOwner,
  placeId,
  planId,
  questionOf,
  readWorkId,
  rerunId,
  rollbackId,
  stepId,
  timeLimitId,
  tryAt,
  waveIn,
  waveOwner,
  type StepName,
} from './work-id.ts'

const count = fc.integer({ min: 0, max: 99_999 })
const task = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,8}(\.[A-Za-z0-9_-]{1,4}){0,2}$/)
const step = fc.constantFrom<StepName[]>('implement', 'fix', 'inspect', 'merge', 'check', 'land', 'proof', 'verify')

describe('the form of ids, as journals hold them', () => {
  test.each([
    [attemptId('T003', 2), 'T003/a2'],
    [stepId(attemptId('T003', 2), 'fix', 1), 'T003/a2/fix1'],
    [stepId(attemptId('T003', 2), 'implement'), 'T003/a2/implement'],
    [stepId(attemptId('T003', 2), 'merge', 1, 2), 'T003/a2/merge1.2'],
    [stepId(passOwner(0, 3), 'check', '', 2), 'loop1.3/check.2'],
    [rerunId(placeId(stepId(attemptId('T003', 2), 'check', 0), 1), 2), 'T003/a2/check0/1.rerun2'],
    [rerunId('baseline/1', 0), 'baseline/1'],
    [stepId(planId(1), 'review'), 'plan/r1/review'],
    [stepId(gateId(1), 'verify'), 'gate/g1/verify'],
    [auditId(3, 4), 'wave3/at4'],
    [auditId(3, 4, 1), 'wave3/at4.1'],
    [rollbackId(3, 1, '0123456789abcdef'), 'wave3/rollback1-0123456789ab'],
    [passOwner(0, 3), 'loop1.3'],
    [passOwner(1, 3, 2), 'loop2.3.2'],
    [tryAt(pollId(4), 'again1'), 'look/4.again1'],
    [timeLimitId('2026-01-01T00:00:00.000Z'), 'limit/time/2026-01-01T00:00:00.000Z'],
  ])('%s', (made, expected) => {
    expect(made).toBe(expected)
  })
})

describe('reading gives what an id was made of', () => {
  test('any text is made again of what was read', () => {
    fc.assert(fc.property(fc.string(), (text) => makeWorkId(readWorkId(text)) === text))
    fc.assert(
      fc.property(task, count, step, count, count, (owner, n, name, nth, again) => {
        const id = tryAt(stepId(attemptId(owner, n), name, nth, again), 'retry')
        return makeWorkId(readWorkId(id)) === id
      }),
    )
  })

  test('owner, attempt, step and question of work of an attempt', () => {
    fc.assert(
      fc.property(task, count, step, count, (owner, n, name, nth) => {
        const question = stepId(attemptId(owner, n), name, nth)
        const id = tryAt(question, 'repair')
        expect(ownerOf(id)).toBe(owner)
        expect(attemptIn(id)).toBe(n)
        expect(lastStep(id)).toEqual({ name, nth, rest: '' })
        expect(isStep(id, name)).toBe(true)
        expect(hasStep(placeId(id, 1), name)).toBe(true)
        expect(questionOf(id)).toBe(question)
        expect(isTryAt(id, question)).toBe(true)
        expect(isBelow(id, attemptId(owner, n))).toBe(true)
      }),
    )
  })

  test('passes and waves', () => {
    fc.assert(
      fc.property(count, count, fc.integer({ min: 1, max: 9 }), (stage, pass, nth) => {
        const owner = passOwner(stage, pass, nth)
        expect(passIn(owner)).toEqual({ stage: stage + 1, pass, nth })
        expect(passIn(stepId(owner, 'judge'))).toEqual({ stage: stage + 1, pass, nth })
        expect(waveIn(owner)).toBeNull()
      }),
    )
    fc.assert(fc.property(count, (wave) => waveIn(stepId(waveOwner(wave), 'review')) === wave))
    fc.assert(fc.property(task, (owner) => waveIn(`${owner}x/a1/fix1`) === null))
  })

  test('a step is distinguished from one that only begins like it', () => {
    expect(isTryAt('plan/r10', 'plan/r1')).toBe(false)
    expect(isBelow('T1/a10/fix1', attemptId('T1', 1))).toBe(false)
    expect(isStep('T1/a1/check0/1', 'check')).toBe(false)
    expect(hasStep('T1/a1/outside0', 'test')).toBe(false)
  })

  test.each([
    ['limit/time/2026-01-01T00:00:00.000Z', { limit: true, delay: false }],
    ['loop1.2/delay', { limit: false, delay: true }],
    ['T1/a1/implement.wait2', { limit: false, delay: false }],
  ])('what %s waits for', (id, { limit, delay }) => {
    expect(isTimeLimit(id)).toBe(limit)
    expect(isDelay(id)).toBe(delay)
  })

  test('the question that is waited for', () => {
    expect(awaited('T1/a1/implement.wait2')).toEqual({ question: 'T1/a1/implement', nth: 2 })
    expect(awaited('T1/a1/implement.again1.quota')).toEqual({ question: 'T1/a1/implement.again1', nth: null })
    expect(awaited('T1/a1/implement.retry')).toBeNull()
  })

  test('tries, plans and origins', () => {
    expect(isTry('T1/a1/check0/1.rerun1', 'rerun')).toBe(true)
    expect(isTry('T1/a1/fix1.retry', 'rerun')).toBe(false)
    expect(questionOf('T1/a1/fix1.again2.quota')).toBe('T1/a1/fix1')
    expect(['plan/r0', 'plan/r1.repair', 'plan/r1/review', 'plan/prepare'].map(isPlan)).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(isFromPlan('plan/r1#2')).toBe(true)
    expect(ownerOf('source')).toBe('source')
  })

  test('who wrote what has an origin', () => {
    const origins = [commandOrigin('7'), 'plan/r0', 'plan/r1/review', 'backlog/r1', 'source', 'scaffold', 'T9/split3']
    expect(origins.map(authorOfOrigin)).toEqual(['person', 'planner', 'planner', 'planner', null, 'agent', 'agent'])
    expect(['commands/a1/implement', 'planner/a1/fix1', 'T1/a1/command/1'].map(authorOfOrigin)).toEqual(
      Array.from({ length: 3 }, () => 'agent'),
    )
    // A task with such a name could pass the words of its agents off as those of another author.
    const names = [commandOrigin('7'), planId(0), 'backlog/r1'].map(ownerOf)
    expect(names.filter(isSafeId)).toEqual([])
  })

  test('the parts of an answer', () => {
    expect(isPartOf(partOrigin('plan/r1', 2), 'plan/r1')).toBe(true)
    expect(isPartOf(partOrigin('plan/r1', 'questions'), 'plan/r1')).toBe(true)
    expect(isPartOf('plan/r10#2', 'plan/r1')).toBe(false)
    expect(isPartOf('plan/r1', 'plan/r1')).toBe(false)
  })
})
