import { appendFile, readFile, rm, truncate } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { failure, file, journals, layered, openHere, useJournalFolder } from '../../test/kit/journal-files.ts'
import { sampleBytes, sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import { createSmallDisk } from '../../test/kit/small-disk.ts'
import { scanJournal } from './read-events.ts'

useJournalFolder()

describe('when the disk refuses', () => {
  test('a full disk: reports it, keeps durable events, and continues when there is space', async () => {
    const disk = await createSmallDisk()
    try {
      const { journal } = await openHere(disk.openFile, disk.dir)
      await journal.append(0, sampleEvents(1, 3))
      await disk.fill()
      const big = sampleEvent(4, 'x'.repeat(100_000))
      const attempts = await Promise.allSettled([journal.append(3, [big]), journal.append(4, sampleEvents(5, 5))])
      for (const attempt of attempts)
        expect(attempt).toMatchObject({ status: 'rejected', reason: { code: 'ENVIRONMENT_DISK_FULL' } })
      expect(await journal.load()).toEqual(sampleEvents(1, 3))
      const size = sampleBytes(sampleEvents(1, 3)).length
      expect(await scanJournal(disk.dir)).toMatchObject({ position: { seq: 3, offset: size }, size, damage: null })
      await disk.free()
      await journal.append(3, sampleEvents(4, 4))
      await journal.close()
      expect(await (await openHere(disk.openFile, disk.dir)).journal.load()).toEqual(sampleEvents(1, 4))
    } finally {
      for (const journal of journals.splice(0)) await journal.close()
      await disk.remove()
    }
  })

  test.each([
    ['EIO', 'ENVIRONMENT_IO'],
    ['ENOSPC', 'ENVIRONMENT_DISK_FULL'],
    ['EROFS', 'ENVIRONMENT_READ_ONLY'],
  ])('%s at the sync: rejects with %s, and the events are not there', async (errno, code) => {
    let broken = false
    const { journal } = await openHere(
      layered((real) => ({ datasync: () => (broken ? Promise.reject(failure(errno)) : real.datasync()) })),
    )
    await journal.append(0, sampleEvents(1, 1))
    broken = true
    await expect(journal.append(1, sampleEvents(2, 3))).rejects.toMatchObject({ code, details: { path: file } })
    expect(await readFile(file)).toEqual(sampleBytes(sampleEvents(1, 1)))
    broken = false
    await journal.append(1, [sampleEvent(2, 'another')])
    expect(await journal.load()).toEqual([sampleEvent(1), sampleEvent(2, 'another')])
  })

  test('a partial write that could not be undone at once is undone before the next write', async () => {
    let broken = false
    const { journal } = await openHere(
      layered((real) => ({
        datasync: () => (broken ? Promise.reject(failure('EIO')) : real.datasync()),
        truncate: (size) => (broken ? Promise.reject(failure('EIO')) : real.truncate(size)),
      })),
    )
    broken = true
    await expect(journal.append(0, sampleEvents(1, 9))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    expect(await journal.load()).toEqual([])
    await expect(journal.append(0, sampleEvents(1, 1))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    broken = false
    await journal.append(0, sampleEvents(1, 1))
    expect(await readFile(file)).toEqual(sampleBytes(sampleEvents(1, 1)))
  })

  test('a request during a failing write fails with it', async () => {
    let broken = true
    let late: Promise<unknown> = Promise.resolve()
    const { journal } = await openHere(
      layered((real) => ({
        async write(data, offset) {
          if (!broken) return real.write(data, offset)
          broken = false
          late = journal.append(1, sampleEvents(2, 2)).catch((error: unknown) => error)
          throw failure('EIO')
        },
      })),
    )
    await expect(journal.append(0, sampleEvents(1, 1))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
    expect(await late).toMatchObject({ code: 'ENVIRONMENT_IO' })
    await journal.append(0, sampleEvents(1, 2))
    expect(await journal.load()).toEqual(sampleEvents(1, 2))
  })
})

describe('when another process changes the file', () => {
  test.each<[string, () => Promise<void>]>([
    ['writes to it', () => appendFile(file, sampleBytes(sampleEvents(2, 2)))],
    ['cuts it', () => truncate(file, 5)],
  ])('and %s, nothing is written over it', async (_, touch) => {
    const { journal } = await openHere()
    await journal.append(0, sampleEvents(1, 1))
    await touch()
    const before = await readFile(file)
    await expect(journal.append(1, sampleEvents(2, 2))).rejects.toMatchObject({ code: 'JOURNAL_CONFLICT' })
    expect(await readFile(file)).toEqual(before)
  })

  test('and removes it, appending fails instead of writing into nothing', async () => {
    const { journal } = await openHere()
    await journal.append(0, sampleEvents(1, 1))
    await rm(file)
    await expect(journal.append(1, sampleEvents(2, 2))).rejects.toMatchObject({ code: 'ENVIRONMENT_IO' })
  })
})
