/** Decodes a request of OpenAI's Responses API. */
import { objectIn, objectsIn, parsed, textIn, wordsIn, type JsonObject } from '../json.ts'
import type { ModelMessage, ModelRequest, ModelTool, ToolCall } from '../model-request.ts'

export function decode(body: unknown): ModelRequest {
  const request = objectIn(body)
  const input =
    typeof request['input'] === 'string' ? [{ role: 'user', content: request['input'] }] : objectsIn(request['input'])
  const format = objectIn(objectIn(request['text'])['format'])
  return {
    provider: 'openai-responses',
    model: textIn(request['model']),
    system: [textIn(request['instructions']), ...input.filter(isSystem).map(({ content }) => wordsIn(content))]
      .filter((text) => text !== '')
      .join('\n'),
    messages: input.filter((item) => !isSystem(item)).flatMap(messageOf),
    tools: objectsIn(request['tools']).flatMap((tool) => toolsOf(tool)),
    schema: format['type'] === 'json_schema' ? (format['schema'] ?? null) : null,
    stream: request['stream'] === true,
  }
}

const isSystem = ({ role }: JsonObject): boolean => role === 'developer' || role === 'system'

/** A namespace contains tools of its own; tools that the server runs itself have no name. */
function toolsOf(tool: JsonObject, namespace: string | null = null): ModelTool[] {
  if (tool['type'] === 'namespace')
    return objectsIn(tool['tools']).flatMap((inner) => toolsOf(inner, textIn(tool['name'])))
  const name = textIn(tool['name'])
  const kind = tool['type'] === 'custom' ? 'custom' : 'function'
  return name === '' ? [] : [{ name, kind, namespace, schema: tool['parameters'] ?? null }]
}

const namespaceOf = ({ namespace }: JsonObject): { namespace?: string } =>
  typeof namespace === 'string' ? { namespace } : {}

function messageOf(item: JsonObject): ModelMessage[] {
  const message: ModelMessage = { role: 'user', text: '', toolCalls: [], toolResults: [] }
  const called = (call: ToolCall): ModelMessage => ({ ...message, role: 'assistant', toolCalls: [call] })
  const [id, name] = [textIn(item['call_id']), textIn(item['name'])]
  switch (item['type'] ?? 'message') {
    case 'message':
      return [{ ...message, role: item['role'] === 'assistant' ? 'assistant' : 'user', text: wordsIn(item['content']) }]
    case 'function_call':
      return [called({ id, name, ...namespaceOf(item), input: parsed(item['arguments']) })]
    case 'custom_tool_call':
      return [called({ id, name, input: item['input'] })]
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ ...message, toolResults: [{ id, text: wordsIn(item['output']) }] }]
    default:
      return []
  }
}
