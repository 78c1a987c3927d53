import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunState } from '../model/state.ts'
import { openFileJournal } from './file-journal.ts'
import { checksum } from './line.ts'
import { readEvents } from './read-events.ts'
import { sampleBytes, sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import { createSmallDisk } from '../../test/kit/small-disk.ts'
import { fileSnapshots, readSnapshot } from './snapshot.ts'

let dir: string
let file: string
let journal: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'looper-snapshot-'))
  file = join(dir, 'state.json')
  journal = join(dir, 'events.jsonl')
  await writeFile(journal, sampleBytes(sampleEvents(1, 10)))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** Stores only read `seq`. */
const stateAt = (seq: number, goal = 'a goal \u2028\n\ud800'): RunState => ({ seq, goal }) as RunState

test('snapshots are null at first, then the last one saved, as an object of the caller’s own', async () => {
  const snapshots = fileSnapshots(dir)
  expect(await snapshots.load()).toBeNull()
  await snapshots.save(stateAt(3))
  const state = stateAt(7)
  await snapshots.save(state)
  state.goal = 'changed'
  expect(await snapshots.load()).toEqual(stateAt(7))
})

describe('state.json', () => {
  test('is one JSON object with version, seq, offset and checksum, readable by the user alone', async () => {
    await fileSnapshots(dir).save(stateAt(4))
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      version: 8,
      seq: 4,
      offset: sampleBytes(sampleEvents(1, 4)).length,
      sum: expect.stringMatching(/^[0-9a-f]{8}$/),
      state: stateAt(4),
    })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('leads a reader to the events after it, wherever it was taken', async () => {
    await writeFile(
      journal,
      sampleBytes([...sampleEvents(1, 9), sampleEvent(10, 'x'.repeat(200_000)), ...sampleEvents(11, 12)]),
    )
    for (const seq of [1, 2, 9, 10, 11, 12]) {
      await fileSnapshots(dir).save(stateAt(seq))
      const found = await readSnapshot(dir)
      expect(found?.state).toEqual(stateAt(seq))
      const rest = await readEvents(dir, { afterSeq: seq, fromOffset: found!.position.offset })
      expect(rest.events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].slice(seq))
    }
  })

  test('is not read by the process that appends, whatever it says', async () => {
    const size = (await stat(journal)).size
    // A snapshot that an agent could write: a number that no event has, at the end of the journal.
    const covered = checksum(await readFile(journal))
    await fileSnapshots(dir).save(stateAt(10))
    const [versions] = (await readFile(file, 'utf8')).split(',"seq"')
    const head = `${versions},"seq":99,"offset":${size},"covered":"${covered}"`
    const body = `"state":${JSON.stringify(stateAt(99))}}\n`
    await writeFile(file, `${head},"sum":"${checksum(body, crc32(head))}",\n${body}`)
    expect((await readSnapshot(dir))?.state).toEqual(stateAt(99))
    const seen: number[] = []
    const opened = await openFileJournal(dir, { onEvent: ({ seq }) => seen.push(seq) })
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    await opened.journal.append(10, sampleEvents(11, 11))
    expect(await opened.journal.load()).toEqual(sampleEvents(1, 11))
    expect(await opened.journal.load(9)).toEqual(sampleEvents(10, 11))
    await opened.journal.close()
  })

  test('does not hide damage in what it covers, whenever it was saved', async () => {
    const snapshots = fileSnapshots(dir)
    for (const seq of [3, 8, 5]) {
      await snapshots.save(stateAt(seq))
      expect((await readSnapshot(dir))?.state).toEqual(stateAt(seq))
      const bytes = await readFile(journal)
      const damaged = Buffer.from(bytes)
      damaged[5]! ^= 1
      await writeFile(journal, damaged)
      expect(await readSnapshot(dir)).toBeNull()
      await expect(openFileJournal(dir)).rejects.toMatchObject({ code: 'JOURNAL_DAMAGED', details: { seq: 1 } })
      await writeFile(journal, bytes)
    }
  })

  test('does not count when any byte of it changed', async () => {
    await fileSnapshots(dir).save(stateAt(8))
    const good = await readFile(file)
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), async (index, mask) => {
        const bytes = Buffer.from(good)
        bytes[index]! ^= mask
        await writeFile(file, bytes)
        expect(await readSnapshot(dir)).toBeNull()
      }),
    )
  })

  test.each<[string, () => Promise<void>]>([
    ['it is cut short', async () => writeFile(file, (await readFile(file)).subarray(0, -1))],
    [
      'it is of another version',
      async () => {
        const [line = '', body = ''] = (await readFile(file, 'utf8')).split(/(?<=\n)/)
        const head = line.slice(0, line.indexOf(',"sum"')).replace('"version":8', '"version":1')
        await writeFile(file, `${head},"sum":"${checksum(body, crc32(head))}",\n${body}`)
      },
    ],
    ['it is empty', () => writeFile(file, '')],
    ['it is something else', () => writeFile(file, '{"seq":8}\n')],
    [
      'it is a folder',
      async () => {
        await rm(file)
        await mkdir(file)
      },
    ],
    ['the journal is shorter', () => writeFile(journal, sampleBytes(sampleEvents(1, 7)))],
    ['the journal is gone', () => rm(journal)],
    [
      'the journal has another event there',
      () => writeFile(journal, sampleBytes([...sampleEvents(1, 7), sampleEvent(8, 'ANSWER 8')])),
    ],
  ])('does not count when %s', async (_, change) => {
    const snapshots = fileSnapshots(dir)
    await snapshots.save(stateAt(8))
    expect(await snapshots.load()).not.toBeNull()
    await change()
    expect(await snapshots.load()).toBeNull()
  })

  test('is never ahead of the journal', async () => {
    await expect(fileSnapshots(dir).save(stateAt(11))).rejects.toMatchObject({ code: 'BUG_INVARIANT' })
    await writeFile(journal, sampleBytes(sampleEvents(1, 10)).subarray(0, -1))
    await expect(fileSnapshots(dir).save(stateAt(10))).rejects.toMatchObject({ code: 'BUG_INVARIANT' })
  })

  test('keeps the last good one when the disk is full', async () => {
    const disk = await createSmallDisk()
    try {
      await writeFile(join(disk.dir, 'events.jsonl'), sampleBytes(sampleEvents(1, 10)))
      const snapshots = fileSnapshots(disk.dir)
      await snapshots.save(stateAt(5))
      await disk.fill()
      const result = await snapshots.save(stateAt(6, 'x'.repeat(200_000))).then(
        () => 'saved',
        (error: { code: string }) => error.code,
      )
      expect(result).toBe(disk.real ? 'ENVIRONMENT_DISK_FULL' : 'saved')
      expect((await snapshots.load())?.seq).toBe(disk.real ? 5 : 6)
    } finally {
      await disk.remove()
    }
  })
})
