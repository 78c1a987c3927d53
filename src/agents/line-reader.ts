/** Base of the parsers of agent streams: one JSON object per line; unknown lines become raw events. */
import type { AgentEvent, AgentParser } from './adapter.ts'
import { parseLine } from './json.ts'

export interface LineReader extends Pick<AgentParser, 'push' | 'skip'> {
  /** Whether a known event has been read; unknown lines do not count. */
  began(): boolean
}

type StreamEvent = Record<string, unknown>

interface LineReaderOptions {
  /** What an event means, by its `type`. */
  readers: Readonly<Record<string, (event: StreamEvent) => AgentEvent[]>>
  /** Called with every event before its reader. */
  onEvent?: (event: StreamEvent) => void
  /** Keeps text that may explain how the turn ended. */
  keep: (text: string) => void
}

export function createLineReader({ readers, onEvent, keep }: LineReaderOptions): LineReader {
  let began = false
  const read = (event: StreamEvent): AgentEvent[] => {
    onEvent?.(event)
    const { type } = event
    return typeof type === 'string' && Object.hasOwn(readers, type) ? (readers[type]?.(event) ?? []) : []
  }
  return {
    began: () => began,
    push(line) {
      const event = parseLine(line)
      const events = event === null ? [] : read(event)
      began ||= events.length > 0
      return events.length > 0 ? events : [{ type: 'raw', text: line }]
    },
    skip: (bytes) => keep(`(a line of ${bytes} bytes was not read)`),
  }
}
