/** Encodes an answer for OpenAI's Responses API. */
import type { ModelRequest, ToolCall } from '../model-request.ts'
import { tokensOf, type Answer } from '../step.ts'
import { eventsWire, halves, jsonWire, namedEvent, type Wire, type WireContext } from '../wire.ts'

type Item = { id: string; type: string } & Record<string, unknown>
type Event = { type: string } & Record<string, unknown>

export function answer(step: Answer, request: ModelRequest, context: WireContext): Wire {
  const output = itemsOf(step, request, context.id)
  const completed = { ...responseOf(request, context), status: 'completed', output, usage: usageOf(step) }
  if (!request.stream) return jsonWire(completed)
  return streamWire([
    { type: 'response.created', response: responseOf(request, context) },
    ...output.flatMap(itemEvents),
    { type: 'response.completed', response: completed },
  ])
}

/** A response before its first output. */
export const responseOf = (request: ModelRequest, { id, now }: WireContext): Record<string, unknown> => ({
  id: `resp_${id}`,
  object: 'response',
  created_at: Math.floor(now / 1_000),
  status: 'in_progress',
  model: request.model,
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
})

export const streamWire = (events: Event[]): Wire =>
  eventsWire(events.map((event, sequence_number) => namedEvent({ ...event, sequence_number })))

function usageOf(step: Answer): Record<string, unknown> {
  const { input, cacheRead, cacheWrite, output, reasoning } = tokensOf(step)
  const input_tokens = input + cacheRead + cacheWrite
  return {
    input_tokens,
    input_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: cacheWrite },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input_tokens + output,
  }
}

function itemsOf(step: Answer, request: ModelRequest, id: string): Item[] {
  const texts = [step.text ?? '', step.result === undefined ? '' : JSON.stringify(step.result)].filter(
    (text) => text !== '',
  )
  return [
    ...texts.map((text, nth) => ({
      type: 'message',
      id: `msg_${id}_${nth}`,
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text, annotations: [] }],
    })),
    ...(step.toolCalls ?? []).map((call, nth) => callItem(call, request, `${id}_${nth}`)),
  ]
}

function callItem(call: ToolCall, { tools }: ModelRequest, id: string): Item {
  const item = { status: 'completed', call_id: call.id ?? `call_${id}`, name: call.name }
  const isCustom = tools.some(({ name, kind }) => name === call.name && kind === 'custom')
  if (isCustom) return { type: 'custom_tool_call', id: `ctc_${id}`, ...item, input: textOf(call.input) }
  const namespace = call.namespace === undefined ? {} : { namespace: call.namespace }
  return { type: 'function_call', id: `fc_${id}`, ...item, ...namespace, arguments: JSON.stringify(call.input) }
}

const textOf = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input))

/** An item is added empty, grows by deltas, and is sent whole when done. */
function itemEvents(item: Item, output_index: number): Event[] {
  const [field, deltaType, text] = growing(item)
  const ids = { item_id: item.id, output_index, ...(item.type === 'message' ? { content_index: 0 } : {}) }
  return [
    {
      type: 'response.output_item.added',
      output_index,
      item: { ...item, status: 'in_progress', [field]: field === 'content' ? [] : '' },
    },
    ...halves(text).map((delta) => ({ type: deltaType, ...ids, delta })),
    { type: 'response.output_item.done', output_index, item },
  ]
}

function growing(item: Item): [field: string, deltaType: string, text: string] {
  switch (item.type) {
    case 'message':
      return ['content', 'response.output_text.delta', (item['content'] as { text: string }[])[0]?.text ?? '']
    case 'custom_tool_call':
      return ['input', 'response.custom_tool_call_input.delta', String(item['input'])]
    default:
      return ['arguments', 'response.function_call_arguments.delta', String(item['arguments'])]
  }
}
