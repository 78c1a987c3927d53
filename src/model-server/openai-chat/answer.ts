/** Encodes an answer for OpenAI's Chat Completions API. */
import type { ModelRequest } from '../model-request.ts'
import { tokensOf, type Answer } from '../step.ts'
import { dataEvent, eventsWire, halves, jsonWire, type Wire, type WireContext } from '../wire.ts'

interface CallPart {
  id: string
  type: 'function'
  function: { name: string; arguments: string }
}

export function answer(step: Answer, request: ModelRequest, { id, now }: WireContext): Wire {
  const text = [step.text ?? '', step.result === undefined ? '' : JSON.stringify(step.result)]
    .filter((part) => part !== '')
    .join('\n')
  const calls = callsOf(step, id)
  const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
  const head = { id: `chatcmpl-${id}`, created: Math.floor(now / 1_000), model: request.model }
  if (!request.stream) {
    const message = {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    }
    return jsonWire({
      ...head,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason }],
      usage: usageOf(step),
    })
  }
  const chunk = (delta: object, finish_reason: string | null = null): string =>
    dataEvent({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
  return eventsWire([
    chunk({ role: 'assistant', content: '' }),
    ...halves(text).map((content) => chunk({ content })),
    ...calls.flatMap(callDeltas).map((call) => chunk({ tool_calls: [call] })),
    chunk({}, finish_reason),
    dataEvent({ ...head, object: 'chat.completion.chunk', choices: [], usage: usageOf(step) }),
    'data: [DONE]\n\n',
  ])
}

const callsOf = (step: Answer, id: string): CallPart[] =>
  (step.toolCalls ?? []).map((call, nth) => ({
    id: call.id ?? `call_${id}_${nth}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.input) },
  }))

function callDeltas({ id, type, function: { name, arguments: input } }: CallPart, index: number): object[] {
  const [first = '', ...rest] = halves(input)
  return [
    { index, id, type, function: { name, arguments: first } },
    ...rest.map((part) => ({ index, function: { arguments: part } })),
  ]
}

function usageOf(step: Answer): Record<string, unknown> {
  const { input, cacheRead, cacheWrite, output, reasoning } = tokensOf(step)
  const prompt_tokens = input + cacheRead + cacheWrite
  return {
    prompt_tokens,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: prompt_tokens + output,
  }
}
