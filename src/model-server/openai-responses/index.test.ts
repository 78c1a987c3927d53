import { describe, expect, test } from 'vitest'
import { eventsIn } from '../../../test/kit/events-in.ts'
import { openaiResponses } from './index.ts'

const context = { id: 'a_1', now: Date.parse('2026-01-01T00:00:00Z') }
const asked = { model: '', stream: false }
const tools = [
  { type: 'function', name: 'exec', parameters: { type: 'object' } },
  { type: 'custom', name: 'patch' },
  { type: 'web_search' },
  { type: 'namespace', name: 'mcp__looper', tools: [{ type: 'function', name: 'report', parameters: {} }] },
]
const request = (more: object = {}) => openaiResponses.decode({ model: 'gpt-x', input: 'Hi', tools, ...more }, asked)
const streamed = (more: object = {}) => request({ stream: true, ...more })

describe('decode', () => {
  test('takes texts, calls and results apart', () => {
    const decoded = openaiResponses.decode(
      {
        model: 'gpt-x',
        stream: true,
        instructions: 'Be',
        tools,
        text: { format: { type: 'json_schema', schema: { title: 'S' } } },
        input: [
          { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'brief' }] },
          { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Do it' }] },
          { type: 'reasoning', summary: [] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes' }] },
          { type: 'function_call', call_id: 'c0', namespace: 'mcp__looper', name: 'report', arguments: '{' },
          { type: 'function_call', call_id: 'c1', name: 'exec', arguments: '{"cmd":"ls"}' },
          { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: '*** Begin' },
          { type: 'function_call_output', call_id: 'c1', output: 'listed' },
          { type: 'custom_tool_call_output', call_id: 'c2', output: [{ type: 'input_text', text: 'patched' }] },
        ],
      },
      asked,
    )
    const message = { text: '', toolCalls: [], toolResults: [] }
    expect(decoded).toEqual({
      provider: 'openai-responses',
      model: 'gpt-x',
      system: 'Be\nbrief',
      schema: { title: 'S' },
      stream: true,
      tools: [
        { name: 'exec', kind: 'function', namespace: null, schema: { type: 'object' } },
        { name: 'patch', kind: 'custom', namespace: null, schema: null },
        { name: 'report', kind: 'function', namespace: 'mcp__looper', schema: {} },
      ],
      messages: [
        { ...message, role: 'user', text: 'Do it' },
        { ...message, role: 'assistant', text: 'Yes' },
        {
          ...message,
          role: 'assistant',
          toolCalls: [{ id: 'c0', namespace: 'mcp__looper', name: 'report', input: '{' }],
        },
        { ...message, role: 'assistant', toolCalls: [{ id: 'c1', name: 'exec', input: { cmd: 'ls' } }] },
        { ...message, role: 'assistant', toolCalls: [{ id: 'c2', name: 'patch', input: '*** Begin' }] },
        { ...message, role: 'user', toolResults: [{ id: 'c1', text: 'listed' }] },
        { ...message, role: 'user', toolResults: [{ id: 'c2', text: 'patched' }] },
      ],
    })
  })

  test('takes a plain prompt', () => {
    expect(request()).toMatchObject({ messages: [{ role: 'user', text: 'Hi' }], schema: null, stream: false })
  })
})

describe('answer', () => {
  const step = {
    text: 'Hello',
    usage: { input: 3, cacheRead: 4, cacheWrite: 5, output: 6, reasoning: 2 },
    toolCalls: [
      { name: 'exec', input: { cmd: 'ls' } },
      { name: 'patch', input: '*** Begin' },
      { namespace: 'mcp__looper', name: 'report', input: {} },
    ],
  }
  const output = [
    { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Hello' }] },
    { type: 'function_call', call_id: 'call_a_1_0', name: 'exec', arguments: '{"cmd":"ls"}' },
    { type: 'custom_tool_call', call_id: 'call_a_1_1', name: 'patch', input: '*** Begin' },
    { type: 'function_call', call_id: 'call_a_1_2', name: 'report', namespace: 'mcp__looper', arguments: '{}' },
  ]
  const usage = {
    input_tokens: 12,
    input_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 },
    output_tokens: 6,
    output_tokens_details: { reasoning_tokens: 2 },
    total_tokens: 18,
  }

  test('at once', () => {
    const body = JSON.parse(openaiResponses.answer(step, request(), context).chunks.join(''))
    expect(body).toMatchObject({ id: 'resp_a_1', status: 'completed', output, usage })
  })

  test('in a stream whose items add up', () => {
    const events = eventsIn(openaiResponses.answer(step, streamed(), context)).map(({ data }) => data)
    expect(events.map((event) => event['sequence_number'])).toEqual(events.map((_, index) => index))
    expect(events[0]).toMatchObject({ type: 'response.created', response: { status: 'in_progress' } })
    expect(events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item)).toMatchObject(
      output,
    )
    expect(events.at(-1)).toMatchObject({ type: 'response.completed', response: { output, usage } })
    const deltas = (index: number) =>
      events
        .filter((event) => event['output_index'] === index)
        .flatMap((event) => (event['delta'] as string | undefined) ?? [])
        .join('')
    expect([0, 1, 2, 3].map(deltas)).toEqual(['Hello', '{"cmd":"ls"}', '*** Begin', '{}'])
  })

  test('gives a result as text', () => {
    const body = JSON.parse(openaiResponses.answer({ result: { ok: true } }, request(), context).chunks.join(''))
    expect(body.output[0].content[0].text).toBe('{"ok":true}')
  })
})

describe('refuse', () => {
  test.each([
    [401, 'invalid_api_key'],
    [403, 'model_not_allowed'],
    [429, 'rate_limit_exceeded'],
    [503, 'server_is_overloaded'],
    [529, 'server_error'],
  ])('%i is %s', (status, code) => {
    const wire = openaiResponses.refuse({ status }, streamed(), context)
    expect([wire.status, JSON.parse(wire.chunks.join('')).error.code]).toEqual([status, code])
  })

  test('reports when the limit is lifted', () => {
    const wire = openaiResponses.refuse(
      { status: 429, resetsAt: '2026-01-01T00:00:03Z', retryAfter: 3 },
      streamed(),
      context,
    )
    expect(wire.headers).toMatchObject({ 'retry-after': '3', 'x-codex-primary-reset-at': '1767225603' })
    const error = { type: 'usage_limit_reached', resets_at: 1767225603, resets_in_seconds: 3 }
    expect(JSON.parse(wire.chunks.join(''))).toMatchObject({ error })
  })

  test.each([
    ['at once when not streamed', request(), 400, /context_length_exceeded/],
    ['in the stream else', streamed(), 200, /response\.created[\s\S]*response\.failed[\s\S]*context_length_exceeded/],
  ])('says that the prompt is too long %s', (_how, asked, status, words) => {
    const wire = openaiResponses.refuse(openaiResponses.overflow, asked, context)
    expect([wire.status, wire.chunks.join('')]).toEqual([status, expect.stringMatching(words)])
  })
})
