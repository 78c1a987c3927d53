/** Facts side by side: what one is called, and all that it says, whatever the order of its keys. */
import type { Event, Fact } from '../model/event.ts'

/** What was decided, without its place and time. */
export function factOf(event: Event): Fact {
  const { seq: _seq, at: _at, ...fact } = event
  return fact
}

/** Its kind and, for work, which piece of it. */
export const nameOf = (fact: Fact): string =>
  fact.type === 'work.started' ? `${fact.type} ${fact.work.id}` : fact.type

export const textOf = (fact: Fact): string => JSON.stringify(fact, inOrder)

const inOrder = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value
