/**
 * The step from version 4 to 5: other names for the same facts. A poll of a source was a `look`, and the number of an
 * attempt in a race was its `lane`.
 */
import type { RawEvent } from './raw-event.ts'

export function renameWords(line: RawEvent): RawEvent {
  if (line.type === 'source.looked') {
    const { look, ...rest } = line
    return { ...rest, type: 'source.polled', poll: look }
  }
  if (line.type !== 'task.started' || line['lane'] === undefined) return line
  const { lane, ...rest } = line
  return { ...rest, racer: lane }
}
