/** Parses the events of the command protocol: lines of stdout that are JSON objects with a `type`. */
import { agentErrorKinds, type AgentErrorKind } from '../../model/agent-error.ts'
import type { AgentEvent } from '../adapter.ts'
import { countOf, dollarsOf, timeOf } from '../json.ts'

export const eventTypes: ReadonlySet<unknown> = new Set(['session', 'message', 'tool_use', 'command', 'usage', 'error'])

export function toEvent(value: Record<string, unknown> | null, line: string): AgentEvent {
  switch (value?.type) {
    case 'session':
      return { type: 'session', id: text(value.id) }
    case 'message':
      return { type: 'message', text: text(value.text) }
    case 'tool_use':
      return { type: 'tool_use', name: text(value.name), input: value.input }
    case 'command':
      return {
        type: 'command',
        command: text(value.command),
        exitCode: typeof value.exitCode === 'number' ? value.exitCode : null,
      }
    case 'usage':
      return {
        type: 'usage',
        usage: {
          inputTokens: countOf(value.inputTokens),
          outputTokens: countOf(value.outputTokens),
          costUsd: dollarsOf(value.costUsd),
        },
      }
    case 'error':
      return {
        type: 'error',
        error: { kind: toKind(value.kind), message: text(value.message), resetsAt: timeOf(value.resetsAt) },
      }
    default:
      return { type: 'raw', text: line }
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

const toKind = (value: unknown): AgentErrorKind => agentErrorKinds.find((kind) => kind === value) ?? 'unknown'
