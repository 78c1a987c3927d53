/** Encodes a step for the provider of the request. */
import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import type { ModelRequest, ProviderName } from './model-request.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'
import type { Provider } from './provider.ts'
import type { Step } from './step.ts'
import type { Fate } from './transmit.ts'
import { eventsWire, jsonWire, type Wire, type WireContext } from './wire.ts'

export const providers: Readonly<Record<ProviderName, Provider>> = {
  anthropic,
  'openai-responses': openaiResponses,
  'openai-chat': openaiChat,
  gemini,
}

const usualGarbage = '<html><body>502 Bad Gateway</body></html>'

export function wireOf(step: Step, request: ModelRequest, context: WireContext): { wire: Wire; fate: Fate } {
  const provider = providers[request.provider]
  const whole: Fate = { kind: 'whole' }
  if ('status' in step) return { wire: provider.refuse(step, request, context), fate: whole }
  if ('overflow' in step) return { wire: provider.refuse(provider.overflow, request, context), fate: whole }
  if ('garbage' in step) return { wire: garbageWire(step.garbage, request), fate: whole }
  return { wire: provider.answer(step, request, context), fate: fateOf(step) }
}

const garbageWire = (garbage: true | string, { stream }: ModelRequest): Wire => ({
  ...(stream ? eventsWire([]) : jsonWire(null)),
  chunks: [garbage === true ? usualGarbage : garbage],
})

function fateOf({ drop, hang }: { drop?: true | 'silent'; hang?: true | 'silent' }): Fate {
  if (drop !== undefined) return { kind: 'drop', point: drop }
  return hang === undefined ? { kind: 'whole' } : { kind: 'hang', point: hang }
}
