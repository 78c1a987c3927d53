import { expect, test } from 'vitest'
import { sampleCheck, sampleState, sampleTask } from '../../../test/kit/state.ts'
import { noPaint } from '../../views/text/paint.ts'
import { summary } from './summary.ts'

const at = '2026-03-01T10:05:00.000Z'

test('F15: the last words name what was skipped and what is worth a look', () => {
  const evidence = [{ check: 'test', exitCode: 0, tree: null, durationMs: 1 }]
  const state = sampleState({
    status: 'completed',
    stage: 'report',
    conclusion: { status: 'completed', reason: null },
    gate: {
      round: 1,
      verdict: null,
      checks: [sampleCheck({ task: null, check: 'lint', passed: false, exitCode: 1, excuse: 'no-worse' })],
    },
    tasks: [
      sampleTask({ id: 'T001', status: 'done', evidence, proof: 'no proof' }),
      sampleTask({ id: 'T002', status: 'cancelled', endedAt: at }),
      sampleTask({ id: 'T003', status: 'cancelled' }),
    ],
  })
  const text = summary(
    { state, dir: '/nowhere', applied: null },
    { cwd: '/', paint: noPaint, io: { isTTY: false, columns: 80 } },
  )
  expect(text).toContain('\ntasks   1 of 1 done · 1 skipped\n')
  expect(text).toContain('\nnotice  1 check red (lint) · 1 task without proof (T001)\n')
})
