/** The interface of a provider: decoding requests, encoding answers and errors. All of it is pure. */
import type { ModelRequest } from './model-request.ts'
import type { Answer, Refusal } from './step.ts'
import type { Wire, WireContext } from './wire.ts'

/** The parts of a request that are in its path, not in its body. */
export interface Asked {
  model: string
  stream: boolean
}

export interface Provider {
  decode(body: unknown, asked: Asked): ModelRequest
  answer(answer: Answer, request: ModelRequest, context: WireContext): Wire
  refuse(refusal: Refusal, request: ModelRequest, context: WireContext): Wire
  /** The provider's error for a prompt that is too long. */
  overflow: Refusal
}
