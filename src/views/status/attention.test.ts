import { describe, expect, test } from 'vitest'
import { sampleCheck, sampleState, sampleTask, type SampleState } from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import { attentionText } from './attention.ts'
import { explain } from './explain.ts'
import { statusText } from './status-text.ts'

const done = sampleTask({
  id: 'T001',
  status: 'done',
  evidence: [{ check: 'test', exitCode: 0, tree: null, durationMs: 1 }],
})
const ended = { status: 'completed', stage: 'report', conclusion: { status: 'completed', reason: null } } as const
const gate = {
  round: 1,
  verdict: null,
  checks: [
    sampleCheck({ task: null, check: 'test' }),
    sampleCheck({ task: null, check: 'lint', passed: false, exitCode: 1, excuse: 'same-as-base' }),
    sampleCheck({ task: null, check: 'odd', passed: false, usable: false }),
  ],
}
const warning = {
  severity: 'WARNING',
  title: 'tests or checks were made weaker',
  detail: 'a.test.js: test skipped',
  task: 'T001',
  origin: 'o',
} as const

describe('F15: items that need attention', () => {
  test.each<[string, Omit<SampleState, 'tasks'>, Parameters<typeof sampleTask>[0][], string]>([
    ['nothing', ended, [done], ''],
    ['checks that the gate saw red, whatever excuses them', { ...ended, gate }, [done], '1 check red (lint)'],
    ['not those of a gate before the run went on', { ...ended, status: 'paused', conclusion: null, gate }, [done], ''],
    [
      'not those of a gate that failed tasks kept it from',
      { ...ended, gate },
      [done, sampleTask({ id: 'T002', status: 'failed' })],
      '',
    ],
    [
      'checks that the last audit saw red',
      { convergence: { ...initialConvergence(), red: ['clean'] } },
      [done],
      '1 check red (clean)',
    ],
    [
      'not when something has landed since',
      {
        convergence: { ...initialConvergence(), red: ['clean'] },
        landings: [{ task: 'T001', commit: 'c', wave: 1, met: 0 }],
      },
      [done],
      '',
    ],
    [
      'not when a task was done since, in place',
      { convergence: { ...initialConvergence(), red: ['clean'], unaudited: 1 } },
      [done],
      '',
    ],
    ['tasks whose new tests prove nothing', ended, [{ ...done, proof: 'no proof' }], '1 task without proof (T001)'],
    ['not those that are open again', ended, [{ ...done, status: 'todo', proof: 'no proof' }], ''],
    ['warnings', { ...ended, findings: [warning, { ...warning, severity: 'SUGGESTION' }] }, [done], '1 warning (T001)'],
    ['not those about what is not there', { ...ended, findings: [warning] }, [{ ...done, status: 'todo' }], ''],
  ])('%s', (_name, parts, tasks, expected) => {
    expect(attentionText(sampleState({ ...parts, tasks: tasks.map(sampleTask) }))).toBe(expected)
  })

  test('status and doctor show it', () => {
    const state = sampleState({ ...ended, gate, tasks: [done] })
    expect(statusText(state, { live: false, now: state.lastAt })).toContain('\nnotice  1 check red (lint)\n')
    expect(explain(state, { live: false }, { facts: [], work: [] }).why).toContain('To review: 1 check red (lint).')
  })

  test('a long list ends with the number of further items', () => {
    const tasks = Array.from({ length: 7 }, (_, n) => sampleTask({ ...done, id: `T00${n}`, proof: 'no proof' }))
    expect(attentionText(sampleState({ ...ended, tasks }))).toBe(
      '7 tasks without proof (T000, T001, T002, T003, T004 and 2 more)',
    )
  })
})
