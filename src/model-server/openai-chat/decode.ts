/** Decodes a request of OpenAI's Chat Completions API, which many other services implement too. */
import { objectIn, objectsIn, parsed, textIn, wordsIn, type JsonObject } from '../json.ts'
import type { ModelMessage, ModelRequest, ModelTool } from '../model-request.ts'

export function decode(body: unknown): ModelRequest {
  const request = objectIn(body)
  const messages = objectsIn(request['messages'])
  const format = objectIn(request['response_format'])
  return {
    provider: 'openai-chat',
    model: textIn(request['model']),
    system: messages
      .filter(isSystem)
      .map(({ content }) => wordsIn(content))
      .join('\n'),
    messages: messages.filter((message) => !isSystem(message)).map(messageOf),
    tools: objectsIn(request['tools']).map((tool) => toolOf(objectIn(tool['function']))),
    schema: format['type'] === 'json_schema' ? (objectIn(format['json_schema'])['schema'] ?? null) : null,
    stream: request['stream'] === true,
  }
}

const isSystem = ({ role }: JsonObject): boolean => role === 'developer' || role === 'system'

const toolOf = (tool: JsonObject): ModelTool => ({
  name: textIn(tool['name']),
  kind: 'function',
  namespace: null,
  schema: tool['parameters'] ?? null,
})

function messageOf(message: JsonObject): ModelMessage {
  const text = wordsIn(message['content'])
  if (message['role'] === 'tool') {
    return { role: 'user', text: '', toolCalls: [], toolResults: [{ id: textIn(message['tool_call_id']), text }] }
  }
  const toolCalls = objectsIn(message['tool_calls']).map((call) => {
    const { name, arguments: input } = objectIn(call['function'])
    return { id: textIn(call['id']), name: textIn(name), input: parsed(input) }
  })
  return { role: message['role'] === 'assistant' ? 'assistant' : 'user', text, toolCalls, toolResults: [] }
}
