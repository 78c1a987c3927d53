/** Encodes errors for OpenAI's Responses API. */
import { objectIn } from '../json.ts'
import type { ModelRequest } from '../model-request.ts'
import { errorBody, errorHeaders } from '../openai-error.ts'
import type { Refusal } from '../step.ts'
import { jsonWire, type Wire, type WireContext } from '../wire.ts'
import { responseOf, streamWire } from './answer.ts'

/** This API reports the overflow only after the answer has begun. */
export const overflow: Refusal = {
  status: 400,
  inStream: true,
  body: {
    error: {
      message: 'Your input exceeds the context window of this model. Please adjust your input and try again.',
      type: 'invalid_request_error',
      param: 'input',
      code: 'context_length_exceeded',
    },
  },
}

export function refuse(refusal: Refusal, request: ModelRequest, context: WireContext): Wire {
  const body = errorBody(refusal, context)
  if (!refusal.inStream || !request.stream) return jsonWire(body, refusal.status, errorHeaders(refusal))
  const { code, message } = objectIn(objectIn(body)['error'])
  const response = responseOf(request, context)
  return streamWire([
    { type: 'response.created', response },
    { type: 'response.failed', response: { ...response, status: 'failed', error: { code, message } } },
  ])
}
