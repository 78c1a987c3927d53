import { describe, expect, test } from 'vitest'
import { sampleTurn } from '../../../test/kit/state.ts'
import type { AgentConfig } from '../../model/config.ts'
import type { TurnWork } from '../../model/work.ts'
import type { AgentParser, Ending } from '../adapter.ts'
import { createParser } from './parser.ts'

const work = sampleTurn({ agent: 'codex' })
const well: Ending = { code: 0, signal: null, file: null, stderr: '', extra: null }
const id = '01a1e193-bd2d-7d33-9564-4d3473c77081'
const startedAt = '2026-11-15T23:23:30.000Z'
const later = '2026-11-15T23:23:50.000Z'

function read(events: readonly object[], agent: AgentConfig = {}, change: Partial<TurnWork> = {}): AgentParser {
  const parser = createParser('UTC')({ agent, work: { ...work, ...change }, startedAt })
  for (const event of events) parser.push(JSON.stringify(event))
  return parser
}

const begun = [{ type: 'thread.started', thread_id: id }, { type: 'turn.started' }]
const error = (message: string) => ({ type: 'error', message })
const message = (text: string) => ({ type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text } })
const tokens = {
  input_tokens: 1_000_000,
  cached_input_tokens: 200_000,
  output_tokens: 100_000,
  reasoning_output_tokens: 7,
}
const done = { type: 'turn.completed', usage: tokens }
const failed = (words: string) => ({ type: 'turn.failed', error: { message: words } })

/** The end of a session file. */
function rollout(input_tokens: number, more: object = {}): string {
  const counts = { type: 'token_count', info: { total_token_usage: { input_tokens, output_tokens: 10 } }, ...more }
  const lines = [
    { type: 'turn_context', payload: { model: 'gpt-5-mini' } },
    { type: 'event_msg', payload: counts },
  ]
  return lines.map((line) => JSON.stringify({ timestamp: later, ...line })).join('\n')
}

describe('unrecoverable (F1)', () => {
  const refused = error('Reconnecting... 1/5 (unexpected status 401 Unauthorized: Incorrect API key provided.)')
  const waiting = error('Reconnecting... waiting for network (Connection failed)')

  test('a login may be renewed once', () => {
    expect(read([...begun, refused]).unrecoverable()).toBeNull()
    expect(read([...begun, refused, refused]).unrecoverable()).toMatchObject({ kind: 'auth' })
  })

  test('a long wait for the network ends the turn; a recovered connection resets the count', () => {
    const four = [waiting, waiting, waiting, waiting]
    expect(read([...begun, ...four, message('hi'), ...four]).unrecoverable()).toBeNull()
    expect(read([...begun, ...four, waiting]).unrecoverable()).toMatchObject({ kind: 'network' })
  })
})

describe('usage (D5)', () => {
  test('is priced: the model of the work, of the agent, the one that was used', () => {
    const gpt5 = { inputTokens: 1_000_000, outputTokens: 100_000, costUsd: 0.8 * 1.25 + 0.2 * 0.125 + 1 }
    expect(read([...begun, done], { model: 'gpt-5' }).end(well).usage).toEqual(gpt5)
    expect(read([...begun, done], { model: 'gpt-5-nano' }, { model: 'gpt-5' }).end(well).usage).toEqual(gpt5)
    expect(read([...begun, done]).end({ ...well, extra: rollout(5) }).usage.costUsd).toBeCloseTo(
      0.8 * 0.25 + 0.2 * 0.025 + 0.2,
    )
    expect(read([...begun, done]).end(well).usage.costUsd).toBe(0)
  })

  test('is what this turn added to its session', () => {
    const spent = { inputTokens: 400_000, outputTokens: 40_000, costUsd: 1 }
    const { usage } = read([...begun, done], { model: 'gpt-5' }, { session: { id, spent } }).end(well)
    expect(usage).toMatchObject({ inputTokens: 600_000, outputTokens: 60_000 })
    expect(usage.costUsd).toBeCloseTo(1.025)
  })

  test('is taken as it is where it is less than was spent before', () => {
    const spent = { inputTokens: 4_000_000, outputTokens: 40_000, costUsd: 9 }
    const { usage } = read([...begun, done], {}, { session: { id, spent } }).end(well)
    expect(usage).toMatchObject({ inputTokens: 1_000_000, outputTokens: 100_000 })
  })

  test('of a turn that failed or was cut is in the file of its session', () => {
    const prices = { 'gpt-5-mini': { input: 1_000, output: 10_000 } }
    for (const events of [begun, [...begun, failed('no')]]) {
      const { usage } = read(events, { prices }).end({ ...well, code: 1, extra: rollout(700) })
      expect(usage).toEqual({ inputTokens: 700, outputTokens: 10, costUsd: 0.8 })
    }
  })

  test('has no dollars before it is known who pays', () => {
    const parser = read([...begun, done], { model: 'gpt-5' })
    expect(parser.usage()).toEqual({ inputTokens: 1_000_000, outputTokens: 100_000, costUsd: 0 })
    expect(parser.end(well).usage.costUsd).toBeGreaterThan(2)
    expect(read([...begun, done], { model: 'gpt-5', billing: 'api' }).usage().costUsd).toBeGreaterThan(2)
  })

  test('costs nothing where the file names a plan, unless the configuration says otherwise', () => {
    const extra = rollout(5, { rate_limits: { plan_type: 'plus' } })
    expect(read([...begun, done], { model: 'gpt-5' }).end({ ...well, extra }).usage.costUsd).toBe(0)
    expect(
      read([...begun, done], { model: 'gpt-5', billing: 'api' }).end({ ...well, extra }).usage.costUsd,
    ).toBeGreaterThan(2)
  })
})

