import { describe, expect, test } from 'vitest'
import { eventsIn } from '../../../test/kit/events-in.ts'
import { openaiChat } from './index.ts'

const context = { id: 'a_1', now: Date.parse('2026-01-01T00:00:00Z') }
const asked = { model: '', stream: false }
const request = (more: object = {}) =>
  openaiChat.decode({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...more }, asked)
const streamed = () => request({ stream: true })

test('decode takes texts, calls and results apart', () => {
  const decoded = request({
    stream: true,
    tools: [{ type: 'function', function: { name: 'write', parameters: { type: 'object' } } }],
    response_format: { type: 'json_schema', json_schema: { schema: { title: 'S' } } },
    messages: [
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: [{ type: 'text', text: 'Do it' }] },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c1', function: { name: 'write', arguments: '{"a":1}' } }],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'written' },
    ],
  })
  const message = { text: '', toolCalls: [], toolResults: [] }
  expect(decoded).toEqual({
    provider: 'openai-chat',
    model: 'm',
    system: 'Be brief',
    schema: { title: 'S' },
    stream: true,
    tools: [{ name: 'write', kind: 'function', namespace: null, schema: { type: 'object' } }],
    messages: [
      { ...message, role: 'user', text: 'Do it' },
      { ...message, role: 'assistant', toolCalls: [{ id: 'c1', name: 'write', input: { a: 1 } }] },
      { ...message, role: 'user', toolResults: [{ id: 'c1', text: 'written' }] },
    ],
  })
})

interface Chunk {
  choices: { delta: { content?: string; tool_calls?: { function: { arguments: string } }[] }; finish_reason: string }[]
  usage?: object
}

describe('answer', () => {
  const tokens = { input: 3, cacheRead: 4, output: 6, reasoning: 2 }
  const step = { text: 'Hello', toolCalls: [{ name: 'write', input: { a: 1 } }], usage: tokens }
  const usage = {
    prompt_tokens: 7,
    prompt_tokens_details: { cached_tokens: 4 },
    completion_tokens: 6,
    completion_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 13,
  }

  test('at once', () => {
    const calls = [{ id: 'call_a_1_0', type: 'function', function: { name: 'write', arguments: '{"a":1}' } }]
    expect(JSON.parse(openaiChat.answer(step, request(), context).chunks.join(''))).toMatchObject({
      usage,
      choices: [{ message: { role: 'assistant', content: 'Hello', tool_calls: calls }, finish_reason: 'tool_calls' }],
    })
  })

  test('in a stream whose deltas add up', () => {
    const wire = openaiChat.answer(step, streamed(), context)
    expect(wire.chunks.at(-1)).toBe('data: [DONE]\n\n')
    const events = eventsIn(wire).map(({ data }) => data as unknown as Chunk)
    const deltas = events.flatMap(({ choices }) => choices.map(({ delta }) => delta))
    expect(deltas.map(({ content = '' }) => content).join('')).toBe('Hello')
    expect(deltas.flatMap(({ tool_calls = [] }) => tool_calls.map((call) => call.function.arguments)).join('')).toBe(
      '{"a":1}',
    )
    expect(events.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls')
    expect(events.at(-1)).toMatchObject({ choices: [], usage })
  })

  test('gives a result as text', () => {
    const body = JSON.parse(openaiChat.answer({ result: { ok: true } }, request(), context).chunks.join(''))
    expect(body.choices[0]).toMatchObject({ message: { content: '{"ok":true}' }, finish_reason: 'stop' })
  })
})

describe('refuse', () => {
  test.each([
    [401, 'invalid_api_key'],
    [403, 'model_not_allowed'],
    [429, 'rate_limit_exceeded'],
    [503, 'server_is_overloaded'],
  ])('%i is %s', (status, code) => {
    const wire = openaiChat.refuse({ status, retryAfter: 2 }, streamed(), context)
    expect([wire.status, JSON.parse(wire.chunks.join('')).error.code, wire.headers['retry-after']]).toEqual([
      status,
      code,
      '2',
    ])
  })

  test('breaks off a stream that has begun', () => {
    const wire = openaiChat.refuse({ status: 503, inStream: true }, streamed(), context)
    expect([wire.status, wire.chunks.length, wire.chunks[1]]).toEqual([
      200,
      2,
      expect.stringContaining('server_is_overloaded'),
    ])
  })

  test('says that the prompt is too long', () => {
    const wire = openaiChat.refuse(openaiChat.overflow, streamed(), context)
    expect([wire.status, wire.chunks[0]]).toEqual([
      400,
      expect.stringMatching(/maximum context length.*context_length_exceeded/),
    ])
  })
})
