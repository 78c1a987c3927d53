/** A coding agent's request to its model, independent of the provider. */
import { objectIn } from './json.ts'

export const providerNames = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const
export type ProviderName = (typeof providerNames)[number]

export interface ToolCall {
  name: string
  /** An object; a string for a `custom` tool. */
  input: unknown
  /** The name of the tool's group, if tools are grouped. */
  namespace?: string
  id?: string
}

export interface ToolResult {
  id: string
  text: string
}

export interface ModelMessage {
  role: 'user' | 'assistant'
  text: string
  toolCalls: ToolCall[]
  toolResults: ToolResult[]
}

export interface ModelTool {
  name: string
  /** A custom tool takes a string instead of an object. */
  kind: 'function' | 'custom'
  namespace: string | null
  schema: unknown
}

export interface ModelRequest {
  provider: ProviderName
  model: string
  /** All text from neither the user nor the model, wherever it is in the request. */
  system: string
  messages: ModelMessage[]
  tools: ModelTool[]
  /** The JSON Schema of the answer; null when any text is allowed. */
  schema: unknown
  stream: boolean
}

/** Everything since the model's last message: a prompt, or tool results. */
export function lastWords(request: ModelRequest): string {
  const since = request.messages.slice(request.messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return since.flatMap(wordsOf).join('\n')
}

export const allWords = (request: ModelRequest): string => request.messages.flatMap(wordsOf).join('\n')

const wordsOf = ({ text, toolResults }: ModelMessage): string[] =>
  [text, ...toolResults.map((result) => result.text)].filter((words) => words !== '')

/** Agents also request a title of the conversation, as text or as an object with no other field. */
export function isTitleRequest({ tools, schema, system }: ModelRequest): boolean {
  const properties = Object.keys(objectIn(objectIn(schema)['properties']))
  return (
    tools.length === 0
    && /\btitle\b/i.test(system)
    && (schema === null || (properties.length === 1 && properties[0] === 'title'))
  )
}
