import { describe, expect, test } from 'vitest'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { Ending } from '../adapter.ts'
import { errorOfResult, errorOfStart, withExit } from './errors.ts'

const now = '2026-11-15T23:23:30.000Z'
const moment = { after: now, said: now, zone: 'UTC' }
const advice = '\nPlease wait and try again later. To increase your limits, …, or switch to another /auth method'
const ended: Ending = { code: 1, signal: null, file: null, stderr: '', extra: null }

const read = (message: string, complaint: string | null = null) =>
  errorOfResult(
    { status: 'error', ...(message === '' ? {} : { error: { type: 'unknown', message } }) },
    complaint,
    moment,
  )

describe('a message (F1)', () => {
  test.each<[string, AgentErrorKind, string | null]>([
    [
      `[API Error: Resource has been exhausted (e.g. check quota).\nSuggested retry after 2s.]${advice}`,
      'rate_limited',
      '2026-11-15T23:23:32.000Z',
    ],
    [
      `[API Error: You exceeded your current quota. Please retry in 37.5s.]${advice}`,
      'rate_limited',
      '2026-11-15T23:24:07.500Z',
    ],
    [
      `[API Error: You have exhausted your capacity on this model. Your quota will reset after 2h30m5s.]${advice}`,
      'usage_limit',
      '2026-11-16T01:53:35.000Z',
    ],
    [`[API Error: You have exhausted your daily quota on this model.]${advice}`, 'usage_limit', null],
    ['[API Error: {"error":{"code":429,"message":"Slow down.","status":"X"}}]', 'rate_limited', null],
    ['[API Error: No capacity available for model gemini-2.5-pro on the server]', 'overloaded', null],
    ['[API Error: {"error":{"code":500,"message":"An internal error has occurred."}}]', 'overloaded', null],
    ['[API Error: {"error":{"code":400,"message":"API key not valid. Please pass a valid API key."}}]', 'auth', null],
    ['[API Error: {"error":{"code":400,"message":"odd"}}]', 'unknown', null],
    ['[API Error: {"error":{"code":"401"}}]', 'unknown', null],
    ['[API Error: exception TypeError: fetch failed sending request]', 'network', null],
    ['[API Error: Unexpected token \'<\', "<html>" is not valid JSON]', 'bad_response', null],
    ['The model response was blocked due to safety settings.', 'bad_response', null],
    ['', 'unknown', null],
  ])('%s is %s', (message, kind, resetsAt) => {
    const error = read(message)
    expect([error?.kind, error?.resetsAt]).toEqual([kind, resetsAt])
  })

  test('is reported without its wrapping', () => {
    expect(read('[API Error: {"error":{"code":401,"message":"No."}}]')?.message).toBe('No.')
    expect(read(`[API Error: Resource has been exhausted.]${advice}`)?.message).toBe('Resource has been exhausted.')
    expect(read('')?.message).toBe('the turn failed')
  })

  test('may have come before the end', () => {
    expect(read('', 'The model returned an empty response with no text or thoughts.')?.kind).toBe('bad_response')
  })

  test('counts less than what kind of error it is of', () => {
    const error = (type: string) =>
      errorOfResult({ status: 'error', error: { type, message: 'terminated' } }, null, moment)?.kind
    const types = ['FatalTurnLimitedError', 'FatalAuthenticationError', 'toString', 'Error']
    expect(types.map(error)).toEqual(['max_turns', 'auth', 'network', 'network'])
  })
})

test('an exit code explains what words do not', () => {
  const unknown = { kind: 'unknown', message: 'odd', resetsAt: null } as const
  const kinds = [145, 173, 247, 17, 144, 1, null].map((code) => withExit(unknown, { ...ended, code }).kind)
  expect(kinds).toEqual(['auth', 'rate_limited', 'overloaded', 'overloaded', 'unknown', 'unknown', 'unknown'])
  expect(withExit({ ...unknown, kind: 'network' }, { ...ended, code: 145 }).kind).toBe('network')
})

test.each<[Partial<Ending>, AgentErrorKind | null]>([
  [{ code: 41, stderr: 'Invalid auth method selected.\n' }, 'auth'],
  [{ code: 41 }, 'auth'],
  [{ code: 42, stderr: 'Error resuming session: Invalid session identifier "x".\n' }, 'session_not_found'],
  [{ code: 42, stderr: 'No input provided via stdin.' }, 'config'],
  [{ code: 52, stderr: 'YOLO mode is disabled by your administrator.' }, 'config'],
  [{ stderr: 'Warning: 256-color support not detected.\nUnknown argument: nonsense\nUsage: gemini' }, 'config'],
  [{ stderr: 'Segmentation fault' }, null],
  [{ stderr: '' }, null],
  [{ code: 0, stderr: 'Unknown argument: x' }, null],
  [{ code: null, signal: 'SIGKILL', stderr: 'Unknown argument: x' }, null],
])('a start that fails with %o is %s', (ending, kind) => {
  expect(errorOfStart({ ...ended, ...ending })?.kind ?? null).toBe(kind)
})
