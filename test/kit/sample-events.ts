/** Events for the tests of this folder. */
import type { Event } from '../../src/model/event.ts'
import { encodeEvent } from '../../src/journal/line.ts'

export const sampleEvent = (seq: number, answer = `answer ${seq}`): Event => ({
  seq,
  at: new Date(1_700_000_000_000 + seq).toISOString(),
  type: 'question.answered',
  question: `Q${seq}`,
  answer,
  by: 'person',
})

/** Events first..last. */
export const sampleEvents = (first: number, last: number): Event[] =>
  Array.from({ length: last - first + 1 }, (_, index) => sampleEvent(first + index))

export const sampleBytes = (events: readonly Event[]): Buffer =>
  Buffer.from(events.map((event) => `${encodeEvent(event)}\n`).join(''))
