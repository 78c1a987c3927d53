import { expect, test } from 'vitest'
import type { Fact } from '../../model/event.ts'
import { columns } from '../text/columns.ts'
import { hostileText } from '../../../test/kit/runs.ts'
import { replayText, type ReplayReport } from './replay-text.ts'

const failure = {
  kind: 'check',
  error: null,
  summary: 'test failed (exit 1)',
  detail: 'boom',
  fingerprint: 'f',
} as const
const failed: Fact = { type: 'attempt.failed', task: 'T001', attempt: 1, failure, next: 'retry' }
const place = { seq: 57, at: '2026-01-01T00:05:00.000Z', subject: 'T001' }
const report = (changes: Partial<ReplayReport>): ReplayReport => ({
  run: '001-x',
  same: 214,
  differences: [],
  skipped: 0,
  stopped: false,
  files: null,
  ...changes,
})

test('reports that nothing differs', () => {
  expect(replayText(report({}))).toBe('✓ 001-x: 214 decisions, none differs\n')
  expect(replayText(report({ same: 1 }))).toBe('✓ 001-x: 1 decision, none differs\n')
})

test('shows the differing fields of two facts of one kind', () => {
  expect(
    replayText(report({ differences: [{ ...place, journal: failed, today: { ...failed, next: 'split' } }] })),
  ).toBe(
    [
      '✗ 001-x: 1 of 215 decisions differs',
      '',
      'event 57 T001 · 2026-01-01 00:05 UTC',
      '  journal  attempt.failed  next retry',
      '  today    attempt.failed  next split',
      '',
    ].join('\n'),
  )
})

test('shows both facts whole when their kinds differ, and names a missing one', () => {
  const started: Fact = {
    type: 'work.started',
    work: {
      kind: 'wait',
      id: 'T001/a1/implement.wait1',
      until: '2026-01-01T00:10:00.000Z',
      awaits: { kind: 'retry', question: 'T001/a1/implement', nth: 1 },
    },
  }
  const text = replayText(
    report({
      skipped: 3,
      differences: [
        { ...place, journal: failed, today: started },
        { ...place, journal: null, today: started },
      ],
    }),
  )
  expect(text).toContain('2 of 216 decisions differ; 3 that follow from these were not compared\n')
  expect(text).toContain('  journal  attempt.failed  task T001, attempt 1, failure.kind check,')
  expect(text).toContain('  today    work.started T001/a1/implement.wait1  work.kind wait, work.until')
  expect(text).toContain('  journal  nothing\n')
})

test('shows only the first differences, in 80 columns, without terminal controls', () => {
  const hostile: Fact = { ...failed, failure: { ...failure, summary: hostileText.repeat(20) } }
  const text = replayText(
    report({
      stopped: true,
      differences: Array.from({ length: 50 }, () => ({ ...place, journal: failed, today: hostile })),
    }),
  )
  expect(text.match(/^event 57/gm)).toHaveLength(10)
  expect(text).toMatch(
    /50 of the first 264 decisions differ\n[^]*\nand 40 more, then the replay stopped; --json has them all\n$/,
  )
  expect(Math.max(...text.split('\n').map(columns))).toBeLessThanOrEqual(80)
  // eslint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202E]/)
})

test('files: reports that all exist, or names the first missing ones', () => {
  expect(replayText(report({ files: { recorded: 19, gone: [] } }))).toMatch(
    /none differs\n\n✓ 19 recorded trees and commits, all in git\n$/,
  )
  const gone = Array.from({ length: 7 }, (_, index) => ({ id: String(index).repeat(40), seq: index + 1 }))
  expect(replayText(report({ files: { recorded: 19, gone } }))).toMatch(
    /✗ 7 of 19 recorded trees and commits are gone from git\n {2}000000000000 of event 1\n[^]*\n {2}and 2 more\n$/,
  )
})
