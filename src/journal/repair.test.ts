import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { RunState } from '../model/state.ts'
import { openFileJournal } from './file-journal.ts'
import { repairJournal } from './repair.ts'
import { sampleBytes, sampleEvent, sampleEvents } from '../../test/kit/sample-events.ts'
import { fileSnapshots } from './snapshot.ts'

let dir: string
let file: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'looper-repair-'))
  file = join(dir, 'events.jsonl')
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const whole = sampleBytes(sampleEvents(1, 9))
const damagedAt = (seq: number): Buffer => {
  const bytes = Buffer.from(whole)
  bytes[sampleBytes(sampleEvents(1, seq - 1)).length + 3]! ^= 1
  return bytes
}

describe('a journal that is well', () => {
  test.each([
    ['whole', whole],
    ['empty', Buffer.alloc(0)],
    ['torn at its end, which opening repairs', whole.subarray(0, -5)],
  ])('%s: nothing is done', async (_, bytes) => {
    await writeFile(file, bytes)
    expect(await repairJournal(dir)).toBeNull()
    expect(await readFile(file)).toEqual(bytes)
    expect(await readdir(dir)).toEqual(['events.jsonl'])
  })

  test('missing: nothing is done', async () => {
    expect(await repairJournal(dir)).toBeNull()
    expect(await readdir(dir)).toEqual([])
  })
})

describe('a damaged journal', () => {
  test('keeps what is before the damage, sets the rest aside as it was, says what, and opens again', async () => {
    await writeFile(file, damagedAt(4))
    const good = sampleBytes(sampleEvents(1, 3))
    const aside = join(dir, 'events.damaged-1.jsonl')
    expect(await repairJournal(dir)).toEqual({
      keptSeq: 3,
      file: aside,
      firstSeq: 4,
      lastSeq: 9,
      lines: 6,
      bytes: whole.length - good.length,
      why: 'its checksum does not match',
    })
    expect(await readFile(file)).toEqual(good)
    expect(await readFile(aside)).toEqual(damagedAt(4).subarray(good.length))
    expect((await stat(aside)).mode & 0o777).toBe(0o600)
    const { journal } = await openFileJournal(dir)
    await journal.append(3, [sampleEvent(4, 'again')])
    expect(await journal.load()).toEqual([...sampleEvents(1, 3), sampleEvent(4, 'again')])
    await journal.close()
    expect(await repairJournal(dir)).toBeNull()
  })

  test('can be repaired several times, and keeps everything set aside', async () => {
    for (let n = 1; n <= 3; n++) {
      await writeFile(file, damagedAt(5))
      expect(await repairJournal(dir)).toMatchObject({ file: join(dir, `events.damaged-${n}.jsonl`) })
    }
    const aside = [1, 2, 3].map((n) => `events.damaged-${n}.jsonl`)
    expect((await readdir(dir)).toSorted()).toEqual([...aside, 'events.jsonl'])
  })

  test('may have lines without end and without number', async () => {
    const good = sampleBytes(sampleEvents(1, 2))
    const rubbish = Buffer.concat([Buffer.from('\n'), Buffer.alloc(300_000), Buffer.from('\nlast')])
    await writeFile(file, Buffer.concat([good, rubbish]))
    expect(await repairJournal(dir)).toMatchObject({
      keptSeq: 2,
      firstSeq: 3,
      lastSeq: null,
      lines: 3,
      bytes: rubbish.length,
    })
  })

  test.each([
    ['ahead of the repair goes', 7, false],
    ['behind the damage stays', 2, true],
  ])('a snapshot %s', async (_, seq, stays) => {
    await writeFile(file, whole)
    await fileSnapshots(dir).save({ seq } as RunState)
    await writeFile(file, damagedAt(4))
    await repairJournal(dir)
    expect((await readdir(dir)).includes('state.json')).toBe(stays)
    expect((await fileSnapshots(dir).load())?.seq ?? null).toBe(stays ? seq : null)
  })

  test('never loses a byte, wherever it is damaged', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 1, max: 255 }), async (index, mask) => {
        const bytes = Buffer.from(whole)
        bytes[index]! ^= mask
        await writeFile(file, bytes)
        const repair = await repairJournal(dir)
        const aside = repair === null ? Buffer.alloc(0) : await readFile(repair.file)
        expect(Buffer.concat([await readFile(file), aside])).toEqual(bytes)
        const { journal } = await openFileJournal(dir)
        await journal.close()
      }),
      { numRuns: 40 },
    )
  })
})