describe('the answer', () => {
  test.each<[string, object[], Partial<Ending>, object | null]>([
    ['is the last message', [...begun, message('{"n":0}'), message('{"n":1}'), done], { file: '{"n":2}' }, { n: 1 }],
    ['is in the file', [...begun, message('See the file.'), done], { file: '{"n":2}' }, { n: 2 }],
    ['is among words', [...begun, message('So: {"n":3}'), done], {}, { n: 3 }],
    ['is nowhere', [...begun, message('{"n":4}'), message('Hm.'), done], {}, null],
  ])('%s', (_, events, ending, value) => {
    expect(read(events).end({ ...well, ...ending })).toMatchObject({ value, failure: null })
  })
})

describe('a limit', () => {
  const slow = 'rate limit exceeded: Please try again in 20s.'

  test('that lasts for a span counts from the time of its message, if that is known', () => {
    const parser = read([...begun, error(slow), failed(slow)])
    expect(parser.end(well).failure).toMatchObject({ kind: 'rate_limited', resetsAt: null })
    expect(parser.end({ ...well, extra: rollout(5) }).failure).toMatchObject({ resetsAt: '2026-11-15T23:24:10.000Z' })
  })

  test('at a time of day is read in the agent’s time zone', () => {
    const limit = failed('You’ve hit your usage limit. Try again at 8:30 AM.')
    expect(read([...begun, limit], { env: { TZ: 'Asia/Tokyo' } }).end(well).failure?.resetsAt).toBe(
      '2026-11-15T23:31:00.000Z',
    )
    expect(read([...begun, limit]).end(well).failure?.resetsAt).toBe('2026-11-16T08:31:00.000Z')
  })
})

test('an error that nothing follows is what the turn ended with', () => {
  expect(
    read([...begun, error('unexpected status 503 Service Unavailable')]).end({ ...well, code: 1 }).failure?.kind,
  ).toBe('overloaded')
})

test('tools are counted once, whether or not their beginning is reported', () => {
  const item = { id: 'item_1', type: 'web_search', query: 'looper' }
  const used = { type: 'tool_use', name: 'web_search', input: { query: 'looper' } }
  const parser = read(begun)
  expect(parser.push(JSON.stringify({ type: 'item.started', item }))).toEqual([used])
  expect(parser.push(JSON.stringify({ type: 'item.completed', item }))).toMatchObject([{ type: 'raw' }])
  expect(parser.push(JSON.stringify({ type: 'item.completed', item: { ...item, id: 'item_2' } }))).toEqual([used])
  expect(parser.steps()).toBe(2)
})

test.each<[unknown, AgentConfig, string | null]>([
  [id, {}, id],
  [id, { args: ['--ephemeral'] }, null],
  ['--last', {}, null],
  [null, {}, null],
])('the session %o with %o can be resumed as %s (F19)', (thread_id, agent, expected) => {
  expect(read([{ type: 'thread.started', thread_id }], agent).session()).toBe(expected)
})
