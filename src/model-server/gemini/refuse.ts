/** Encodes errors for the Gemini API, with its retry details. */
import type { ModelRequest } from '../model-request.ts'
import type { Refusal } from '../step.ts'
import { dataEvent, eventsWire, jsonWire, type Wire, type WireContext } from '../wire.ts'

const words: Readonly<Record<number, readonly [status: string, message: string]>> = {
  400: ['INVALID_ARGUMENT', 'Request contains an invalid argument.'],
  401: ['UNAUTHENTICATED', 'Request had invalid authentication credentials.'],
  403: ['PERMISSION_DENIED', 'The caller does not have permission'],
  404: ['NOT_FOUND', 'models/m is not found for API version v1beta, or is not supported for generateContent.'],
  429: ['RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).'],
  503: ['UNAVAILABLE', 'The model is overloaded. Please try again later.'],
}
const fallback = ['INTERNAL', 'An internal error has occurred. Please retry.'] as const

export const overflow: Refusal = {
  status: 400,
  message: 'The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).',
}

export function refuse(refusal: Refusal, request: ModelRequest, { now }: WireContext): Wire {
  const [status, message] = words[refusal.status] ?? fallback
  const details = detailsOf(refusal, request, now)
  const body = refusal.body ?? {
    error: {
      code: refusal.status,
      message: refusal.message ?? message,
      status,
      ...(details.length > 0 ? { details } : {}),
    },
  }
  return refusal.inStream && request.stream
    ? eventsWire([dataEvent(body)])
    : jsonWire(body, refusal.status, refusal.headers)
}

function detailsOf({ status, retryAfter, resetsAt }: Refusal, { model }: ModelRequest, now: number): object[] {
  if (status !== 429) return []
  const seconds = retryAfter ?? (resetsAt === undefined ? undefined : Math.max(0, (Date.parse(resetsAt) - now) / 1_000))
  const quota = {
    '@type': 'type.googleapis.com/google.rpc.QuotaFailure',
    violations: [
      {
        quotaMetric: 'generativelanguage.googleapis.com/generate_content_free_tier_requests',
        quotaId: 'GenerateRequestsPerDayPerProjectPerModel-FreeTier',
        quotaDimensions: { location: 'global', model },
        quotaValue: '50',
      },
    ],
  }
  return [
    ...(resetsAt === undefined ? [] : [quota]),
    ...(seconds === undefined
      ? []
      : [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${seconds}s` }]),
  ]
}
