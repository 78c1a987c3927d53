import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { completedRun } from '../../../test/kit/runs.ts'
import { sampleBytes } from '../../../test/kit/sample-events.ts'
import type { Followed } from '../../api/follow.ts'
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import { fileSnapshots } from '../../journal/snapshot.ts'
import type { Event } from '../../model/event.ts'
import { runIn } from '../runs/runs.ts'
import { createFollower } from './follow.ts'
import { shareRun } from './shared-run.ts'

test('what a snapshot includes is not read again for a reader that knows it', async () => {
  const dir = join(mkdtempSync(join(tmpdir(), 'looper-shared-')), '001-x')
  onTestFinished(() => rmSync(join(dir, '..'), { recursive: true, force: true }))
  mkdirSync(dir)
  const { events, state } = completedRun()
  writeFileSync(join(dir, 'events.jsonl'), sampleBytes(events))
  await fileSnapshots(dir).save(structuredClone(events).slice(0, -4).reduce(evolve, initialState()))

  const read: number[] = []
  const { follow } = createFollower(({ journal, ...run }, known) => {
    const tail: typeof journal.tail = async (options) => {
      const opened = await journal.tail(options)
      const counted = async (): Promise<Event[]> => {
        const portion = await opened.read()
        read.push(...portion.map(({ seq }) => seq))
        return portion
      }
      return { ...opened, read: counted }
    }
    return shareRun({ ...run, journal: { ...journal, tail } }, known)
  })
  const after = async (seq: number): Promise<Followed[]> => {
    read.length = 0
    const followed: Followed[] = []
    for await (const each of follow(async () => runIn(dir), { after: seq })) followed.push(each)
    return followed
  }
  const seqs = events.map(({ seq }) => seq)

  expect(await after(events.length - 2)).toEqual(events.slice(-2).map((event) => ({ event, state })))
  expect(read).toEqual(seqs.slice(-4))
  // The states before the snapshot are needed here.
  expect((await after(events.length - 6)).map(({ event }) => event)).toEqual(events.slice(-6))
  expect(read).toEqual(seqs)
})
