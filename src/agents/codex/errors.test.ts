import { describe, expect, test } from 'vitest'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { errorOfMessage, errorOfRetry, errorOfStart } from './errors.ts'
import { digestRollout, type Rollout } from './rollout.ts'

const after = '2026-11-15T23:23:30.000Z'
const moment = { after, said: null, zone: 'UTC' }
const nothing: Rollout = digestRollout('', after)

describe('a message', () => {
  test.each<[string, AgentErrorKind]>([
    ['You’ve hit your usage limit. Upgrade to Pro or try again later.', 'usage_limit'],
    ['Quota exceeded. Check your plan and billing details.', 'usage_limit'],
    ['rate limit exceeded: Rate limit reached for gpt-5', 'rate_limited'],
    ['exceeded retry limit, last status: 429 Too Many Requests', 'rate_limited'],
    ['exceeded retry limit, last status: 500 Internal Server Error', 'overloaded'],
    ['We’re currently experiencing high demand, which may cause temporary errors.', 'overloaded'],
    ['unexpected status 404 Not Found: , url: https://x.y/v1/responses', 'config'],
    ['The model `x` does not exist or you do not have access to it.', 'config'],
    ["The 'gpt-5' model is not supported when using Codex with a ChatGPT account.", 'config'],
    ['Missing environment variable: `MY_KEY`.', 'config'],
    [
      'Your access token could not be refreshed because your refresh token has expired. Please log out and sign in again.',
      'auth',
    ],
    [
      '{"error":{"message":"Your input exceeds the context window of this model.","code":"context_length_exceeded"}}',
      'context_overflow',
    ],
    ['Connection failed: error sending request', 'network'],
    ['request timed out', 'network'],
    ['{"error":{"message":"bad tool"}}', 'unknown'],
    ['', 'unknown'],
  ])('%s is %s', (message, kind) => {
    expect(errorOfMessage(message, moment, null).kind).toBe(kind)
  })

  test('is reported in its own words', () => {
    expect(errorOfMessage('{"error":{"message":"bad tool"}}', moment, null).message).toBe('bad tool')
    expect(errorOfMessage('', moment, null).message).toBe('the turn failed')
  })

  test("counts less than the code in the session's file, and its clock less than the exact time there", () => {
    const message = 'Something about a network, try again at 11:30 PM.'
    const rollout: Rollout = {
      ...nothing,
      error: { code: 'usage_limit_exceeded', status: null },
      resetsAt: '2026-11-15T23:30:07.000Z',
    }
    expect(errorOfMessage(message, moment, rollout)).toMatchObject({
      kind: 'usage_limit',
      resetsAt: '2026-11-15T23:30:07.000Z',
    })
    expect(errorOfMessage(message, moment, { ...rollout, resetsAt: null }).resetsAt).toBe('2026-11-15T23:31:00.000Z')
    expect(errorOfMessage(message, moment, { ...nothing, error: { code: 'other', status: null } }).kind).toBe('network')
    expect(
      errorOfMessage(message, moment, { ...nothing, error: { code: 'http_connection_failed', status: 403 } }).kind,
    ).toBe('auth')
    expect(errorOfMessage(message, moment, { ...nothing, error: { code: 'toString', status: null } }).kind).toBe(
      'network',
    )
  })

  test('a full window of use does not explain being asked to slow down', () => {
    const rollout: Rollout = { ...nothing, resetsAt: '2026-11-16T05:00:00.000Z' }
    expect(errorOfMessage('rate limit exceeded', moment, rollout)).toMatchObject({
      kind: 'rate_limited',
      resetsAt: null,
    })
  })
})

test.each<[string, object | null]>([
  [
    'Reconnecting... 1/5 (unexpected status 401 Unauthorized: no, url: x)',
    {
      isWaiting: false,
      error: { kind: 'auth', message: 'unexpected status 401 Unauthorized: no, url: x', resetsAt: null },
    },
  ],
  [
    'Reconnecting... waiting for network (Connection failed)',
    { isWaiting: true, error: { kind: 'network', message: 'Connection failed', resetsAt: null } },
  ],
  ['Reconnecting... 2/5', { isWaiting: false, error: { kind: 'network', message: '2/5', resetsAt: null } }],
  ['You’ve hit your usage limit.', null],
])('%s', (message, expected) => {
  expect(errorOfRetry(message)).toEqual(expected)
})

test.each<[Partial<Ending>, AgentErrorKind | null]>([
  [{ stderr: "error: unexpected argument '--nonsense' found" }, 'config'],
  [{ stderr: 'WARNING: proceeding\nError loading config.toml: invalid type: integer `3`' }, 'config'],
  [
    { stderr: 'Error: thread/resume: thread/resume failed: no rollout found for thread id x (code -32600)' },
    'session_not_found',
  ],
  [{ stderr: 'WARNING: proceeding' }, null],
  [{ stderr: "thread 'main' panicked" }, null],
  [{ stderr: 'error: x', code: 0 }, null],
])('a start that fails with %o is %s', (ending, kind) => {
  expect(errorOfStart({ code: 1, signal: null, file: null, stderr: '', extra: null, ...ending })?.kind ?? null).toBe(
    kind,
  )
})
