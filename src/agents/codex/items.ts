/** Decides which items of Codex's stream are tool uses, and which of those are commands. */
import type { AgentEvent } from '../adapter.ts'
import { textOf } from '../json.ts'

/** Null for an item that is not a tool use. */
export function toolOf(item: Record<string, unknown>): { name: string; input: unknown } | null {
  switch (item['type']) {
    case 'command_execution':
      return { name: 'exec_command', input: { command: item['command'] } }
    case 'file_change':
      return { name: 'apply_patch', input: { changes: item['changes'] } }
    case 'mcp_tool_call':
      return { name: `${textOf(item['server']) ?? ''}.${textOf(item['tool']) ?? ''}`, input: item['arguments'] }
    case 'collab_tool_call':
      return { name: textOf(item['tool']) ?? 'collab', input: { prompt: item['prompt'] } }
    case 'web_search':
      return { name: 'web_search', input: { query: item['query'] } }
    default:
      return null
  }
}

export function commandOf({ type, command, exit_code: exitCode }: Record<string, unknown>): AgentEvent[] {
  if (type !== 'command_execution') return []
  return [{ type: 'command', command: textOf(command) ?? '', exitCode: typeof exitCode === 'number' ? exitCode : null }]
}
