import { describe, expect, test } from 'vitest'
import { agentError, baseConfig, play } from '../../../test/kit/play.ts'
import { sampleEvent, sampleFailure, sampleState, sampleTask } from '../../../test/kit/state.ts'
import type { Fact, PauseKind, Question } from '../../model/event.ts'
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { WaitWork } from '../../model/work.ts'
import { noticeOf } from './notice.ts'

const until = '2026-03-01T11:30:00.000Z'
const state = sampleState({
  run: '001-x',
  goal: 'Make it so',
  wave: 3,
  tasks: [sampleTask({ id: 'T1', attempts: 1 }), sampleTask({ id: 'T2' })],
})
const of = (fact: Fact, from = state) => noticeOf(sampleEvent(fact), from)
const finished = (more: Partial<Fact<'task.finished'>> = {}): Fact => ({
  type: 'task.finished',
  task: 'T1',
  status: 'done',
  reason: null,
  block: null,
  evidence: [],
  commit: null,
  summary: 'did it',
  ...more,
})
const failed = (next: 'retry' | 'fail'): Fact => ({
  type: 'attempt.failed',
  task: 'T1',
  attempt: 1,
  failure: sampleFailure({ summary: 'check test failed' }),
  next,
})
const question = (more: Partial<Question> = {}): Fact => ({
  type: 'question.asked',
  question: { id: 'Q1', text: 'Which key?', options: [], default: null, blocks: ['T1'], origin: 'T1', ...more },
})
const waiting = (awaits: WaitWork['awaits']): Fact => ({
  type: 'work.started',
  work: { kind: 'wait', id: 'w', until, awaits },
})
const paused = (kind: PauseKind): Fact => ({ type: 'run.paused', reason: { kind, detail: 'because of it', hint: '' } })

describe('D7: which events cause which notices', () => {
  test.each<[string, Fact, string, string[], string, string]>([
    ['a task that is done', finished(), 'postIteration', ['T1', 'done', 'iter-3'], '001-x: T1 done', 'did it'],
    [
      'one that is blocked',
      finished({ status: 'blocked', summary: null, reason: 'no key' }),
      'postIteration',
      ['T1', 'blocked', 'iter-3'],
      '001-x: T1 blocked',
      'no key',
    ],
    [
      'one that was left out',
      finished({ status: 'cancelled', summary: null }),
      'postIteration',
      ['T1', 'skipped', 'iter-3'],
      '001-x: T1 skipped',
      '',
    ],
    [
      'an attempt before another',
      failed('retry'),
      'postIteration',
      ['T1', 'failed', 'iter-3'],
      '001-x: T1 failed',
      'check test failed',
    ],
    ['a question', question(), 'onQuestion', ['Q1', 'Which key?'], '001-x asks Q1', 'Which key?'],
    [
      'a wait for a quota',
      waiting({ kind: 'retry', question: 'T1/a1/fix1', nth: null }),
      'onLimit',
      ['001-x', until],
      '001-x waits',
      'until 2026-03-01 11:30 UTC',
    ],
    ['a pause for a limit', paused('limit'), 'onLimit', ['001-x', 'because of it'], '001-x paused', 'because of it'],
    [
      'a pause for too long a wait',
      paused('wait'),
      'onLimit',
      ['001-x', 'because of it'],
      '001-x paused',
      'because of it',
    ],
    ...(['question', 'auth', 'config', 'blocked', 'setup'] as const).map(
      (kind): [string, Fact, string, string[], string, string] => [
        `a pause: ${kind}`,
        paused(kind),
        'onEnd',
        ['001-x', 'paused', 'because of it'],
        '001-x paused',
        'because of it',
      ],
    ),
    [
      'the end',
      { type: 'run.ended', status: 'completed', reason: null },
      'onEnd',
      ['001-x', 'completed', ''],
      '001-x completed',
      'Make it so',
    ],
    [
      'a bad end',
      { type: 'run.ended', status: 'failed', reason: 'T1 failed' },
      'onEnd',
      ['001-x', 'failed', 'T1 failed'],
      '001-x failed',
      'T1 failed',
    ],
  ])('%s', (_, fact, hook, args, title, text) => {
    expect(of(fact)).toMatchObject({ hook, args, title, text })
  })

  test.each<[string, Fact]>([
    ['a task that was closed where it comes from', finished({ by: 'source' })],
    ['a task that was never tried', finished({ task: 'T2', status: 'cancelled' })],
    ['the last attempt, which the line of the task names', failed('fail')],
    ['a question that answers itself', question({ default: 'yes' })],
    ['the wait for the time limit', waiting({ kind: 'time-limit' })],
    ['a source that cannot be reached', waiting({ kind: 'retry', question: 'look/3', nth: 1 })],
    ['the delay between two passes', waiting({ kind: 'delay' })],
    ['a pause that a person wanted', paused('user')],
    ['anything else', { type: 'stop.requested', how: 'pause' }],
  ])('no notice of %s', (_, fact) => {
    expect(of(fact)).toBeNull()
  })

  test.each<[name: string, kind: AgentErrorKind, resetsAt: string | null, waits: string[]]>([
    ['a usage limit, with when it is lifted', 'usage_limit', '2026-01-01T05:00:00.000Z', ['wait1']],
    ['a usage limit without a known end, once until it lasts long', 'usage_limit', null, ['wait1', 'wait5', 'wait6']],
    ['a rate limit that is lifted in an hour', 'rate_limited', '2026-01-01T01:00:00.000Z', ['wait1']],
    ['a rate limit only when it lasts', 'rate_limited', null, ['wait5', 'wait6']],
    ['not of an overloaded model', 'overloaded', null, []],
    ['not of a network that is down', 'network', null, []],
  ])('of waits: %s', (_name, kind, resetsAt, waits) => {
    let errors = resetsAt === null ? 6 : 1
    const { events } = play(baseConfig({ review: false }), (work) =>
      work.kind === 'turn' && errors-- > 0 ? agentError(kind, resetsAt) : undefined,
    )
    const now = initialState()
    const told = events.flatMap((event) =>
      noticeOf(event, evolve(now, event))?.hook === 'onLimit' && event.type === 'work.started' ? [event.work.id] : [],
    )
    expect(told.map((id) => id.slice(id.lastIndexOf('.') + 1))).toEqual(waits)
  })

  test('names a loop pass by its number in the stage', () => {
    const entry: Fact<'iteration.finished'> = {
      type: 'iteration.finished',
      stage: 0,
      name: 'polish',
      iteration: 2,
      status: 'done',
      summary: 'one more',
      plateau: false,
      stop: false,
      patterns: [],
      output: null,
      notes: null,
      changed: 1,
      base: null,
      tree: null,
      failure: null,
    }
    const loop = { entries: [entry, entry] } as unknown as NonNullable<typeof state.loop>
    expect(of(entry, { ...state, loop })).toMatchObject({
      hook: 'postIteration',
      args: ['polish', 'done', 'iter-2'],
      message: 'one more',
    })
  })

  test('people get a short plain text; programs get the whole text', () => {
    const text = `\u001b[31m${'long '.repeat(200)}\u0007`
    const notice = of(question({ text }))
    expect(notice?.args).toEqual(['Q1', text])
    expect(notice?.text).not.toMatch(/[\u001b\u0007]/)
    expect(notice?.text.length).toBeLessThanOrEqual(300)
  })
})
