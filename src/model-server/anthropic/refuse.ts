/** Encodes errors for Anthropic's Messages API, with its rate limit headers. */
import type { ModelRequest } from '../model-request.ts'
import type { Refusal } from '../step.ts'
import { eventsWire, jsonWire, namedEvent, type Wire, type WireContext } from '../wire.ts'
import { answer } from './answer.ts'

const words: Readonly<Record<number, readonly [type: string, message: string]>> = {
  400: ['invalid_request_error', 'Invalid request'],
  401: ['authentication_error', 'invalid x-api-key'],
  403: ['permission_error', 'Your API key does not have permission to use the specified resource.'],
  404: ['not_found_error', 'model not found'],
  429: ['rate_limit_error', "This request would exceed your account's rate limit. Please try again later."],
  529: ['overloaded_error', 'Overloaded'],
}
const fallback = ['api_error', 'Internal server error'] as const

export const overflow: Refusal = { status: 400, message: 'prompt is too long: 215000 tokens > 200000 maximum' }

export function refuse(refusal: Refusal, request: ModelRequest, context: WireContext): Wire {
  const [type, message] = words[refusal.status] ?? fallback
  const body = refusal.body ?? {
    type: 'error',
    error: { type, message: refusal.message ?? message },
    request_id: `req_${context.id}`,
  }
  if (refusal.inStream && request.stream) return inStream(body, request, context)
  return jsonWire(body, refusal.status, {
    'request-id': `req_${context.id}`,
    ...limitHeaders(refusal),
    ...refusal.headers,
  })
}

/** Sends the error after the start of a message, as when the service fails midway. */
function inStream(body: unknown, request: ModelRequest, context: WireContext): Wire {
  const begun = answer({}, request, context).chunks.slice(0, 1)
  return eventsWire([...begun, namedEvent({ type: 'error', ...(body as object) })])
}

function limitHeaders({ status, retryAfter, resetsAt }: Refusal): Record<string, string> {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }
  if (status !== 429 || resetsAt === undefined) return headers
  const reset = String(Math.ceil(Date.parse(resetsAt) / 1_000))
  return {
    ...headers,
    'anthropic-ratelimit-unified-status': 'rejected',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-reset': reset,
    'anthropic-ratelimit-unified-5h-status': 'rejected',
    'anthropic-ratelimit-unified-5h-reset': reset,
    'anthropic-ratelimit-unified-5h-utilization': '1',
    'anthropic-ratelimit-unified-overage-status': 'rejected',
  }
}
