import { expect, test } from 'vitest'
import { bytesText } from '../text/bytes.ts'
import { cleaningQuestion, cleaningSums, cleaningText, type Cleaning } from './cleaning.ts'
import { noPaint } from '../text/paint.ts'

const row = { applied: false, discarded: false, bytes: 4_096 }
const plan: Cleaning = {
  dryRun: true,
  of: 'runs',
  failed: [],
  freedBytes: 1_200_004_096,
  totalBytes: 1_200_008_192,
  removed: [
    {
      ...row,
      run: '010-c',
      status: 'completed',
      applied: true,
      branch: { name: 'looper/010-c', removed: true, why: null },
    },
    {
      ...row,
      run: '002-b',
      status: 'failed',
      bytes: 1_200_000_000,
      branch: { name: 'looper/002-b', removed: false, why: 'no other branch has its commits' },
    },
  ],
  kept: [{ ...row, run: '001-a', status: 'paused', why: 'it can be resumed' }],
}

test('D10: lists runs oldest first with size, action and reason, then the totals', () => {
  expect(cleaningText(plan, noPaint)).toBe(
    [
      '001-a  paused               4.1 kB  kept: it can be resumed',
      '002-b  failed               1.2 GB  would be removed, but looper/002-b stays: no other branch has its commits',
      '010-c  completed · applied  4.1 kB  would be removed, with looper/010-c',
      '',
      'Would remove 2 runs: 1.2 GB of 1.2 GB.',
      '',
    ].join('\n'),
  )
  expect(cleaningQuestion(plan)).toBe('Remove 2 runs (1.2 GB), 1 of them neither applied nor discarded?')
  const done = cleaningText({ ...plan, dryRun: false, failed: [{ run: '003-d', why: 'no\u001B[2J right' }] }, noPaint)
  expect(done).toContain('010-c  completed · applied  4.1 kB  removed, with looper/010-c\n')
  expect(done).toMatch(/\n\n✗ 003-d stays: no right\nRemoved 2 runs: 1\.2 GB of 1\.2 GB\.\n$/)
})

test('shows the removed output of agents, and an empty result', () => {
  const turns: Cleaning = { ...plan, of: 'turns', removed: plan.removed.slice(0, 1), freedBytes: 4_096 }
  expect(cleaningQuestion(turns)).toBe('Remove the output of agents in 1 run (4.1 kB)?')
  expect(cleaningText(turns, noPaint)).toContain('would be removed\n')
  expect(cleaningSums({ ...plan, removed: [] }, noPaint)).toBe('Nothing to remove; 1.2 GB in use.\n')
  expect(cleaningText({ ...plan, removed: [], kept: [], totalBytes: 0 }, noPaint)).toBe(
    'Nothing to remove; 0 B in use.\n',
  )
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [9_949, '9.9 kB'],
  [9_950, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [12_345_678, '12 MB'],
  [1.34e9, '1.3 GB'],
  [5e15, '5000 TB'],
])('%d bytes: %s', (bytes, text) => expect(bytesText(bytes)).toBe(text))
