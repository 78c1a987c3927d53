import { expect, test } from 'vitest'
import type { CleanRequest } from '../../api/upkeep.ts'
import type { CleanStatus } from '../../views/history/cleaning.ts'
import { reasonToStay } from './clean-choice.ts'

const day = 86_400_000
const request = (changes: Partial<CleanRequest> = {}): CleanRequest => ({
  keep: null,
  age: null,
  all: false,
  turns: false,
  ...changes,
})
const now = '2026-03-31T00:00:00.000Z'
const old = '2026-01-01T00:00:00.000Z'

const reason = (
  status: CleanStatus,
  changes: Partial<CleanRequest> = {},
  { live = false, at = old, rank = 20 } = {},
): string | null => reasonToStay({ status, live, at }, rank, request(changes), now)

test.each<[CleanStatus, string | null, string | null]>([
  ['completed', null, null],
  ['failed', null, null],
  ['aborted', null, null],
  ['leftover', null, null],
  ['paused', 'it can be resumed', null],
  ['crashed', 'it can be resumed', null],
  ['new', 'it never started', null],
  ['unreadable', 'its journal cannot be read; `looper doctor` shows more', null],
])('D10: %s: stays because %s; with --all because %s', (status, why, withAll) => {
  expect(reason(status)).toBe(why)
  expect(reason(status, { all: true })).toBe(withAll)
  expect(reason(status, { all: true, turns: true })).toBe(why)
  expect(reason(status, { all: true }, { live: true })).toBe('it is under way')
})

test('D10: the newest stay, and the young; given both, either is enough to stay', () => {
  expect(reason('completed', { keep: 3 }, { rank: 3 })).toBe('it is one of the newest 3')
  expect(reason('completed', { keep: 1 }, { rank: 1 })).toBe('it is the newest')
  expect(reason('completed', { keep: 3 }, { rank: 4 })).toBeNull()
  expect(reason('completed', { keep: 0 }, { rank: 1 })).toBeNull()
  const age = { ms: 30 * day, text: '30d' }
  expect(reason('completed', { age }, { at: '2026-03-01T00:00:00.001Z', rank: 1 })).toBe('it is younger than 30d')
  expect(reason('completed', { age }, { at: '2026-03-01T00:00:00.000Z', rank: 1 })).toBeNull()
  expect(reason('completed', { age, keep: 3 }, { rank: 1 })).toBe('it is one of the newest 3')
  expect(reason('completed', { age, keep: 3, all: true }, { at: now })).toBe('it is younger than 30d')
})

test('D10: a run whose changes were discarded is not shown as resumable', () => {
  expect(
    reasonToStay({ status: 'paused', live: false, at: old, state: { discardedAt: now } }, 20, request(), now),
  ).toBe('it has not ended')
})
