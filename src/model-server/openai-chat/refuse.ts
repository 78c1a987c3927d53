/** Encodes errors for OpenAI's Chat Completions API. */
import type { ModelRequest } from '../model-request.ts'
import { errorBody, errorHeaders } from '../openai-error.ts'
import type { Refusal } from '../step.ts'
import { dataEvent, eventsWire, jsonWire, type Wire, type WireContext } from '../wire.ts'
import { answer } from './answer.ts'

export const overflow: Refusal = {
  status: 400,
  body: {
    error: {
      message:
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 140000 tokens.",
      type: 'invalid_request_error',
      param: 'messages',
      code: 'context_length_exceeded',
    },
  },
}

export function refuse(refusal: Refusal, request: ModelRequest, context: WireContext): Wire {
  const body = errorBody(refusal, context)
  if (!refusal.inStream || !request.stream) return jsonWire(body, refusal.status, errorHeaders(refusal))
  return eventsWire([...answer({}, request, context).chunks.slice(0, 1), dataEvent(body)])
}
