import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dir, failure, file, layered, openHere, useJournalFolder } from '../../test/kit/journal-files.ts'
import { sampleBytes, sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import type { Event } from '../model/event.ts'
import { openFileJournal } from './file-journal.ts'
import { checksum, maxLineBytes, trailer } from './line.ts'
import { readEvents } from './read-events.ts'
import { repairJournal } from './repair.ts'
import { openTail } from './tail.ts'

useJournalFolder()

describe('opening', () => {
  test('makes a file that only the user can read, one event a line', async () => {
    const { journal, tornBytes } = await openHere()
    await journal.append(0, sampleEvents(1, 3))
    expect(tornBytes).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await readFile(file)).toEqual(sampleBytes(sampleEvents(1, 3)))
  })

  test('takes an empty file', async () => {
    await writeFile(file, '')
    const { journal } = await openHere()
    await journal.append(0, sampleEvents(1, 1))
    expect(await journal.load()).toEqual(sampleEvents(1, 1))
  })

  test('continues where an earlier process stopped', async () => {
    const { journal } = await openHere()
    await journal.append(0, sampleEvents(1, 3))
    await journal.close()
    const again = (await openHere()).journal
    await again.append(3, sampleEvents(4, 4))
    expect(await again.load()).toEqual(sampleEvents(1, 4))
  })

  test('returns fresh objects', async () => {
    await writeFile(file, sampleBytes(sampleEvents(1, 2)))
    const { journal } = await openHere()
    for (const event of await journal.load()) event.at = 'changed'
    expect(await journal.load()).toEqual(sampleEvents(1, 2))
  })

  test('reads a file of many pieces', async () => {
    const events = Array.from({ length: 40 }, (_, index) => sampleEvent(index + 1, `${index}`.repeat(100_003)))
    await writeFile(file, sampleBytes(events))
    expect(await (await openHere()).journal.load()).toEqual(events)
  })

  test('cuts a torn end wherever it was torn, reports it, and can append', async () => {
    const whole = sampleBytes(sampleEvents(1, 3))
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (size) => {
        await writeFile(file, whole.subarray(0, size))
        const events = (await readEvents(dir)).events
        const { journal, tornBytes } = await openFileJournal(dir)
        expect(tornBytes).toBe(size - sampleBytes(events).length)
        await journal.append(events.length, [sampleEvent(events.length + 1, 'new')])
        await journal.close()
        expect((await readEvents(dir)).events).toEqual([...events, sampleEvent(events.length + 1, 'new')])
      }),
      { numRuns: 40 },
    )
  })

  test('cuts a last line that fails its checksum', async () => {
    const bytes = sampleBytes(sampleEvents(1, 3))
    bytes[bytes.length - 30]! ^= 1
    await writeFile(file, bytes)
    const { journal, tornBytes } = await openHere()
    expect(tornBytes).toBe(sampleBytes([sampleEvent(3)]).length)
    expect(await journal.load()).toEqual(sampleEvents(1, 2))
    expect((await stat(file)).size).toBe(sampleBytes(sampleEvents(1, 2)).length)
  })

  test('refuses damage in the middle with the number of the event, the file and what to do, and changes nothing', async () => {
    const bytes = sampleBytes(sampleEvents(1, 5))
    bytes[sampleBytes(sampleEvents(1, 2)).length + 5]! ^= 4
    await writeFile(file, bytes)
    const error = {
      code: 'JOURNAL_DAMAGED',
      hint: expect.stringContaining('looper doctor --repair'),
      details: { seq: 3, file },
    }
    await expect(openFileJournal(dir)).rejects.toMatchObject(error)
    await expect(openFileJournal(dir)).rejects.toThrow(`${file} is damaged at event 3`)
    await expect(readEvents(dir)).rejects.toMatchObject(error)
    expect(await readFile(file)).toEqual(bytes)
  })

  test('refuses a run of a newer Looper', async () => {
    const body = JSON.stringify({ ...sampleEvent(1), type: 'run.started', version: 99, run: '001-x' }).slice(0, -1)
    await writeFile(file, `${body}${trailer(checksum(body))}\n`)
    await expect(openFileJournal(dir)).rejects.toMatchObject({ code: 'JOURNAL_VERSION' })
    await expect(readEvents(dir)).rejects.toMatchObject({ code: 'JOURNAL_VERSION' })
  })

  test('refuses an event that it does not know, wherever it stands, and leaves the file as it is', async () => {
    const unknown = { ...sampleEvent(3), type: 'memory.kept' } as unknown as Event
    const bytes = sampleBytes([...sampleEvents(1, 2), unknown, sampleEvent(4)])
    await writeFile(file, bytes)
    const error = { code: 'JOURNAL_VERSION', details: { seq: 3, type: 'memory.kept' } }
    await expect(openFileJournal(dir)).rejects.toMatchObject(error)
    await expect(readEvents(dir)).rejects.toMatchObject(error)
    await expect(repairJournal(dir)).rejects.toMatchObject(error)
    const tail = openTail(dir)
    await expect(tail.read()).rejects.toMatchObject(error)
    tail.close()
    expect(await readFile(file)).toEqual(bytes)
  })

  test('says so when the folder is missing or cannot be written', async () => {
    await expect(openFileJournal(join(dir, 'nowhere'))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    await expect(openFileJournal(dir, { openFile: () => Promise.reject(failure('EACCES')) })).rejects.toMatchObject({
      code: 'ENVIRONMENT_READ_ONLY',
    })
    await writeFile(file, 'torn')
    const readOnly = layered(() => ({ truncate: () => Promise.reject(failure('EROFS')) }))
    await expect(openFileJournal(dir, { openFile: readOnly })).rejects.toMatchObject({ code: 'ENVIRONMENT_READ_ONLY' })
  })
})

describe('appending', () => {
  test('writes and syncs once for all that was asked meanwhile', async () => {
    const calls: string[] = []
    const { journal } = await openHere(
      layered((real) => ({
        write: (data, offset) => {
          calls.push('write')
          return real.write(data, offset)
        },
        datasync: () => {
          calls.push('sync')
          return real.datasync()
        },
      })),
    )
    calls.length = 0
    await Promise.all(sampleEvents(1, 100).map((event) => journal.append(event.seq - 1, [event])))
    expect(calls).toEqual(['write', 'sync'])
  })

  test('resolves only after the sync', async () => {
    let letGo = (): void => {}
    let held = false
    const { journal } = await openHere(
      layered((real) => ({
        async datasync() {
          if (held)
            await new Promise<void>((resolve) => {
              letGo = resolve
            })
          await real.datasync()
        },
      })),
    )
    held = true
    let durable = false
    const appended = journal.append(0, sampleEvents(1, 1)).then(() => {
      durable = true
    })
    while ((await stat(file)).size === 0) await new Promise((resolve) => setImmediate(resolve))
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
    expect(durable).toBe(false)
    held = false
    letGo()
    await appended
  })

  test('continues after short writes', async () => {
    const { journal } = await openHere(
      layered((real) => ({ write: (data, offset) => real.write(data.subarray(0, offset + 7), offset) })),
    )
    await journal.append(0, sampleEvents(1, 5))
    expect(await readFile(file)).toEqual(sampleBytes(sampleEvents(1, 5)))
  })

  test('refuses an event longer than a line may be', async () => {
    const { journal } = await openHere()
    await expect(journal.append(0, [sampleEvent(1, 'x'.repeat(maxLineBytes))])).rejects.toMatchObject({
      code: 'BUG_INVARIANT',
    })
    await journal.append(0, sampleEvents(1, 1))
  })
})
