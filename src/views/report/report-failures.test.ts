import { describe, expect, test } from 'vitest'
import { ended } from '../../../test/kit/report-samples.ts'
import { sampleFailure, sampleState, sampleTask } from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import { excerpt } from './report-failures.ts'
import { reportMd } from './report-md.ts'

describe('failures in the report', () => {
  test('F15: a stalled run names the failed approaches, their agents and the failing tests', () => {
    const stack = [
      '  at rounds (file:///w/a.test.mjs:6:44)',
      '  Test.run (node:internal/test_runner/test:796:25)',
      '  at x (/w/node_modules/vitest/a.js:1:2)',
    ]
    const failure = {
      ...sampleFailure({ fingerprint: 'f', detail: ['$ test — exit 1', 'not ok 2 - rounds', ...stack].join('\n') }),
      failing: ['rounds', 'adds'],
      agent: 'bot',
    }
    const failures = [3, 4, 5, 6, 7].map((attempt) => ({ ...failure, attempt }))
    const open = sampleTask({ id: 'T002', attempts: 7, failures })
    const text = reportMd(
      sampleState({
        ...ended,
        status: 'failed',
        tasks: [
          open,
          sampleTask({
            ...open,
            id: 'T003',
            title: 'Title of T003',
            failures: [{ ...failure, attempt: 1, detail: `${failure.detail}\nafter 12 ms` }],
          }),
        ],
        baseline: { tree: null, checks: [{ check: 'test', passed: false, failing: ['adds'], fingerprint: null }] },
        convergence: {
          ...initialConvergence(),
          history: [
            { wave: 3, health: 'STALLED', evidence: 'the same failure 3 times' },
            { wave: 3, health: 'STALLED', evidence: 'the same failure 3 times', recovery: { n: 1, tasks: ['T002'] } },
            { wave: 4, health: 'PROGRESSING', evidence: null },
          ],
        },
      }),
    )
    expect(text).toContain(
      [
        '## What did not work',
        '',
        '- **T002** Title of T002: check test failed (exit 1): rounds, and 1 that failed before',
        '',
        '```text',
        '$ test — exit 1',
        'not ok 2 - rounds',
        stack[0],
        '```',
        '',
        '- **T003** Title of T003: check test failed (exit 1): rounds, and 1 that failed before',
        '  - It printed the same as T002, but for times and paths',
        '',
      ].join('\n'),
    )
    expect(text).toContain(
      [
        '- Earlier attempts: in `events.jsonl`',
        '- Attempt 3 by bot failed: check test failed (exit 1): rounds, and 1 that failed before',
        '',
      ].join('\n'),
    )
    expect(text).toContain(
      [
        '## How it went',
        '',
        '- Wave 3: **STALLED**: the same failure 3 times',
        '- Wave 3: recovery 1 from STALLED: another approach to T002',
        '- Wave 4: the run made progress again',
        '',
      ].join('\n'),
    )
    expect(reportMd(sampleState({ tasks: [open] }))).not.toContain('What did not work')
  })

  test('F15: a long output is cut at a line; instructions for the agent are left out', () => {
    const long = Array.from({ length: 99 }, (_, n) => `line ${n}`)
    expect(excerpt(sampleFailure({ detail: long.join('\n') }))).toBe(['…', ...long.slice(-40)].join('\n'))
    expect(excerpt(sampleFailure({ detail: `${'x'.repeat(1_500)}\n${'y'.repeat(900)}` }))).toBe(`…\n${'y'.repeat(900)}`)
    const taken =
      'clean passed before T002 landed and fails since. Your change was taken back. What clean printed with it:\n'
    expect(excerpt(sampleFailure({ kind: 'regression', detail: taken }))).toBe('')
    expect(excerpt(sampleFailure({ kind: 'regression', detail: `${taken}a.txt is not clean` }))).toBe(
      'a.txt is not clean',
    )
  })
})
