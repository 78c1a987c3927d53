/** OpenAI's error bodies, the same for both of its APIs. */
import type { Refusal } from './step.ts'
import type { WireContext } from './wire.ts'

const words: Readonly<Record<number, readonly [type: string, code: string | null, message: string]>> = {
  400: ['invalid_request_error', null, 'Invalid request'],
  401: ['invalid_request_error', 'invalid_api_key', 'Incorrect API key provided.'],
  403: ['invalid_request_error', 'model_not_allowed', 'You are not allowed to use this model.'],
  404: ['invalid_request_error', 'model_not_found', 'The model does not exist or you do not have access to it.'],
  429: ['requests', 'rate_limit_exceeded', 'Rate limit reached for requests. Please try again later.'],
  503: ['server_error', 'server_is_overloaded', 'Our servers are currently overloaded. Please try again later.'],
}
const fallback = [
  'server_error',
  'server_error',
  'The server had an error while processing your request. Sorry about that!',
] as const

export function errorBody(refusal: Refusal, { now }: WireContext): unknown {
  if (refusal.body !== undefined) return refusal.body
  if (refusal.status === 429 && refusal.resetsAt !== undefined) return usageLimit(refusal, refusal.resetsAt, now)
  const [type, code, message] = words[refusal.status] ?? fallback
  return { error: { message: refusal.message ?? message, type, param: null, code } }
}

/** The error of a subscription whose usage window is exhausted. */
function usageLimit({ message }: Refusal, resetsAt: string, now: number): unknown {
  const resets_at = Math.ceil(Date.parse(resetsAt) / 1_000)
  const resets_in_seconds = Math.max(0, resets_at - Math.floor(now / 1_000))
  const error = {
    type: 'usage_limit_reached',
    message: message ?? 'The usage limit has been reached',
    plan_type: 'pro',
  }
  return { error: { ...error, resets_at, resets_in_seconds } }
}

export const errorHeaders = (refusal: Refusal): Record<string, string> => ({
  ...(refusal.retryAfter === undefined ? {} : { 'retry-after': String(refusal.retryAfter) }),
  ...(refusal.status === 429 && refusal.resetsAt !== undefined ? windowHeaders(refusal.resetsAt) : {}),
  ...refusal.headers,
})

/** The used share of a subscription's window, and when the window ends. */
const windowHeaders = (resetsAt: string): Record<string, string> => ({
  'x-codex-primary-used-percent': '100',
  'x-codex-primary-window-minutes': '300',
  'x-codex-primary-reset-at': String(Math.ceil(Date.parse(resetsAt) / 1_000)),
})
