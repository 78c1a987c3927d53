import { expect, test } from 'vitest'
import { limitsText } from './limit-words.ts'

test.each([
  [{ costUsd: 1 }, 'cost limit $1.00'],
  [{ costUsd: 0.005, turns: null }, 'cost limit $0.005 · no turn limit'],
  [{ timeMinutes: 90, diskMb: 100 }, 'time limit 1h 30m · disk limit 100 MB'],
  [{}, ''],
])('%j: %s', (limits, expected) => expect(limitsText(limits)).toBe(expected))
