import { describe, expect, test } from 'vitest'
import { sampleTurn } from '../../../test/kit/state.ts'
import type { AgentConfig } from '../../model/config.ts'
import { noUsage } from '../../model/usage.ts'
import type { TurnWork } from '../../model/work.ts'
import type { AgentParser, Ending } from '../adapter.ts'
import { createParser } from './parser.ts'

const work = sampleTurn({ agent: 'gemini' })
const well: Ending = { code: 0, signal: null, file: null, stderr: '', extra: null }
const id = '24d6dc58-2f3e-4f45-b601-4b7cf6964257'

function read(events: readonly object[], agent: AgentConfig = {}, change: Partial<TurnWork> = {}): AgentParser {
  const parser = createParser({ agent, work: { ...work, ...change }, startedAt: '2026-11-15T23:23:30.000Z' })
  for (const event of events) parser.push(JSON.stringify(event))
  return parser
}

const init = { type: 'init', session_id: id, model: 'gemini-2.5-pro' }
const says = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true })
const uses = { type: 'tool_use', tool_name: 'read_file', tool_id: 't', parameters: {} }
const used = { type: 'tool_result', tool_id: 't', status: 'success' }
const result = (stats: object = {}, more: object = {}) => ({ type: 'result', status: 'success', stats, ...more })

describe('the session (F19)', () => {
  test.each<[string, object[], Partial<TurnWork>, string | null]>([
    ['is kept when the model has used a tool', [init, uses], {}, id],
    ['is kept when the turn ended well', [init, says('x'), result()], {}, id],
    ['was there before', [init], { session: { id, spent: noUsage } }, id],
    ['is lost when the model said nothing to the end', [init, says('x')], {}, null],
    ['is lost when the model failed', [init, says('x'), result({}, { status: 'error' })], {}, null],
    ['has an id that could be an option', [{ ...init, session_id: '--yolo-everything' }, uses], {}, null],
  ])('%s', (_, events, change, session) => {
    expect(read(events, {}, change).session()).toBe(session)
  })

  test('is reported once', () => {
    const parser = createParser({ agent: {}, work, startedAt: '' })
    const events = [init, uses, used, uses, result()].flatMap((event) => parser.push(JSON.stringify(event)))
    expect(events.filter(({ type }) => type === 'session')).toEqual([{ type: 'session', id }])
  })
})

describe('usage (D5)', () => {
  const counts = { total_tokens: 130, input_tokens: 100, output_tokens: 10, cached: 50 }

  test('is that of all models, each at its price', () => {
    const stats = { models: { 'gemini-2.5-pro': counts, 'gemini-2.5-flash': counts } }
    const { costUsd, ...tokens } = read([init, result(stats)]).end(well).usage
    expect(tokens).toEqual({ inputTokens: 200, outputTokens: 60 })
    expect(costUsd).toBeGreaterThan((30 * 10 + 30 * 2.5) / 1e6)
  })

  test('is that of the whole where models are not distinguished', () => {
    const prices = { 'gemini-2.5-pro': { input: 2, output: 10, cachedInput: 1 } }
    expect(read([init, result(counts)], { prices }).end(well).usage).toEqual({
      inputTokens: 100,
      outputTokens: 30,
      costUsd: (50 * 2 + 50 + 300) / 1e6,
    })
  })

  test('is not counted twice', () => {
    const parser = read([init, result(counts)])
    expect(parser.push(JSON.stringify(result(counts)))).toMatchObject([{ type: 'raw' }])
    expect(parser.usage().inputTokens).toBe(100)
  })
})

describe('the answer', () => {
  test.each<[string, object[], Partial<Ending>, object | null]>([
    ['is in the file', [init, says('{"n":1}'), result()], { file: '{"n":2}' }, { n: 2 }],
    [
      'is in the words, whole although it came in pieces',
      [init, says('So: {"n'), says('":1}'), result()],
      {},
      { n: 1 },
    ],
    [
      'is in the last words that have one',
      [init, says('{"n":1}'), uses, used, says('That was it.'), result()],
      {},
      { n: 1 },
    ],
    [
      'is not taken from what was asked',
      [init, { type: 'message', role: 'user', content: '{"n":1}' }, result()],
      {},
      null,
    ],
  ])('%s', (_, events, ending, value) => {
    expect(read(events).end({ ...well, ...ending })).toMatchObject({ value, failure: null })
  })

  test('however long it is', () => {
    const long = 'x'.repeat(50_000)
    expect(read([init, says(`{"n":"${long}"}`), result()]).end(well).value).toEqual({ n: long })
  })
})

test('an error in the stream explains an end that does not', () => {
  const error = {
    type: 'error',
    severity: 'error',
    message: 'The model returned an empty response with no text or thoughts.',
  }
  expect(read([init, error, result({}, { status: 'error' })]).end(well).failure?.kind).toBe('bad_response')
  expect(read([init, { ...error, severity: 'warning' }, result()]).end(well).failure).toBeNull()
})

test('answers without words count as steps too', () => {
  expect(read([init, says('a'), says('b'), uses, uses, used, used, uses, used, says('c')]).steps()).toBe(
    1 + 2 + 1 + 1 + 1,
  )
})
