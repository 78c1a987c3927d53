import { describe, expect, test } from 'vitest'
import { done, failed, unverified, ended } from '../../../test/kit/report-samples.ts'
import { sampleCheck, sampleConfig, sampleState, sampleVerdict } from '../../../test/kit/state.ts'
import { reportMd } from './report-md.ts'

describe('the evidence for the goal', () => {
  test('a completed run shows the evidence for the goal', () => {
    const text = reportMd(
      sampleState({
        ...ended,
        status: 'completed',
        tasks: [done],
        gate: { round: 1, checks: [sampleCheck({ task: null })], verdict: sampleVerdict({ summary: 'All there' }) },
      }),
    )
    expect(text.startsWith('# COMPLETED: Add authentication\n')).toBe(true)
    expect(text).toContain(
      '- Check `test` passed: exit 0 · 14 tests · 1.2 s\n- Judged met by supervisor (score 88): All there',
    )
    expect(text).not.toContain('What did not work')
  })

  test('the evidence of the last task proves the final tree when the gate had nothing to rerun', () => {
    const completed = { ...ended, status: 'completed', conclusion: { status: 'completed', reason: null } } as const
    const evidence = ['test', 'lint'].map((check) => ({ check, exitCode: 0, tree: 'abc', durationMs: 1_200 }))
    const last = { ...done, id: 'T009', evidence, endedAt: '2026-03-02T10:04:00.000Z' }
    const line = (check: string): string =>
      `- Check \`${check}\` passed on the final tree: exit 0 · 1.2 s · seen when T009 landed`
    expect(reportMd(sampleState({ ...completed, tasks: [last, done] }))).toContain(`${line('test')}\n${line('lint')}\n`)
    const untracked = [{ ...last, evidence: evidence.map((each) => ({ ...each, tree: null })) }]
    expect(reportMd(sampleState({ ...completed, tasks: untracked }))).not.toContain('on the final tree')
    expect(reportMd(sampleState({ ...ended, conclusion: null, status: 'paused', tasks: [last] }))).not.toContain(
      'on the final tree',
    )
  })

  test('F15: lists checks that the gate reran together with those already seen green', () => {
    const evidence = [
      { check: 'lint', exitCode: 0, tree: 'abc', durationMs: 1_200 },
      { check: 'test', exitCode: 1, tree: 'abc', durationMs: 1, noWorse: true as const },
    ]
    const gate = {
      round: 1,
      checks: [sampleCheck({ task: null, tree: 'abc', passed: false, exitCode: 1, excuse: 'no-worse' })],
      verdict: null,
    }
    const older = { ...done, id: 'T000', evidence: [{ check: 'lint', exitCode: 0, tree: 'old', durationMs: 1 }] }
    const text = reportMd(
      sampleState({
        ...ended,
        status: 'completed',
        gate,
        tasks: [{ ...done, evidence }, older],
        config: sampleConfig({ review: false }),
      }),
    )
    expect(text).toContain(
      [
        '- Check `test` **failed**, but no worse than before the first task: exit 1 · 14 tests · 1.2 s',
        '- Check `lint` passed on the final tree: exit 0 · 1.2 s · seen when T001 landed',
        '- No reviewer judged it: reviews are off.',
        '',
      ].join('\n'),
    )
    expect(text).not.toContain('T000 landed')
  })

  test.each<[string, Parameters<typeof sampleState>[0]]>([
    ['the run did not reach the gate', { status: 'failed', tasks: [failed] }],
    ['the run has not reached the gate yet', { status: 'running', conclusion: null }],
    [
      'the run did not reach the gate',
      { status: 'paused', conclusion: null, gate: { round: 1, checks: [sampleCheck()], verdict: sampleVerdict() } },
    ],
  ])('a goal that no judge examined is not verified: %s', (why, parts) => {
    const text = reportMd(sampleState({ ...ended, ...parts }))
    expect(text).toContain(`## The goal as a whole\n\n- Not verified: ${why}.\n`)
    expect(text).not.toContain('Judged')
  })

  test('with checks off, the report says why nothing is proved', () => {
    expect(
      reportMd(
        sampleState({
          ...ended,
          status: 'completed',
          tasks: [unverified],
          config: sampleConfig({ checks: [], review: false }),
        }),
      ),
    ).toContain(
      '## The goal as a whole\n\n- No check was run: checks are off.\n- No reviewer judged it: reviews are off.\n',
    )
  })
})

test('F12: a red check of the gate says why it does not block', () => {
  const gate = (excuse: 'flaky' | 'same-as-base' | 'no-worse'): string =>
    reportMd(
      sampleState({
        ...ended,
        status: 'completed',
        tasks: [done],
        gate: { round: 0, verdict: null, checks: [sampleCheck({ passed: false, exitCode: 1, excuse })] },
      }),
    )
  expect(gate('flaky')).toContain('- Check `test` **failed**, but it is flaky: exit 1')
  expect(gate('same-as-base')).toContain('- Check `test` **failed**, as it did before the first task: exit 1')
  expect(gate('no-worse')).toContain('- Check `test` **failed**, but no worse than before the first task: exit 1')
})
