import { expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { statusLine } from './status-line.ts'

const until = '2026-03-01T11:00:00.000Z'
const waiting = sampleState({
  status: 'running',
  works: {
    'plan/r0.wait1': {
      work: { kind: 'wait', id: 'plan/r0.wait1', until, awaits: { kind: 'retry', question: 'plan/r0', nth: 1 } },
      at: '2026-03-01T10:00:00.000Z',
      starts: 1,
    },
  },
})

test('F1: a wait counts down by seconds and never below zero', () => {
  expect(statusLine(waiting, '2026-03-01T10:56:40.000Z', 120)).toContain(
    'waiting until 2026-03-01 11:00 UTC (3m 20s left)',
  )
  expect(statusLine(waiting, '2026-03-01T10:56:41.000Z', 120)).toContain('(3m 19s left)')
  expect(statusLine(waiting, '2026-03-01T11:00:05.000Z', 120)).toContain('(0.0 s left)')
})
