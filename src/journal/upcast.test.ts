import { describe, expect, test } from 'vitest'
import { eventVersion } from '../model/event.ts'
import { createUpcaster, upcasts, type RawEvent, type Upcast } from './upcast.ts'

const line = (fields: Record<string, unknown>): RawEvent => ({
  seq: 7,
  at: '2026-01-01T00:00:00.000Z',
  type: 'x',
  ...fields,
})
const refused = (upcast: () => unknown): unknown => {
  try {
    return upcast()
  } catch (error) {
    return error
  }
}

/** A made-up history: version 1 had `jump.seen`, version 2 had the time in seconds. */
const renamed: Upcast = (old) => (old.type === 'jump.seen' ? { ...old, type: 'clock.jumped' } : old)
const inMs: Upcast = ({ seconds, ...rest }) =>
  rest.type === 'clock.jumped' ? { ...rest, ms: Number(seconds) * 1000 } : rest

describe('upcast', () => {
  test('has a step for each version before the newest', () => {
    expect(upcasts).toHaveLength(eventVersion - 1)
  })

  test('leaves events of the newest version as they are', () => {
    const event = line({ type: 'clock.jumped', ms: 5, version: eventVersion })
    expect(createUpcaster()(event)).toBe(event)
    expect(event).toEqual(line({ type: 'clock.jumped', ms: 5 }))
  })

  test.each([
    ['of version 1, which is not named', { type: 'jump.seen', seconds: 5 }],
    ['of version 1, which is named', { type: 'jump.seen', seconds: 5, version: 1 }],
    ['of version 2', { type: 'clock.jumped', seconds: 5, version: 2 }],
  ])('brings a line %s through every step that follows', (_, fields) => {
    const upcast = createUpcaster([renamed, inMs])
    expect(upcast(line(fields))).toEqual(line({ type: 'clock.jumped', ms: 5000 }))
  })

  test('reads a journal that a newer version went on with', () => {
    const upcast = createUpcaster([renamed, inMs])
    const events = [
      { type: 'jump.seen', seconds: 1 },
      { type: 'clock.jumped', ms: 2, version: 3 },
    ].map(line)
    expect(events.map(upcast)).toMatchObject([
      { type: 'clock.jumped', ms: 1000 },
      { type: 'clock.jumped', ms: 2 },
    ])
  })
})

describe('the question that a task waits for', () => {
  const blocked = { type: 'task.finished', task: 'T1', status: 'blocked', block: 'external' }

  test.each([undefined, 2])('is read from the reason of a line of version %s', (version) => {
    const old = line({ ...blocked, reason: 'waiting for an answer to Q12', ...(version ? { version } : {}) })
    expect(createUpcaster()(old)).toMatchObject({ reason: 'waiting for an answer to Q12', question: 'Q12' })
  })

  test.each([
    ['another reason', { ...blocked, reason: 'needs a key' }],
    ['more than the question', { ...blocked, reason: 'waiting for an answer to Q1: Which key?' }],
    ['another status', { ...blocked, status: 'failed', reason: 'waiting for an answer to Q1' }],
    ['a text of the newest version', { ...blocked, reason: 'waiting for an answer to Q1', version: eventVersion }],
  ])('is not read from %s', (_, fields) => {
    expect(createUpcaster()(line(fields))).not.toHaveProperty('question')
  })
})

describe('a line that this Looper does not know', () => {
  test('of a later version is refused, and the version to install is named', () => {
    const upcast = createUpcaster()
    upcast(line({ type: 'run.resumed', limits: {}, looper: '0.9.1' }))
    expect(refused(() => upcast(line({ type: 'task.started', version: 6 })))).toMatchObject({
      code: 'JOURNAL_VERSION',
      exitCode: 2,
      message:
        'Event 7 (task.started) has version 6, but this Looper reads up to 5: install Looper 0.9.1 or newer to read this run',
      details: { seq: 7, type: 'task.started', version: 6, writer: '0.9.1' },
    })
  })

  test('of a type it has never heard of is refused', () => {
    expect(refused(() => createUpcaster()(line({ type: 'memory.kept' })))).toMatchObject({
      code: 'JOURNAL_VERSION',
      message:
        'Event 7 (memory.kept) is an event that this Looper does not know: install the newest Looper to read this run',
    })
  })

  test.each(['toString', '__proto__', 'constructor'])('is one by the name of %s, too', (type) => {
    expect(refused(() => createUpcaster()(line({ type })))).toMatchObject({ code: 'JOURNAL_VERSION' })
  })
})

describe('other words of version 4', () => {
  test('a look at the source is a poll', () => {
    const old = { type: 'source.looked', look: 3, changes: 1, claimed: 'T1', complete: false, problems: [], version: 4 }
    expect(createUpcaster()(line(old))).toEqual(
      line({ type: 'source.polled', poll: 3, changes: 1, claimed: 'T1', complete: false, problems: [] }),
    )
  })

  test('the lane of an attempt is its number as a racer', () => {
    const old = { type: 'task.started', task: 'T1', attempt: 2, agent: 'a', wave: 1, version: 4 }
    expect(createUpcaster()(line({ ...old, lane: 1 }))).toEqual(
      line({ type: 'task.started', task: 'T1', attempt: 2, agent: 'a', wave: 1, racer: 1 }),
    )
    expect(createUpcaster()(line(old))).not.toHaveProperty('racer')
  })
})
