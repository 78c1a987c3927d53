import { describe, expect, test } from 'vitest'
import { sampleTurn } from '../../../test/kit/state.ts'
import type { AgentConfig } from '../../model/config.ts'
import type { AgentParser, Ending } from '../adapter.ts'
import { createParser } from './parser.ts'

const work = sampleTurn({ agent: 'claude' })
const well: Ending = { code: 0, signal: null, file: null, stderr: '', extra: null }
const id = '4b339e5d-e5fa-44c3-9f04-a0f4aaaf0305'

function read(events: readonly object[], agent: AgentConfig = {}): AgentParser {
  const parser = createParser('UTC')({ agent, work, startedAt: '2026-11-15T23:23:30.000Z' })
  for (const event of events) parser.push(JSON.stringify(event))
  return parser
}

const init = { type: 'system', subtype: 'init', session_id: id, apiKeySource: 'none' }
const refused = { type: 'system', subtype: 'api_retry', error_status: 401, error: 'authentication_failed' }
const allowed = { type: 'rate_limit_event', rate_limit_info: { status: 'allowed', isUsingOverage: false } }
const tokens = { input_tokens: 7, cache_read_input_tokens: 3, output_tokens: 1 }
const message = { type: 'assistant', message: { id: 'm1', model: 'opus', content: [], usage: tokens } }
const result = (costUSD: number, more: object = {}) => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'Done.',
  ...more,
  model_usage_since_last_result: {
    opus: { inputTokens: 10, outputTokens: 5, costUSD },
    haiku: { inputTokens: 1, cacheReadInputTokens: 2 },
  },
})

describe('unrecoverable (F1)', () => {
  test('a refused key is final at once', () => {
    expect(read([{ ...init, apiKeySource: 'ANTHROPIC_API_KEY' }, refused]).unrecoverable()?.kind).toBe('auth')
  })

  test('a login may be renewed once', () => {
    expect(read([init, refused]).unrecoverable()).toBeNull()
    expect(read([init, refused, refused]).unrecoverable()?.kind).toBe('auth')
  })

  test('being overloaded is no unrecoverable', () => {
    expect(
      read([
        init,
        ...Array.from({ length: 9 }, () => ({ ...refused, error_status: 529, error: 'overloaded' })),
      ]).unrecoverable(),
    ).toBeNull()
  })
})

describe('usage (D5)', () => {
  const spent = { inputTokens: 13, outputTokens: 5, costUsd: 0.25 }

  test('is that of all models', () => {
    expect(read([init, message, result(0.25)]).end(well).usage).toEqual(spent)
  })

  describe('of a turn under way', () => {
    const million = {
      ...message,
      message: {
        ...message.message,
        model: 'claude-sonnet-5',
        usage: { input_tokens: 1_000_000, output_tokens: 100_000 },
      },
    }
    const keyed = { ...init, apiKeySource: 'ANTHROPIC_API_KEY' }

    test.each<[string, object[], AgentConfig, number]>([
      ['by list price for users who pay with a key', [keyed, million], {}, 3],
      ['by list price where the configuration says so', [init, million], { billing: 'api' }, 3],
      [
        'by list price beyond a subscription',
        [init, { ...allowed, rate_limit_info: { isUsingOverage: true } }, million],
        {},
        3,
      ],
      ['in no dollars where nothing says who pays', [init, million], {}, 0],
      ['in no dollars on a subscription', [init, allowed, million], {}, 0],
      ['as the result reports in the end', [keyed, million, result(0.25)], {}, 0.25],
    ])('is counted %s', (_, events, agent, costUsd) => {
      expect(read(events, agent).usage().costUsd).toBeCloseTo(costUsd, 9)
    })
  })

  test('continues when background work wakes it up', () => {
    const parser = read([
      init,
      message,
      result(0.25),
      message,
      { ...message, message: { ...message.message, id: 'm2' } },
    ])
    expect(parser.usage()).toEqual({ inputTokens: 23, outputTokens: 6, costUsd: 0.25 })
    parser.push(JSON.stringify(result(0.5)))
    expect(parser.end(well).usage).toEqual({ inputTokens: 26, outputTokens: 10, costUsd: 0.75 })
  })

  test('is known in part when it is cut', () => {
    const prices = { opus: { input: 5, output: 25, cachedInput: 1 } }
    expect(read([init, message, message], { prices }).end({ ...well, code: 143 }).usage).toEqual({
      inputTokens: 10,
      outputTokens: 1,
      costUsd: (7 * 5 + 3 + 25) / 1e6,
    })
  })

  test('of an older version, that reported less', () => {
    const usage = { ...tokens, cache_creation_input_tokens: 2 }
    const old = { ...result(0.25), model_usage_since_last_result: undefined, total_cost_usd: 0.5, usage }
    expect(read([init, old]).end(well).usage).toEqual({ inputTokens: 12, outputTokens: 1, costUsd: 0.5 })
  })

  test('stays the same object until it changes', () => {
    const parser = read([init, message])
    expect(parser.usage()).toBe(parser.usage())
  })

  test.each<[string, object, AgentConfig, number]>([
    ['a subscription shows in the stream', allowed, {}, 0],
    ['a subscription shows in little', { type: 'rate_limit_event', rate_limit_info: { status: 'allowed' } }, {}, 0],
    ['unless the configuration says that it is none', allowed, { billing: 'api' }, 0.25],
    [
      'what goes beyond a subscription is paid',
      { ...allowed, rate_limit_info: { status: 'allowed', isUsingOverage: true } },
      {},
      0.25,
    ],
  ])('%s', (_, event, agent, costUsd) => {
    expect(read([init, event, result(0.25)], agent).end(well).usage.costUsd).toBe(costUsd)
  })
})

