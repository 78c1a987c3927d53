/** What a coding agent asks its model, in one vocabulary whatever the provider's is. */
import { objectIn } from './json.ts'

export const providerNames = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const
export type ProviderName = (typeof providerNames)[number]

export interface ToolCall {
  name: string
  /** An object; text where the tool is `custom`. */
  input: unknown
  /** Where tools come in groups, the group's name. */
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
  /** A custom tool takes text instead of an object. */
  kind: 'function' | 'custom'
  namespace: string | null
  schema: unknown
}

export interface ModelRequest {
  provider: ProviderName
  model: string
  /** Everything said by neither user nor model, wherever it stands. */
  system: string
  messages: ModelMessage[]
  tools: ModelTool[]
  /** The JSON Schema the answer must have; null when any text will do. */
  schema: unknown
  stream: boolean
}

/** What came since the model last spoke: a prompt, or what its tools returned. */
export function lastWords(request: ModelRequest): string {
  const since = request.messages.slice(request.messages.findLastIndex(({ role }) => role === 'assistant') + 1)
  return since.flatMap(wordsOf).join('\n')
}

export const allWords = (request: ModelRequest): string => request.messages.flatMap(wordsOf).join('\n')

const wordsOf = ({ text, toolResults }: ModelMessage): string[] =>
  [text, ...toolResults.map((result) => result.text)].filter((words) => words !== '')

/**
 * Agents ask for a title of the conversation beside the work itself, as text or as an object with nothing else in it.
 */
export function isTitleRequest({ tools, schema, system }: ModelRequest): boolean {
  const properties = Object.keys(objectIn(objectIn(schema)['properties']))
  return (
    tools.length === 0
    && /\btitle\b/i.test(system)
    && (schema === null || (properties.length === 1 && properties[0] === 'title'))
  )
}
