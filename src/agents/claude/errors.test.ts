import { describe, expect, test } from 'vitest'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { errorOfResult, errorOfRetry, errorOfStart } from './errors.ts'

const failed = { subtype: 'success', is_error: true }
const moment = { after: '2026-11-15T23:23:30.000Z', said: null, zone: 'UTC' }

describe('a result', () => {
  test.each<[object, AgentErrorKind | null, string | null]>([
    [{ subtype: 'success', is_error: false, result: 'ok' }, null, null],
    [
      { ...failed, api_error_status: 429, result: 'usage limit reached|1794790000' },
      'usage_limit',
      '2026-11-16T00:46:40.000Z',
    ],
    [
      { ...failed, api_error_status: 429, result: "You've hit your weekly limit · resets 3am" },
      'usage_limit',
      '2026-11-16T03:01:00.000Z',
    ],
    [{ ...failed, api_error_status: 429, result: 'Too many requests' }, 'rate_limited', null],
    [{ ...failed, api_error_status: 400, result: 'Credit balance is too low' }, 'usage_limit', null],
    [{ ...failed, api_error_status: 413, result: 'Request too large (max 32MB).' }, 'context_overflow', null],
    [{ ...failed, api_error_status: 400, result: 'API Error: 400 odd' }, 'unknown', null],
    [{ ...failed, api_error_status: 500, result: 'API Error: 500' }, 'overloaded', null],
    [{ ...failed, result: 'Not logged in · Please run /login' }, 'auth', null],
    [{ ...failed, result: 'OAuth token has expired' }, 'auth', null],
    [{ ...failed, result: 'API Error: Connection refused (ECONNREFUSED)' }, 'network', null],
    [{ ...failed, result: "API Error: Can't reach the API server (ENOTFOUND)" }, 'network', null],
    [
      { subtype: 'error_during_execution', errors: ['"x" is not a UUID and does not match any session title.'] },
      'session_not_found',
      null,
    ],
    [{ subtype: 'error_max_structured_output_retries', is_error: true, errors: ['no'] }, null, null],
    [{ subtype: 'error_during_execution', errors: [1, null] }, 'unknown', null],
    [{ subtype: 'constructor', is_error: true }, 'unknown', null],
    [{}, 'unknown', null],
  ])('%o is %s', (result, kind, resetsAt) => {
    const error = errorOfResult(result as Record<string, unknown>, moment, null)
    expect([error?.kind ?? null, error?.resetsAt ?? null]).toEqual([kind, resetsAt])
  })

  test('the reset time of an event wins over the one in the message', () => {
    const result = { ...failed, api_error: 'usage_limit_reached', result: "You've hit your limit · resets 3am (UTC)" }
    expect(errorOfResult(result, moment, '2026-11-16T02:59:59.000Z')?.resetsAt).toBe('2026-11-16T02:59:59.000Z')
  })
})

test.each<[object, AgentErrorKind, string]>([
  [{ error_status: 401, error: 'authentication_failed' }, 'auth', 'the key or the login was refused (HTTP 401)'],
  [{ error_status: 529, error: 'overloaded' }, 'overloaded', 'the model was not available (HTTP 529)'],
  [{ error_status: null, error: 'overloaded' }, 'overloaded', 'the model was not available (overloaded)'],
  [{ error_status: null, error: 'unknown' }, 'network', 'no connection to the model (unknown)'],
  [{}, 'network', 'no connection to the model (unknown)'],
])('trying again after %o is because of %s', (event, kind, message) => {
  expect(errorOfRetry(event as Record<string, unknown>)).toEqual({ kind, message, resetsAt: null })
})

test.each<[Partial<Ending>, AgentErrorKind | null]>([
  [{ stderr: "error: unknown option '--nonsense'" }, 'config'],
  [{ stderr: 'Error: --json-schema is not a valid JSON Schema' }, 'config'],
  [
    { stderr: '--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons' },
    'config',
  ],
  [{ stderr: 'Invalid API key · Please run /login' }, 'auth'],
  [{ stderr: 'Segmentation fault' }, null],
  [{ stderr: '' }, null],
  [{ stderr: 'error: x', code: 0 }, null],
])('a start that fails with %o is %s', (ending, kind) => {
  expect(errorOfStart({ code: 1, signal: null, file: null, stderr: '', extra: null, ...ending })?.kind ?? null).toBe(
    kind,
  )
})
