/** Encodes an answer for Anthropic's Messages API. */
import type { ModelRequest, ToolCall } from '../model-request.ts'
import { tokensOf, type Answer } from '../step.ts'
import { eventsWire, halves, jsonWire, namedEvent, type Wire, type WireContext } from '../wire.ts'
import { resultTool } from './decode.ts'

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown }

export function answer(step: Answer, request: ModelRequest, { id }: WireContext): Wire {
  const blocks = blocksOf(step, request, id)
  const { output, ...input } = usageOf(step)
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', model: request.model, stop_sequence: null }
  const stop_reason = blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  if (!request.stream)
    return jsonWire({ ...message, content: blocks, stop_reason, usage: { ...input, output_tokens: output } })
  return eventsWire([
    namedEvent({
      type: 'message_start',
      message: { ...message, content: [], stop_reason: null, usage: { ...input, output_tokens: 1 } },
    }),
    ...blocks.flatMap(blockEvents),
    namedEvent({
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: output },
    }),
    namedEvent({ type: 'message_stop' }),
  ])
}

function usageOf(step: Answer): { input_tokens: number; output: number; [key: string]: unknown } {
  const { input, cacheRead, cacheWrite, output } = tokensOf(step)
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
    output,
  }
}

function blocksOf(step: Answer, request: ModelRequest, id: string): Block[] {
  const asTool = request.tools.some(({ name }) => name === resultTool)
  const result: ToolCall[] = step.result !== undefined && asTool ? [{ name: resultTool, input: step.result }] : []
  const texts = [step.text ?? '', step.result !== undefined && !asTool ? JSON.stringify(step.result) : '']
  const calls = [...(step.toolCalls ?? []), ...result]
  return [
    ...texts.filter((text) => text !== '').map((text) => ({ type: 'text' as const, text })),
    ...calls.map((call, nth) => ({
      type: 'tool_use' as const,
      id: call.id ?? `toolu_${id}_${nth}`,
      name: call.name,
      input: call.input,
    })),
  ]
}

function blockEvents(block: Block, index: number): string[] {
  const [content_block, deltas] =
    block.type === 'text'
      ? [{ type: 'text', text: '' }, halves(block.text).map((text) => ({ type: 'text_delta', text }))]
      : [
          { ...block, input: {} },
          halves(JSON.stringify(block.input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
        ]
  return [
    namedEvent({ type: 'content_block_start', index, content_block }),
    ...deltas.map((delta) => namedEvent({ type: 'content_block_delta', index, delta })),
    namedEvent({ type: 'content_block_stop', index }),
  ]
}
