import { describe, expect, test } from 'vitest'
import { eventsIn } from '../../../test/kit/events-in.ts'
import { gemini } from './index.ts'

const context = { id: 'a_1', now: Date.parse('2026-01-01T00:00:00Z') }
const ask = (stream: boolean, body: object = {}) =>
  gemini.decode({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }], ...body }, { model: 'gemini-x', stream })

test('decode takes texts, calls and results apart', () => {
  const decoded = ask(true, {
    systemInstruction: { parts: [{ text: 'Be brief' }] },
    tools: [
      { functionDeclarations: [{ name: 'write', parametersJsonSchema: { type: 'object' } }] },
      { googleSearch: {} },
    ],
    generationConfig: { responseJsonSchema: { title: 'S' } },
    contents: [
      { role: 'user', parts: [{ text: 'Do' }, { text: 'it' }] },
      {
        role: 'model',
        parts: [
          { text: 'hm', thought: true },
          { text: 'Yes' },
          { functionCall: { id: 'c1', name: 'write', args: { a: 1 } } },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'write', response: { output: 'written' } } }] },
    ],
  })
  expect(decoded).toEqual({
    provider: 'gemini',
    model: 'gemini-x',
    system: 'Be brief',
    schema: { title: 'S' },
    stream: true,
    tools: [{ name: 'write', kind: 'function', namespace: null, schema: { type: 'object' } }],
    messages: [
      { role: 'user', text: 'Do\nit', toolCalls: [], toolResults: [] },
      { role: 'assistant', text: 'Yes', toolCalls: [{ id: 'c1', name: 'write', input: { a: 1 } }], toolResults: [] },
      { role: 'user', text: '', toolCalls: [], toolResults: [{ id: 'c1', text: '{"output":"written"}' }] },
    ],
  })
})

describe('answer', () => {
  const usage = { input: 3, cacheRead: 4, output: 6, reasoning: 2 }
  const step = { text: 'Hello', toolCalls: [{ name: 'write', input: { a: 1 } }], usage }
  const usageMetadata = {
    promptTokenCount: 7,
    cachedContentTokenCount: 4,
    candidatesTokenCount: 4,
    thoughtsTokenCount: 2,
    totalTokenCount: 13,
  }
  const call = { functionCall: { id: 'call_a_1_0', name: 'write', args: { a: 1 } } }

  test('at once', () => {
    expect(JSON.parse(gemini.answer(step, ask(false), context).chunks.join(''))).toMatchObject({
      usageMetadata,
      candidates: [{ content: { role: 'model', parts: [{ text: 'Hello' }, call] }, finishReason: 'STOP' }],
    })
  })

  test('in a stream whose parts add up', () => {
    const events = eventsIn(gemini.answer(step, ask(true), context)).map(
      ({ data }) => data as { candidates: { content: { parts: { text?: string }[] } }[] },
    )
    const parts = events.flatMap(({ candidates }) => candidates.flatMap(({ content }) => content.parts))
    expect(parts.map(({ text = '' }) => text).join('')).toBe('Hello')
    expect(parts).toContainEqual(call)
    expect(events.at(-1)).toMatchObject({ usageMetadata, candidates: [{ finishReason: 'STOP' }] })
  })

  test('gives a result as text', () => {
    const body = JSON.parse(gemini.answer({ result: { ok: true } }, ask(false), context).chunks.join(''))
    expect(body.candidates[0].content.parts).toEqual([{ text: '{"ok":true}' }])
  })
})

describe('refuse', () => {
  test.each([
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [429, 'RESOURCE_EXHAUSTED'],
    [503, 'UNAVAILABLE'],
    [529, 'INTERNAL'],
  ])('%i is %s', (code, status) => {
    const wire = gemini.refuse({ status: code }, ask(true), context)
    expect([wire.status, JSON.parse(wire.chunks.join('')).error]).toEqual([
      code,
      { code, status, message: expect.any(String) },
    ])
  })

  test.each([
    ['a moment', { retryAfter: 3 }, [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }]],
    [
      'a quota',
      { resetsAt: '2026-01-01T00:00:03Z' },
      [
        {
          '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
          violations: [{ quotaDimensions: { model: 'gemini-x' } }],
        },
        { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' },
      ],
    ],
  ])('reports when to come back after %s', (_what, refusal, details) => {
    const wire = gemini.refuse({ status: 429, ...refusal }, ask(true), context)
    expect(JSON.parse(wire.chunks.join('')).error.details).toMatchObject(details)
  })

  test('breaks off a stream', () => {
    const wire = gemini.refuse({ status: 503, inStream: true }, ask(true), context)
    expect([wire.status, eventsIn(wire)]).toMatchObject([200, [{ data: { error: { status: 'UNAVAILABLE' } } }]])
  })

  test('says that the prompt is too long', () => {
    const wire = gemini.refuse(gemini.overflow, ask(true), context)
    expect([wire.status, wire.chunks[0]]).toEqual([400, expect.stringMatching(/exceeds the maximum number of tokens/)])
  })
})
