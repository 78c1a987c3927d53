import { describe, expect, test } from 'vitest'
import { eventsIn } from '../../../test/kit/events-in.ts'
import { anthropic } from './index.ts'

const context = { id: 'a_1', now: Date.parse('2026-01-01T00:00:00Z') }
const asked = { model: '', stream: false }
const request = (more: object = {}) =>
  anthropic.decode({ model: 'claude-x', messages: [{ role: 'user', content: 'Hi' }], ...more }, asked)
const streamed = (more: object = {}) => request({ stream: true, ...more })

describe('decode', () => {
  test('takes texts, calls and results apart', () => {
    const decoded = anthropic.decode(
      {
        model: 'claude-x',
        stream: true,
        system: [
          { type: 'text', text: 'Be' },
          { type: 'text', text: 'brief' },
        ],
        tools: [{ name: 'Write', input_schema: { type: 'object' } }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Do it' }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', text: 'hm' },
              { type: 'text', text: 'Yes' },
              { type: 'tool_use', id: 't1', name: 'Write', input: { a: 1 } },
            ],
          },
          {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'written' }] }],
          },
          { role: 'system', content: [{ type: 'text', text: 'and kind' }] },
        ],
      },
      asked,
    )
    expect(decoded).toEqual({
      provider: 'anthropic',
      model: 'claude-x',
      system: 'Be\nbrief\nand kind',
      schema: null,
      stream: true,
      tools: [{ name: 'Write', kind: 'function', namespace: null, schema: { type: 'object' } }],
      messages: [
        { role: 'user', text: 'Do it', toolCalls: [], toolResults: [] },
        { role: 'assistant', text: 'Yes', toolCalls: [{ id: 't1', name: 'Write', input: { a: 1 } }], toolResults: [] },
        { role: 'user', text: '', toolCalls: [], toolResults: [{ id: 't1', text: 'written' }] },
      ],
    })
  })

  test.each([
    ['a format', { output_config: { format: { type: 'json_schema', schema: { title: 'S' } } } }, { title: 'S' }],
    ['the tool for it', { tools: [{ name: 'StructuredOutput', input_schema: { title: 'T' } }] }, { title: 'T' }],
    ['nothing', { output_config: { effort: 'high' } }, null],
  ])('finds the schema asked for by %s', (_by, more, schema) => expect(request(more).schema).toEqual(schema))

  test('decodes an invalid body as an empty request', () => {
    expect(anthropic.decode('nonsense', asked)).toMatchObject({ model: '', messages: [], tools: [] })
  })
})

describe('answer', () => {
  const step = {
    text: 'Hello',
    toolCalls: [{ name: 'Write', input: { path: 'a' } }],
    usage: { input: 3, cacheRead: 4, cacheWrite: 5, output: 6 },
  }
  const usage = { input_tokens: 3, cache_read_input_tokens: 4, cache_creation_input_tokens: 5 }

  test('at once', () => {
    const { status, chunks } = anthropic.answer(step, request(), context)
    expect(status).toBe(200)
    expect(JSON.parse(chunks.join(''))).toMatchObject({
      id: 'msg_a_1',
      model: 'claude-x',
      stop_reason: 'tool_use',
      usage: { ...usage, output_tokens: 6 },
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'toolu_a_1_0', name: 'Write', input: { path: 'a' } },
      ],
    })
  })

  test('in a stream whose deltas add up', () => {
    const wire = anthropic.answer(step, streamed(), context)
    const events = eventsIn(wire)
    expect(wire.headers['content-type']).toBe('text/event-stream')
    expect(events.map(({ event }) => event)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ])
    const deltas = events.flatMap(({ data }) => (data['delta'] ? [data['delta'] as Record<string, string>] : []))
    expect(deltas.map((delta) => delta['text'] ?? '').join('')).toBe('Hello')
    expect(JSON.parse(deltas.map((delta) => delta['partial_json'] ?? '').join(''))).toEqual({ path: 'a' })
    expect(events[0]?.data).toMatchObject({ message: { usage } })
    expect(events.at(-2)?.data).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 6 } })
  })

  test.each([
    [
      'as the tool that was offered for it',
      { tools: [{ name: 'StructuredOutput' }] },
      { type: 'tool_use', name: 'StructuredOutput', input: { ok: true } },
    ],
    ['as text', {}, { type: 'text', text: '{"ok":true}' }],
  ])('gives a result %s', (_how, more, block) => {
    const { chunks } = anthropic.answer({ result: { ok: true } }, request(more), context)
    expect(JSON.parse(chunks.join('')).content).toMatchObject([block])
  })
})

describe('refuse', () => {
  test.each([
    [401, 'authentication_error'],
    [403, 'permission_error'],
    [429, 'rate_limit_error'],
    [503, 'api_error'],
    [529, 'overloaded_error'],
  ])('%i is %s', (status, type) => {
    const wire = anthropic.refuse({ status }, streamed(), context)
    expect(wire.status).toBe(status)
    expect(JSON.parse(wire.chunks.join(''))).toMatchObject({ type: 'error', error: { type } })
    expect(wire.headers).not.toHaveProperty('anthropic-ratelimit-unified-reset')
  })

  test('reports when the limit is lifted', () => {
    const { headers } = anthropic.refuse(
      { status: 429, resetsAt: '2026-01-01T00:00:03Z', retryAfter: 3 },
      request(),
      context,
    )
    expect(headers).toMatchObject({
      'retry-after': '3',
      'anthropic-ratelimit-unified-status': 'rejected',
      'anthropic-ratelimit-unified-reset': '1767225603',
    })
  })

  test('breaks off a stream that has begun', () => {
    const wire = anthropic.refuse({ status: 529, inStream: true }, streamed(), context)
    expect(wire.status).toBe(200)
    expect(eventsIn(wire)).toMatchObject([
      { event: 'message_start' },
      { event: 'error', data: { error: { type: 'overloaded_error' } } },
    ])
  })

  test('says that the prompt is too long', () => {
    const wire = anthropic.refuse(anthropic.overflow, request(), context)
    expect([wire.status, wire.chunks[0]]).toEqual([
      400,
      expect.stringMatching(/invalid_request_error.*prompt is too long/),
    ])
  })
})
