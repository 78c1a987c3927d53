/** What every provider's dialect consists of: reading requests, and saying answers and errors. All of it pure. */
import type { ModelRequest } from './model-request.ts'
import type { Answer, Refusal } from './step.ts'
import type { Wire, WireContext } from './wire.ts'

/** What the path of a request says, where its body does not. */
export interface Asked {
  model: string
  stream: boolean
}

export interface Provider {
  decode(body: unknown, asked: Asked): ModelRequest
  answer(answer: Answer, request: ModelRequest, context: WireContext): Wire
  refuse(refusal: Refusal, request: ModelRequest, context: WireContext): Wire
  /** The refusal with which the provider says that a prompt is too long. */
  overflow: Refusal
}
