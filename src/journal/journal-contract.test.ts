/** The guarantees that the engine needs from every journal. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Event } from '../model/event.ts'
import type { Journal } from '../model/ports.ts'
import { openFileJournal } from './file-journal.ts'
import { createMemoryRun } from '../../test/kit/memory-store.ts'
import { sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'

const cleanups: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})

async function createFile(): Promise<Journal> {
  const dir = await mkdtemp(join(tmpdir(), 'looper-journal-'))
  const { journal } = await openFileJournal(dir)
  cleanups.push(async () => {
    await journal.close()
    await rm(dir, { recursive: true })
  })
  return journal
}

const createInMemory = async (): Promise<Journal> => (await createMemoryRun('001-x').journal.open()).journal

describe.each([
  ['a file', createFile],
  ['memory', createInMemory],
])('a journal in %s', (_, create) => {
  test('is empty at first', async () => {
    expect(await (await create()).load()).toEqual([])
  })

  test('loads what was appended, all of it or after an event', async () => {
    const journal = await create()
    await journal.append(0, sampleEvents(1, 3))
    await journal.append(3, [])
    await journal.append(3, sampleEvents(4, 5))
    expect(await journal.load()).toEqual(sampleEvents(1, 5))
    expect(await journal.load(0)).toEqual(sampleEvents(1, 5))
    expect(await journal.load(4)).toEqual(sampleEvents(5, 5))
    expect(await journal.load(5)).toEqual([])
    expect(await journal.load(99)).toEqual([])
  })

  test('refuses events that do not follow the last, and still accepts the next one', async () => {
    const journal = await create()
    await journal.append(0, sampleEvents(1, 2))
    await expect(journal.append(1, sampleEvents(2, 2))).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' })
    await expect(journal.append(3, sampleEvents(4, 4))).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' })
    await expect(journal.append(3, [])).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' })
    await expect(journal.append(2, sampleEvents(4, 4))).rejects.toMatchObject({ code: 'BUG_INVARIANT' })
    await expect(journal.append(2, [sampleEvent(3), sampleEvent(3)])).rejects.toMatchObject({ code: 'BUG_INVARIANT' })
    await journal.append(2, sampleEvents(3, 3))
    expect(await journal.load()).toEqual(sampleEvents(1, 3))
  })

  test('takes overlapping appends in the order of asking', async () => {
    const journal = await create()
    await Promise.all(sampleEvents(1, 50).map((event) => journal.append(event.seq - 1, [event])))
    expect(await journal.load()).toEqual(sampleEvents(1, 50))
  })

  test('loads nothing that is not appended yet and waits for what is on its way', async () => {
    const journal = await create()
    const appended = journal.append(0, sampleEvents(1, 2))
    expect(await journal.load()).toEqual(sampleEvents(1, 2))
    await appended
  })

  test('shares no object with its callers', async () => {
    const journal = await create()
    const event = sampleEvent(1) as Event<'question.answered'>
    const appended = journal.append(0, [event])
    event.answer = 'changed while it was written'
    await appended
    const [loaded] = (await journal.load()) as Event<'question.answered'>[]
    expect(loaded?.answer).toBe('answer 1')
    loaded!.answer = 'changed after loading'
    expect(await journal.load()).toEqual([sampleEvent(1)])
  })

  test('takes nothing after close, which may be called twice', async () => {
    const journal = await create()
    const last = journal.append(0, sampleEvents(1, 1))
    await journal.close()
    await journal.close()
    await last
    await expect(journal.append(1, sampleEvents(2, 2))).rejects.toMatchObject({ code: 'BUG_INVARIANT' })
  })

  test('keeps any JSON as it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue({ stringUnit: 'binary' }), { maxLength: 5 }), async (values) => {
        const journal = await create()
        const plain = JSON.parse(JSON.stringify(values)) as unknown[]
        const events = plain.map((value, index) => ({ ...sampleEvent(index + 1), value, odd: '\u2028\n\0' }))
        await journal.append(0, events)
        expect(await journal.load()).toEqual(events)
      }),
      { numRuns: 30 },
    )
  })
})
