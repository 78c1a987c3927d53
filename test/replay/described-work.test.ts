/** Journals of version 1 have some facts about work only in its id: the upcast finds exactly what today's core records. */
import { expect, test } from 'vitest'
import { describeWork } from '../../src/journal/describe-work.ts'
import type { RawEvent } from '../../src/journal/raw-event.ts'
import type { Event } from '../../src/model/event.ts'
import { simulate } from '../../src/simulation/simulate.ts'

/** The fields that version 2 added, by kind of work. */
const added: Readonly<Record<string, readonly string[]>> = {
  wait: ['awaits'],
  sync: ['repeats'],
  prepare: ['task'],
  inspect: ['task'],
  turn: ['pass', 'judges'],
  check: ['rerun', 'judges'],
  overlay: ['judges'],
}

function asVersion1(event: Event<'work.started'>): RawEvent {
  const known = added[event.work.kind] ?? []
  return { ...event, work: Object.fromEntries(Object.entries(event.work).filter(([key]) => !known.includes(key))) }
}

test('the fields of version 2 are found again in the ids of version 1', { timeout: 600_000 }, async () => {
  const found = new Set<string>()
  for (let seed = 1; seed <= 120; seed++) {
    const { history } = await simulate(seed, { checkers: [] })
    for (const event of history) {
      if (event.type !== 'work.started') continue
      expect(describeWork(asVersion1(event)), `seed ${seed}`).toEqual(event)
      const { kind } = event.work
      for (const field of added[kind] ?? []) if (field in event.work) found.add(`${kind}.${field}`)
    }
  }
  expect([...found].toSorted()).toEqual(
    Object.entries(added)
      .flatMap(([kind, fields]) => fields.map((field) => `${kind}.${field}`))
      .toSorted(),
  )
})
