import { expect, test } from 'vitest'
import { routeOf } from './route.ts'

test.each([
  ['/s/a/v1/messages?beta=true', { kind: 'answer', provider: 'anthropic', model: '', stream: false }],
  ['/s/a/v1/messages/count_tokens', { kind: 'count', provider: 'anthropic' }],
  ['/s/a/v1/responses', { kind: 'answer', provider: 'openai-responses', model: '', stream: false }],
  ['/s/a/v1/chat/completions', { kind: 'answer', provider: 'openai-chat', model: '', stream: false }],
  ['/s/a/v1/models', { kind: 'models' }],
  [
    '/s/a/v1beta/models/gemini-x:generateContent',
    { kind: 'answer', provider: 'gemini', model: 'gemini-x', stream: false },
  ],
  [
    '/s/a/v1beta/models/gemini-x:streamGenerateContent?alt=sse',
    { kind: 'answer', provider: 'gemini', model: 'gemini-x', stream: true },
  ],
  ['/s/a/v1beta/models/gemini-x:countTokens', { kind: 'count', provider: 'gemini' }],
  ['/s/a/v1beta/models/gemini-x:embedContent', { kind: 'other' }],
  ['/s/a', { kind: 'other' }],
])('%s', (path, endpoint) => expect(routeOf(path)).toEqual({ script: 'a', endpoint }))

test.each(['/', '/v1/messages', '/s/', ''])('%j belongs to no script', (path) => expect(routeOf(path)).toBeNull())

test('names may hold anything', () => expect(routeOf('/s/a%20b%2Fc/v1/models')?.script).toBe('a b/c'))
