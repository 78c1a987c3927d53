/** Messages seen from the real agents: gemini 0.61.0, opencode 1.18.33, claude-agent-acp 0.99.1, codex-acp 2.6.0. */
import { describe, expect, test } from 'vitest'
import type { AgentErrorKind } from '../../../model/agent-error.ts'
import { errorOfRefusal, errorOfWords } from './failure.ts'
import { Refusal } from './peer.ts'

const now = '2026-11-15T23:52:00.000Z'
const moment = { after: now, said: now, zone: 'UTC' }
const claude = (message: string, errorKind: string): [number, string, object] => [
  -32603,
  `Internal error: API Error: ${message}`,
  { errorKind },
]
const gemini = (code: number, message: string): [number, string] => [code, JSON.stringify({ error: { code, message } })]
const opencode = (message: string, errorName = 'APIError'): [number, string, object] => [
  -32603,
  `Internal error: ${message}`,
  { service: 'session', errorName },
]
const codex = (codexErrorInfo: string, message?: string): [number, string, object] => [
  -32603,
  'Internal error',
  { message, codexErrorInfo },
]

describe('a refused prompt', () => {
  test.each<[[number, string, unknown?], AgentErrorKind]>([
    [[-32000, 'Authentication required'], 'auth'],
    [[-32800, 'Request cancelled'], 'interrupted'],
    [gemini(401, 'Request had invalid authentication credentials.'), 'auth'],
    [gemini(403, 'The caller does not have permission'), 'auth'],
    [[500, 'models/m is not found for API version v1beta, or is not supported for generateContent.'], 'config'],
    [[429, 'Resource has been exhausted (e.g. check quota).'], 'rate_limited'],
    [[429, 'You have exhausted your daily quota on this model.'], 'usage_limit'],
    [[503, 'The model is overloaded. Please try again later.'], 'overloaded'],
    [gemini(529, 'An internal error has occurred. Please retry.'), 'overloaded'],
    [
      gemini(400, 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).'),
      'context_overflow',
    ],
    [[500, 'Incomplete JSON segment at the end'], 'bad_response'],
    [[500, 'terminated'], 'network'],
    [[404, 'gone'], 'config'],
    [codex('usageLimitExceeded', 'You’ve hit your usage limit. Visit x or try again at 1:48 AM.'), 'usage_limit'],
    [codex('contextWindowExceeded'), 'context_overflow'],
    [
      [-32603, "Internal error: There's an issue with the selected model (m).", { errorKind: 'model_not_found' }],
      'config',
    ],
    [
      claude("Request rejected (429) · This request would exceed your account's rate limit.", 'rate_limit'),
      'rate_limited',
    ],
    [claude('Server is temporarily limiting requests (not your usage limit)', 'rate_limit'), 'rate_limited'],
    [claude('503 Internal server error. This is a server-side issue.', 'server_error'), 'overloaded'],
    [claude('529 Overloaded. This is a server-side issue', 'server_error'), 'overloaded'],
    [claude('Connection to the API was lost (ECONNRESET).', 'server_error'), 'network'],
    [claude("JSON Parse error: Unrecognized token '<'", 'unknown'), 'bad_response'],
    [
      [-32603, "Internal error: You've hit your limit · resets 11:26pm (UTC)", { errorKind: 'rate_limit' }],
      'usage_limit',
    ],
    [
      [-32603, 'Internal error: Prompt is too long · the request is ~215000 tokens', { errorKind: 'invalid_request' }],
      'context_overflow',
    ],
    [[-32603, 'Internal error', { errorKind: 'server_error' }], 'overloaded'],
    [opencode('Incorrect API key provided.'), 'auth'],
    [opencode('You are not allowed to use this model.'), 'auth'],
    [opencode('The model does not exist or you do not have access to it.'), 'config'],
    [opencode('Session too large to compact', 'ContextOverflowError'), 'context_overflow'],
    [[-32601, 'Method not found'], 'config'],
    [[-32603, 'Internal error', { errorKind: 'constructor' }], 'unknown'],
    [[0, ''], 'unknown'],
  ])('%j is %s', ([code, message, data], kind) => {
    expect(errorOfRefusal(new Refusal({ code, message, data }), 'prompt', moment).kind).toBe(kind)
  })

  test.each<[string, unknown, string]>([
    ['Internal error', { details: 'no rollout found' }, 'Internal error: no rollout found'],
    ['Internal error: no', { message: 'no' }, 'Internal error: no'],
    ['{"error":{"code":401,"message":"Who are you?"}}', undefined, 'Who are you?'],
    ['', 'all of it', 'all of it'],
    ['', null, 'an error without a message'],
  ])('%s with %j is reported as "%s"', (message, data, words) => {
    expect(errorOfRefusal(new Refusal({ code: 1, message, data }), 'prompt', moment).message).toBe(words)
  })
})

test('a refused session load counts as session_not_found', () => {
  const refusal = new Refusal({ code: -32603, message: 'Internal error: OpenCode service failure' })
  expect(errorOfRefusal(refusal, 'load', moment).kind).toBe('session_not_found')
  expect(errorOfRefusal(new Refusal({ code: -32000, message: 'no' }), 'load', moment).kind).toBe('auth')
})

test.each<[string, string | null]>([
  ['You’ve hit your usage limit. Visit x or try again at Nov 16th, 2026 1:48 AM.', '2026-11-16T01:49:00.000Z'],
  ["You've hit your limit · resets 3am (UTC)", '2026-11-16T03:01:00.000Z'],
  ['You have exhausted your daily quota on this model.', null],
  ['Invalid API key. Try again in 5 minutes.', null],
])('the end of a limit is taken from its words: %s', (words, resetsAt) => {
  expect(errorOfRefusal(new Refusal({ code: 429, message: words }), 'prompt', moment).resetsAt).toBe(resetsAt)
  expect(errorOfWords(words, moment)?.resetsAt ?? null).toBe(words.includes('’') ? resetsAt : null)
})

describe('last words', () => {
  test.each<[string, AgentErrorKind | null]>([
    ['exceeded retry limit, last status: 429 Too Many Requests\n\n', 'rate_limited'],
    ['unexpected status 403 Forbidden: You are not allowed to use this model., url: http://x', 'auth'],
    ['unexpected status 529 <unknown status code>: The server had an error, url: http://x', 'overloaded'],
    ['The model does not exist or you do not have access to it.\n\n', 'config'],
    ['Selected model is at capacity. Please try a different model.\n\n', 'overloaded'],
    ["Codex ran out of room in the model's context window. Start a new thread.", 'context_overflow'],
    ['stream disconnected before completion: Transport error: network error', 'network'],
    ['You’ve hit your usage limit. Visit https://x or try again at Nov 16th, 2026 1:48 AM.', 'usage_limit'],
    ['{"error":{"message":"The script has no step for this request.","type":"invalid_request_error"}}', 'unknown'],
    ['I fixed it: the server said "exceeded retry limit, last status: 429".', null],
    ['The rate limit of 429 is handled now.', null],
    ['', null],
  ])('%j are %s', (words, kind) => {
    expect(errorOfWords(words, moment)?.kind ?? null).toBe(kind)
  })
})
