/** Base of the parsers of agent streams: one JSON object per line; unknown lines become raw events. */
import type { AgentEvent, AgentParser } from './adapter.ts'
import { parseLine } from './json.ts'

export interface LineReader extends Pick<AgentParser, 'push' | 'skip'> {
  /** Whether a known event has been read; unknown lines do not count. */
  began(): boolean
}

/** `note`: keeps text that may explain how the turn ended. */
export function createLineReader(
  read: (event: Record<string, unknown>) => AgentEvent[],
  note: (text: string) => void,
): LineReader {
  let began = false
  return {
    began: () => began,
    push(line) {
      const event = parseLine(line)
      const events = event === null ? [] : read(event)
      began ||= events.length > 0
      return events.length > 0 ? events : [{ type: 'raw', text: line }]
    },
    skip: (bytes) => note(`(a line of ${bytes} bytes was not read)`),
  }
}
