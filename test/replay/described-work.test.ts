/**
 * Journals of version 1 have some facts about work only in its id, and journals of version 2 have the question that a
 * task waits for only in a text: the upcasts find exactly what today's core records.
 */
import { expect, test } from 'vitest'
import { describeWork } from '../../src/journal/describe-work.ts'
import { nameQuestion } from '../../src/journal/name-question.ts'
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

function asVersion2(event: Event<'task.finished'>): RawEvent {
  const { question: _, ...rest } = event
  return rest
}

test(
  'the fields of versions 2 and 3 are found again in ids and texts of earlier versions',
  { timeout: 600_000 },
  async () => {
    const found = new Set<string>()
    let waiting = 0
    for (let seed = 1; seed <= 50; seed++) {
      const { history } = await simulate(seed, { checkers: [] })
      for (const event of history) {
        if (event.type === 'task.finished') {
          expect(nameQuestion(asVersion2(event)), `seed ${seed}`).toEqual(event)
          if (event.question !== undefined) waiting++
        }
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
    expect(waiting).toBeGreaterThan(0)
  },
)
