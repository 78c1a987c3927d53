/** Encodes an answer for the Gemini API: every chunk is a whole response, and tool calls are never split. */
import type { ModelRequest } from '../model-request.ts'
import { tokensOf, type Answer } from '../step.ts'
import { dataEvent, eventsWire, halves, jsonWire, type Wire, type WireContext } from '../wire.ts'

export function answer(step: Answer, request: ModelRequest, { id }: WireContext): Wire {
  const texts = [step.text ?? '', step.result === undefined ? '' : JSON.stringify(step.result)].filter(
    (text) => text !== '',
  )
  const calls = (step.toolCalls ?? []).map((call, nth) => ({
    functionCall: { id: call.id ?? `call_${id}_${nth}`, name: call.name, args: call.input },
  }))
  const part = (parts: object[], last: object = {}): object => ({
    candidates: [{ content: { role: 'model', parts }, index: 0, ...last }],
    modelVersion: request.model,
    responseId: id,
    usageMetadata: usageOf(step),
  })
  const last = { finishReason: 'STOP' }
  if (!request.stream) return jsonWire(part([...texts.map((text) => ({ text })), ...calls], last))
  return eventsWire(
    [
      ...texts.flatMap(halves).map((text) => part([{ text }])),
      ...calls.map((call) => part([call])),
      part([{ text: '' }], last),
    ].map(dataEvent),
  )
}

function usageOf(step: Answer): Record<string, number> {
  const { input, cacheRead, cacheWrite, output, reasoning } = tokensOf(step)
  const promptTokenCount = input + cacheRead + cacheWrite
  return {
    promptTokenCount,
    cachedContentTokenCount: cacheRead,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: promptTokenCount + output,
  }
}
