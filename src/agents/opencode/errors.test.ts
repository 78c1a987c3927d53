import { describe, expect, test } from 'vitest'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { errorOfEvent, errorOfRetry, errorOfStart, withLogs } from './errors.ts'

const at = '2026-11-15T23:23:30.000Z'
const ended: Ending = { code: 1, signal: null, file: null, stderr: '', extra: null }
const api = (statusCode: number | undefined, message: string, more: object = {}) => ({
  name: 'APIError',
  data: { message, statusCode, ...more },
})
const unknown = (message: string) => ({ name: 'UnknownError', data: { message } })

describe('an error event (F1)', () => {
  test.each<[object | null, AgentErrorKind]>([
    [api(401, 'No.'), 'auth'],
    [api(404, 'No such thing.'), 'config'],
    [api(429, 'Slow down.'), 'rate_limited'],
    [api(429, 'You exceeded your current quota, please check your plan and billing details.'), 'usage_limit'],
    [api(429, 'You exceeded your current quota.\nPlease retry in 37s.'), 'rate_limited'],
    [api(402, 'Pay first.'), 'usage_limit'],
    [api(400, 'Your credit balance is too low to access the API.'), 'usage_limit'],
    [api(400, 'prompt is too long: 210000 tokens > 200000 maximum'), 'context_overflow'],
    [api(500, 'x'), 'overloaded'],
    [api(undefined, 'Cannot connect to API: Unable to connect.'), 'network'],
    [api(400, 'odd'), 'unknown'],
    [{ name: 'ProviderAuthError', data: { message: 'x' } }, 'auth'],
    [{ name: 'MessageAbortedError', data: { message: 'x' } }, 'interrupted'],
    [{ name: 'toString', data: {} }, 'unknown'],
    [unknown('{"message":"Overloaded","type":"overloaded_error"}'), 'overloaded'],
    [unknown('JSON parse error'), 'bad_response'],
    [null, 'unknown'],
  ])('%o is %s', (error, kind) => {
    expect(errorOfEvent(error, at).kind).toBe(kind)
  })

  test('is reported in its own words', () => {
    expect(errorOfEvent(unknown('{"message":"Overloaded"}'), at).message).toBe('Overloaded')
    expect(errorOfEvent({ name: 'OddError' }, at).message).toBe('OddError')
    expect(errorOfEvent(null, at).message).toBe('the turn failed')
  })

  test.each<[object, string, string | null]>([
    [{ 'retry-after': '90' }, '', '2026-11-15T23:25:00.000Z'],
    [{ 'retry-after': 'Sun, 15 Nov 2026 23:30:00 GMT' }, '', '2026-11-15T23:30:00.000Z'],
    [{ 'retry-after': 'Sun, 15 Nov 2026 23:00:00 GMT' }, '', null],
    [{ 'retry-after-ms': '1500', 'retry-after': '90' }, '', '2026-11-15T23:23:31.500Z'],
    [{ 'anthropic-ratelimit-unified-reset': '1794790000' }, '', '2026-11-16T00:46:40.000Z'],
    [{ 'retry-after': '90' }, '{"error":{"resets_at":1794790000}}', '2026-11-16T00:46:40.000Z'],
    [{ 'retry-after': '0' }, '', null],
    [{ 'retry-after': '1e300' }, 'x', null],
    [{}, '', null],
  ])('is lifted as headers %o and the body %s say', (responseHeaders, responseBody, resetsAt) => {
    expect(errorOfEvent(api(429, 'Slow down.', { responseHeaders, responseBody }), at).resetsAt).toBe(resetsAt)
  })

  test('has the reset time of its message, or none', () => {
    expect(errorOfEvent(api(429, 'Please retry in 37s.'), at).resetsAt).toBe('2026-11-15T23:24:07.000Z')
    expect(errorOfEvent(api(503, 'x', { responseHeaders: { 'retry-after': '90' } }), at).resetsAt).toBeNull()
  })
})

test.each<[string, number, AgentErrorKind, boolean, string | null]>([
  ['Rate limit reached for requests. Please try again later.', 7_200, 'rate_limited', true, '2026-11-16T01:23:30.000Z'],
  ['Rate limit reached for requests. Please try again later.', 4, 'rate_limited', false, null],
  ['Our servers are currently overloaded. Please try again later.', 300, 'overloaded', true, null],
  ['5 hour usage limit reached. It will reset in 2 hours.', 7_200, 'usage_limit', true, '2026-11-16T01:23:30.000Z'],
  ['Connection reset by server', 2, 'network', false, null],
  ['', Number.NaN, 'overloaded', false, null],
])('waiting because of "%s" for %d s is %s', (message, seconds, kind, isLong, resetsAt) => {
  const found = errorOfRetry({ message, next: Date.parse(at) + seconds * 1_000 }, at)
  expect([found.error.kind, found.isLong, found.error.resetsAt]).toEqual([kind, isLong, resetsAt])
})

describe('an unexpected error', () => {
  const error = errorOfEvent(unknown('Unexpected server error. Check server logs for details.'), at)
  const stderr = `level=ERROR message=failed ref=err_1 error="ProviderModelNotFoundError: Model not found: \\"a/b\\"." cause="x"
level=ERROR message=failed ref=err_2 error=Oops cause="x"\n`

  test('is in its logs', () => {
    expect(withLogs(error, 'err_1', { ...ended, stderr })).toEqual({
      kind: 'config',
      message: 'ProviderModelNotFoundError: Model not found: "a/b".',
      resetsAt: null,
    })
    expect(withLogs(error, 'err_2', { ...ended, stderr })).toMatchObject({ kind: 'unknown', message: 'Oops' })
  })

  test('stays so when they say nothing', () => {
    for (const reference of ['err_3', null, '.*'])
      expect(withLogs(error, reference, { ...ended, stderr })).toEqual(error)
  })
})

test.each<[Partial<Ending>, AgentErrorKind | null]>([
  [{ stderr: '\u001B[91m\u001B[1mError: \u001B[0mSession not found\n' }, 'session_not_found'],
  [{ stderr: '\u001B[91m\u001B[1mError: \u001B[0mConfiguration is invalid at OPENCODE_CONFIG_CONTENT' }, 'config'],
  [{ stderr: 'opencode run [message..]\n\nrun opencode with a message\n' }, 'config'],
  [{ stderr: 'Segmentation fault' }, null],
  [{ stderr: 'Session not found', code: 0 }, null],
  [{ stderr: 'Session not found', code: null, signal: 'SIGKILL' }, null],
])('a start that fails with %o is %s', (ending, kind) => {
  expect(errorOfStart({ ...ended, ...ending })?.kind ?? null).toBe(kind)
})
