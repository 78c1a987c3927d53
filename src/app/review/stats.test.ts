import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/kit/repository.ts'
import { completedRun, failedRun, limitedRun } from '../../../test/kit/runs.ts'
import { sampleBytes } from '../../../test/kit/sample-events.ts'
import type { Event } from '../../model/event.ts'
import { stats } from './stats.ts'

function runsIn(runs: Record<string, readonly Event[]>): string {
  const root = temporaryFolder()
  for (const [id, events] of Object.entries(runs)) {
    mkdirSync(join(root, '.looper/runs', id), { recursive: true })
    writeFileSync(join(root, '.looper/runs', id, 'events.jsonl'), sampleBytes(events))
  }
  return root
}

const later = (events: readonly Event[]): Event[] =>
  events.map((event) => ({ ...event, at: event.at.replace('2026-01-01', '2026-02-01') }))

test('all runs, those named, those since a day', async () => {
  const root = runsIn({
    '001-one': completedRun().events,
    '002-two': failedRun().events,
    '003-three': later(limitedRun().events),
  })
  expect((await stats(root, [], null)).byStatus).toEqual({ completed: 1, failed: 1, paused: 1 })
  expect((await stats(root, ['2', 'two', 'one'], null)).byStatus).toEqual({ completed: 1, failed: 1 })
  expect((await stats(root, [], '2026-02-01T00:00:00.000Z')).byStatus).toEqual({ paused: 1 })
  await expect(stats(root, ['7'], null)).rejects.toMatchObject({ code: 'USAGE_NO_RUN' })
})

test('a damaged run is named and left out', async () => {
  const root = runsIn({ '001-one': completedRun().events, '002-two': completedRun().events })
  const lines = sampleBytes(completedRun().events).toString().split('\n')
  writeFileSync(join(root, '.looper/runs/002-two/events.jsonl'), [lines[0], 'nonsense', ...lines.slice(2)].join('\n'))
  expect(await stats(root, [], null)).toMatchObject({
    runs: 1,
    unreadable: [{ run: '002-two', why: expect.stringContaining('damaged at event 2') as string }],
  })
})

test('no runs at all', async () => {
  expect(await stats(temporaryFolder(), [], null)).toMatchObject({ runs: 0, unreadable: [] })
})
