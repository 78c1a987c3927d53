/** Decodes a request of Anthropic's Messages API. */
import { objectIn, objectsIn, textIn, wordsIn, type JsonObject } from '../json.ts'
import type { ModelMessage, ModelRequest, ModelTool } from '../model-request.ts'

/** Claude Code requests structured answers by offering a tool of this name. */
export const resultTool = 'StructuredOutput'

export function decode(body: unknown): ModelRequest {
  const request = objectIn(body)
  const messages = objectsIn(request['messages'])
  const tools = objectsIn(request['tools']).map(toolOf)
  const reminders = messages.filter(({ role }) => role === 'system').map(({ content }) => wordsIn(content))
  return {
    provider: 'anthropic',
    model: textIn(request['model']),
    system: [wordsIn(request['system']), ...reminders].filter((text) => text !== '').join('\n'),
    messages: messages.filter(({ role }) => role !== 'system').map(messageOf),
    tools,
    schema: schemaOf(request) ?? tools.find(({ name }) => name === resultTool)?.schema ?? null,
    stream: request['stream'] === true,
  }
}

function schemaOf(request: JsonObject): unknown {
  const format = objectIn(objectIn(request['output_config'])['format'] ?? request['output_format'])
  return format['type'] === 'json_schema' ? format['schema'] : undefined
}

const toolOf = (tool: JsonObject): ModelTool => ({
  name: textIn(tool['name']),
  kind: 'function',
  namespace: null,
  schema: tool['input_schema'] ?? null,
})

function messageOf({ role, content }: JsonObject): ModelMessage {
  const blocks = objectsIn(content)
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: wordsIn(typeof content === 'string' ? content : blocks.filter(({ type }) => type === 'text')),
    toolCalls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({ id: textIn(id), name: textIn(name), input })),
    toolResults: blocks
      .filter(({ type }) => type === 'tool_result')
      .map((block) => ({ id: textIn(block['tool_use_id']), text: wordsIn(block['content']) })),
  }
}
