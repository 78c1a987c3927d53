/**
 * The step from version 2 to 3: in version 2, only the reason of a blocked task said which question it waits for. It
 * becomes a field of `task.finished`.
 */
import type { RawEvent } from './raw-event.ts'

/** As versions 1 and 2 wrote it, whatever the reason says today. */
const waiting = /^waiting for an answer to (Q\d+)$/

export function nameQuestion(line: RawEvent): RawEvent {
  const { type, status, reason } = line
  if (type !== 'task.finished' || status !== 'blocked' || typeof reason !== 'string') return line
  const question = waiting.exec(reason)?.[1]
  return question === undefined ? line : { ...line, question }
}
