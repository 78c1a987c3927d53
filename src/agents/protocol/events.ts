/** Reads the events of the command protocol: lines of stdout that are JSON objects with a `type`. */
import { agentErrorKinds, type AgentErrorKind } from '../../model/agent-error.ts'
import type { AgentEvent } from '../adapter.ts'
import { isObject } from './object-finder.ts'

export const eventTypes: ReadonlySet<unknown> = new Set(['session', 'message', 'tool_use', 'command', 'usage', 'error'])

/** Above these a number is a mistake of the agent's; kept in bounds so that sums stay exact. */
export const maxTokens = 1e12
export const maxCostUsd = 1e6

/** Null when the line is no JSON object at all. */
export function parseLine(line: string): Record<string, unknown> | null {
  const text = line.trim()
  if (!text.startsWith('{') || !text.endsWith('}')) return null
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : null
  } catch {
    return null
  }
}

export function toEvent(value: Record<string, unknown> | null, line: string): AgentEvent {
  switch (value?.type) {
    case 'session': return { type: 'session', id: text(value.id) }
    case 'message': return { type: 'message', text: text(value.text) }
    case 'tool_use': return { type: 'tool_use', name: text(value.name), input: value.input }
    case 'command':
      return { type: 'command', command: text(value.command), exitCode: typeof value.exitCode === 'number' ? value.exitCode : null }
    case 'usage': return { type: 'usage', usage: {
      inputTokens: Math.round(amount(value.inputTokens, maxTokens)), outputTokens: Math.round(amount(value.outputTokens, maxTokens)),
      costUsd: amount(value.costUsd, maxCostUsd),
    } }
    case 'error': return { type: 'error', error: {
      kind: toKind(value.kind), message: text(value.message), resetsAt: toTime(value.resetsAt),
    } }
    default: return { type: 'raw', text: line }
  }
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Nothing negative, nothing that is not a number; JSON can spell infinity (1e999), so that is not one either. */
const amount = (value: unknown, max: number): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.min(value, max) : 0

const toKind = (value: unknown): AgentErrorKind => agentErrorKinds.find((kind) => kind === value) ?? 'unknown'

function toTime(value: unknown): string | null {
  const time = typeof value === 'string' ? new Date(value) : null
  return time === null || Number.isNaN(time.getTime()) ? null : time.toISOString()
}
