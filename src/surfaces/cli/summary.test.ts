import { expect, test } from 'vitest'
import type { RunState } from '../../api/nouns.ts'
import { sampleCheck, sampleState, sampleTask } from '../../../test/kit/state.ts'
import { noPaint } from '../../views/text/paint.ts'
import { summary } from './summary.ts'

const at = '2026-03-01T10:05:00.000Z'

const shown = (state: RunState, columns = 80): string =>
  summary({ state, dir: '/nowhere', applied: null }, { cwd: '/', paint: noPaint, io: { isTTY: true, columns } })

test('the output of the check that stopped a run is named and stands below the reason', () => {
  const state = sampleState({
    status: 'paused',
    pause: {
      kind: 'health',
      detail: 'test fails before any change',
      hint: '',
      output: 'not ok 1 - sum\n3 == 4',
      remedies: [
        { text: 'Repair the checks first: a task of its own', command: 'looper config set baseline fix-first' },
      ],
    },
    tasks: [],
  })
  expect(shown(state, 70)).toMatch(
    /\nstate {3}paused · test fails before any change\noutput {2}not ok 1 - sum\n {8}3 == 4\nspent /,
  )
  expect(shown(state, 70)).toContain(
    '\n  looper config set baseline fix-first  Repair the checks first: a\n'
      + '                                        task of its own\n',
  )
})

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

test('a paused run does nothing: its tasks are started, not under way', () => {
  const pause = { kind: 'limit' as const, detail: 'the limit of 3 turns is reached', hint: '' }
  const tasks = [sampleTask({ id: 'T001', status: 'doing' }), sampleTask({ id: 'T002' })]
  expect(shown(sampleState({ status: 'paused', pause, tasks }))).toContain(
    '\ntasks   0 of 2 done · 1 started · 1 todo\n',
  )
})
