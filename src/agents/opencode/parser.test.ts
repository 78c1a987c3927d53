import { describe, expect, test } from 'vitest'
import { sampleTurn } from '../../../test/kit/state.ts'
import type { AgentConfig } from '../../model/config.ts'
import type { AgentParser, Ending } from '../adapter.ts'
import { createParser } from './parser.ts'

const work = sampleTurn({ agent: 'opencode' })
const well: Ending = { code: 0, signal: null, file: null, stderr: '', extra: null }
const sessionID = 'ses_e1e5e6dddffe9ZacZI9z8fBQX3'
const timestamp = Date.parse('2026-11-15T23:23:30.000Z')

function read(events: readonly object[], agent: AgentConfig = {}): AgentParser {
  const parser = createParser({ agent, work, startedAt: '2026-11-15T23:00:00.000Z' })
  for (const event of events) parser.push(JSON.stringify({ sessionID, timestamp, ...event }))
  return parser
}
const times = (count: number, ...events: object[]): object[] => Array.from({ length: count }, () => events).flat()

const start = { type: 'step_start', part: {} }
const says = (text: string) => ({ type: 'text', part: { text } })
const uses = { type: 'tool_use', part: { tool: 'read', state: { input: {} } } }
const tokens = { input: 10, output: 5, reasoning: 2, cache: { read: 3, write: 1 } }
const finish = (reason: string, more: object = {}) => ({
  type: 'step_finish',
  part: { reason, tokens, cost: 0.5, ...more },
})
const error = { type: 'error', error: { name: 'APIError', data: { message: 'No.', statusCode: 401 } } }
const goesOn = { type: 'text', part: { text: 'Continue', synthetic: true, metadata: { compaction_continue: true } } }

describe('the end', () => {
  test.each<[string, object[], Partial<Ending>, string | null]>([
    ['is a step that stops', [start, says('x'), finish('stop')], {}, null],
    ['is a step that was cut short by the model', [start, says('x'), finish('length')], {}, null],
    ['may be unseen', [start, finish('stop')], { code: null }, null],
    ['is none after the use of a tool', [start, uses, finish('tool-calls')], {}, 'crash'],
    ['is none while a step is under way', [start, finish('stop'), start], {}, 'crash'],
    ['is none when it says itself that it goes on', [start, finish('stop'), goesOn], {}, 'crash'],
    ['is none when the step does not report why', [start, { type: 'step_finish' }], {}, 'crash'],
    ['counts only when it leaves well', [start, finish('stop')], { code: 1 }, 'crash'],
    ['is an error', [start, finish('stop'), error], { code: 1 }, 'auth'],
    ['was no error when it went on after it', [error, start, finish('stop')], {}, null],
  ])('%s', (_, events, ending, failure) => {
    expect(read(events).end({ ...well, ...ending }).failure?.kind ?? null).toBe(failure)
  })
})

describe('unrecoverable (F1)', () => {
  const waits = (attempt: number, seconds: number) => ({
    type: 'looper_retry',
    attempt,
    message: 'Rate limit reached',
    next: timestamp + seconds * 1_000,
  })
  const hollow = { tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }, cost: 0 }

  test.each<[string, object[], string | null]>([
    ['one wait of its own is not', [waits(1, 4)], null],
    ['the second is', [waits(1, 4), waits(2, 8)], 'rate_limited'],
    ['a long wait is at once', [waits(1, 7_200)], 'rate_limited'],
    ['summing up twice is not', times(2, start, finish('stop'), goesOn), null],
    ['summing up again and again is', times(3, start, finish('stop'), goesOn), 'context_overflow'],
    ['summing up between work is not', times(9, start, uses, finish('tool-calls'), goesOn), null],
    ['a hollow answer is not', times(4, start, finish('unknown', hollow)), null],
    ['hollow answers again and again are', times(5, start, finish('unknown', hollow)), 'bad_response'],
    ['answers that end oddly are not', times(9, start, finish('unknown')), null],
  ])('%s', (_, events, kind) => {
    expect(read(events).unrecoverable()?.kind ?? null).toBe(kind)
  })

  test('reports until when', () => {
    expect(read([waits(1, 7_200)]).unrecoverable()?.resetsAt).toBe('2026-11-16T01:23:30.000Z')
  })

  test('waiting names no session: it may be that of a helper', () => {
    expect(read([waits(1, 4)]).session()).toBeNull()
  })
})

describe('usage (D5)', () => {
  test('is the sum of steps, with what was cached and thought', () => {
    expect(read([start, finish('tool-calls'), start, finish('stop')]).end(well).usage).toEqual({
      inputTokens: 28,
      outputTokens: 14,
      costUsd: 1,
    })
  })

  test.each<[string, AgentConfig, number]>([
    ['it reports no price', {}, 0],
    [
      'the configuration knows it',
      { model: 'a/b', prices: { 'a/b': { input: 2, output: 10, cachedInput: 1 } } },
      (11 * 2 + 3 + 7 * 10) / 1e6,
    ],
    [
      'it is paid by subscription',
      { model: 'a/b', prices: { 'a/b': { input: 2, output: 10 } }, billing: 'subscription' },
      0,
    ],
  ])('where %s', (_, agent, costUsd) => {
    expect(read([start, finish('stop', { cost: 0 })], agent).usage().costUsd).toBeCloseTo(costUsd, 10)
  })
})

describe('the answer', () => {
  test.each<[string, object[], Partial<Ending>, object | null]>([
    ['is in the file', [start, says('{"n":1}'), finish('stop')], { file: '{"n":2}' }, { n: 2 }],
    [
      'is in the last words that have one',
      [start, says('{"n":1}'), uses, start, says('That was it.'), finish('stop')],
      {},
      { n: 1 },
    ],
    [
      'is not what it says to itself',
      [start, { type: 'text', part: { text: '{"n":1}', synthetic: true } }, finish('stop')],
      {},
      null,
    ],
  ])('%s', (_, events, ending, value) => {
    expect(read(events).end({ ...well, ...ending })).toMatchObject({ value, failure: null })
  })
})

test.each<[unknown, string | null]>([
  [sessionID, sessionID],
  ['--auto-everything', null],
  [7, null],
])('the session %o is %s (F19)', (id, expected) => {
  expect(read([{ ...start, sessionID: id }]).session()).toBe(expected)
})

test('an unexpected error is explained by its logs', () => {
  const unexpected = {
    type: 'error',
    error: { name: 'UnknownError', data: { message: 'Unexpected server error.', ref: 'err_1' } },
  }
  const stderr = 'level=ERROR message=failed ref=err_1 error="Model not found: a/b." cause=x\n'
  expect(read([unexpected]).end({ ...well, code: 1, stderr }).failure).toMatchObject({
    kind: 'config',
    message: 'Model not found: a/b.',
  })
})