describe('the answer', () => {
  const call = { type: 'tool_use', id: 't', name: 'StructuredOutput', input: { n: 1 } }
  const tried = { type: 'assistant', message: { id: 'm1', content: [call] } }

  test.each<[string, object[], Partial<Ending>, object | null]>([
    [
      'is what was structured',
      [init, tried, result(0, { structured_output: { n: 2 } })],
      { file: '{"n":3}' },
      { n: 2 },
    ],
    ['is in the file', [init, result(0)], { file: '{"n":3}' }, { n: 3 }],
    ['is what was refused', [init, tried, result(0, { subtype: 'error_max_structured_output_retries' })], {}, { n: 1 }],
    ['is in the words', [init, result(0, { result: 'So: {"n":4}' })], {}, { n: 4 }],
    ['is nowhere', [init, result(0)], {}, null],
  ])('%s', (_, events, ending, value) => {
    expect(read(events).end({ ...well, ...ending })).toMatchObject({ value, failure: null })
  })
})

test.each<[unknown, AgentConfig, string | null]>([
  [id, {}, id],
  [id, { args: ['--no-session-persistence'] }, null],
  ['--dangerously-skip-permissions', {}, null],
  ['', {}, null],
  [7, {}, null],
])('the session %o with %o can be resumed as %s (F19)', (session_id, agent, expected) => {
  expect(read([{ ...init, session_id }], agent).session()).toBe(expected)
})

test('a limit that is lifted at a time of day is reported in the zone of the agent, from the newest time in the stream on', () => {
  const failed = result(0, { is_error: true, api_error_status: 429, result: "You've hit your limit · resets 3am" })
  const events = [init, { ...message, timestamp: '2026-11-16T03:30:00.000Z' }, failed]
  expect(read(events).end(well).failure?.resetsAt).toBe('2026-11-17T03:01:00.000Z')
  expect(read(events, { env: { TZ: 'Asia/Tokyo' } }).end(well).failure?.resetsAt).toBe('2026-11-16T18:01:00.000Z')
})

test('only the window that refuses reports when a limit is lifted', () => {
  const window = (status: string, resetsAt: number) => ({
    type: 'rate_limit_event',
    rate_limit_info: { status, resetsAt },
  })
  const failed = result(0, { is_error: true, api_error: 'usage_limit_reached', result: "You've hit your limit" })
  const events = [init, window('rejected', 1_794_785_400), window('allowed', 1_794_999_999), failed]
  expect(read(events).end(well).failure).toMatchObject({ kind: 'usage_limit', resetsAt: '2026-11-15T23:30:00.000Z' })
})

describe('an end without a result', () => {
  test.each<[string, object[], Partial<Ending>, string]>([
    ['after an abort', [init, { ...message, aborted: true }], {}, 'interrupted'],
    ['after nothing at all', [], { code: 1, stderr: 'error: unknown option' }, 'config'],
    ['after a beginning', [init], { code: 1, stderr: 'error: out of memory' }, 'crash'],
    ['as if all were well', [init, message], {}, 'crash'],
  ])('%s', (_, events, ending, kind) => {
    expect(read(events).end({ ...well, ...ending }).failure?.kind).toBe(kind)
  })
})

test('a command ends once', () => {
  const call = { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'make' } }
  const output = { type: 'tool_result', tool_use_id: 't', content: 'killed', is_error: true }
  const ended = JSON.stringify({ type: 'user', message: { content: [output] } })
  const parser = read([init, { type: 'assistant', message: { id: 'm', content: [call] } }])
  expect(parser.push(ended)).toEqual([{ type: 'command', command: 'make', exitCode: null }])
  expect(parser.push(ended)).toEqual([{ type: 'raw', text: ended }])
})
