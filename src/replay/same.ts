/** Compares facts by all their fields, independent of the order of keys. */
import type { Event, Fact } from '../model/event.ts'

/** The fact without the event's number and time. */
export function factOf(event: Event): Fact {
  const { seq: _seq, at: _at, ...fact } = event
  return fact
}

export const textOf = (fact: Fact): string => JSON.stringify(fact, inOrder)

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
