/** The frame of every parser of an agent's own stream: a JSON object a line, and what nobody knows is kept as it is. */
import type { AgentEvent, AgentParser } from './adapter.ts'
import { parseLine } from './json.ts'

export interface LineReader extends Pick<AgentParser, 'push' | 'skip'> {
  /** Whether there was an event that is known: what nobody knows is no beginning. */
  began(): boolean
}

/** `note`: keeps words for whoever wants to know how it ended. */
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
