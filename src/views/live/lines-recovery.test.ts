import { describe, expect, test } from 'vitest'
import { esc, evidence, shown, state } from '../../../test/kit/line-samples.ts'
import {
  sampleAttempt,
  sampleCheck,
  sampleFailure,
  sampleState,
  sampleTask,
  sampleVerdict,
} from '../../../test/kit/state.ts'
import type { Fact } from '../../model/event.ts'

describe('live lines', () => {
  test('E7 E8 F12: prints the health of the run and the recoveries', () => {
    const baseline = (check: string, passed: boolean, flaky?: { runs: number; passed: number }) => ({
      check,
      passed,
      failing: null,
      fingerprint: null,
      ...(flaky ? { flaky } : {}),
    })
    const antiPattern = {
      id: 'A1',
      title: 'x',
      tried: '',
      evidence: `T002 was ${esc}done and undone 2 times`,
      why: '',
      tasks: [],
      files: [],
    }
    const back = { type: 'rolled.back', from: 'a', why: 'FLIP-FLOPPING', landings: 1, kept: null, antiPattern } as const
    const checked = (overrides: Parameters<typeof sampleCheck>[0]) =>
      shown({ type: 'check.finished', ...sampleCheck({ passed: false, exitCode: 1, ...overrides }) })
    const racing = sampleState({
      tasks: [sampleTask({ id: 'T002', status: 'doing', racers: [sampleAttempt({ n: 2 })] })],
    })
    const lines = [
      shown({ type: 'baseline.taken', tree: null, checks: [baseline('test', true)] }),
      shown({ type: 'baseline.taken', tree: null, checks: [{ ...baseline('make', false), failing: null }] }),
      shown({ type: 'baseline.taken', tree: null, checks: [baseline('test', true), baseline('lint', true)] }),
      shown({
        type: 'baseline.taken',
        tree: null,
        checks: [baseline('test', false), baseline('lint', true, { runs: 2, passed: 1 })],
      }),
      checked({ excuse: 'flaky' }),
      checked({ excuse: 'same-as-base' }),
      checked({ excuse: 'no-worse' }),
      shown({ type: 'task.started', task: 'T002', attempt: 2, agent: 'codex', wave: 1, racer: 1 }),
      shown({ type: 'check.finished', ...sampleCheck({ attempt: 2 }) }, racing),
      shown(
        { type: 'attempt.fixing', task: 'T002', attempt: 2, fix: 1, failure: sampleFailure(), base: null, tree: null },
        racing,
      ),
      shown({ type: 'race.decided', task: 'T002', winner: 2, losers: [1, 3] }),
      shown({ type: 'proof.given', task: 'T002', attempt: 1, proved: false, files: [`a${esc}.test.ts`] }),
      shown({
        type: 'attempt.failed',
        task: 'T002',
        attempt: 1,
        failure: sampleFailure({ kind: 'conflict', summary: 'its change conflicts' }),
        next: 'retry',
      }),
      shown({ type: 'attempt.failed', task: 'T002', attempt: 1, failure: sampleFailure(), next: 'none' }),
      shown({
        type: 'task.undone',
        task: 'T002',
        why: 'culprit',
        failure: sampleFailure({ summary: 'lint passed before T002 landed and fails since' }),
        revert: 'a',
      }),
      shown({ type: 'health.changed', health: 'STALLED', evidence: `the same failure ${esc}3 times`, wave: 1 }),
      shown({ type: 'health.changed', health: 'PROGRESSING', evidence: null, wave: 2 }),
      shown({ type: 'recovery.begun', from: 'STALLED', n: 1, evidence: '', tasks: ['T002'] }),
      shown({ type: 'recovery.begun', from: 'REGRESSING', n: 2, evidence: '', tasks: [] }),
      shown({
        type: 'checkpoint.made',
        checkpoint: { id: 'C2', commit: '0123456789', wave: 1, landings: 1, passing: [], ref: '' },
      }),
      shown({ type: 'rollback.requested', to: state.base.commit, checkpoint: null }),
      shown({ type: 'rollback.withdrawn', why: `the branch is ${esc}checked out`, next: null }),
      shown({ ...back, to: 'a', checkpoint: 'C1', tasks: ['T001', 'T002'] }),
      shown({ ...back, to: state.base.commit, checkpoint: null, tasks: [] }),
      shown({ ...back, to: '0123456789', checkpoint: null, tasks: [], kept: 'refs/looper/001-x/set-aside/1' }),
      shown({
        ...back,
        to: 'a',
        checkpoint: 'C1',
        tasks: [],
        antiPattern: { ...back.antiPattern, evidence: '', why: 'a person rolled it back' },
      }),
      shown({ type: 'verdict.given', subject: { kind: 'wave', wave: 2 }, verdict: sampleVerdict() }),
      shown({
        type: 'task.finished',
        task: 'T002',
        status: 'done',
        reason: null,
        block: null,
        commit: null,
        summary: null,
        evidence: [...evidence, { check: 'unit', exitCode: 1, tree: null, durationMs: 1, noWorse: true }],
      }),
    ]
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "✓ base · test passes
      ! base · already red: make · only a check that turns green can prove a task
      ✓ base · test, lint pass
      ! base · already red: test · flaky: lint
        ! T002 · check test (task) · red, but it is flaky · 14 tests · 1.2 s
        ! T002 · check test (task) · red as on the base · 14 tests · 1.2 s
        ! T002 · check test (task) · no worse than the base · 14 tests · 1.2 s
      ● T002 Add parser · attempt 2 · codex · in a race
        ✓ T002 attempt 2 · check test (task) · 14 tests · 1.2 s
        ↻ T002 attempt 2 · fix 1 of 3 · check test failed (exit 1)
        ✓ T002 · attempt 2 won the race · 2 others kept aside
        ! T002 · no proof: no check shows that its new tests fail without its change · a.test.ts
        ✗ T002 · attempt 1 failed: its change conflicts · again, on the new run branch
        ✗ T002 · attempt 1 failed: check test failed (exit 1) · the others continue
      ↩ T002 will be done again · lint passed before T002 landed and fails since
      ● STALLED · the same failure 3 times
      ● PROGRESSING · the run makes progress again
      ↻ recovery 1 from STALLED · another approach to T002
      ↻ recovery 2 from REGRESSING
      · checkpoint C2 at 01234567
      · rollback to the base asked for
      ! not rolled back · the branch is checked out
      ↩ rolled back to C1 · T001, T002 to be done again · T002 was done and undone 2 times
      ↩ rolled back to the base · T002 was done and undone 2 times
      ↩ rolled back to 01234567 · T002 was done and undone 2 times · the old branch is kept as refs/looper/001-x/set-aside/1
      ↩ rolled back to C1 · a person rolled it back
      ✓ wave 2 approved · score 88 · Does what was asked.
      ✓ T002 done · 2 checks green · 1 check red, no worse than before · 41 s · $0.12"
    `)
  })

  test('F12: a red check names the failing tests and those that failed before', () => {
    const outcome = {
      kind: 'check',
      exitCode: 1,
      durationMs: 1,
      timedOut: false,
      started: true,
      tests: 3,
      tail: '',
      fingerprint: 'f',
      failing: ['rounds', 'adds'],
    } as const
    const judged = {
      ...state,
      ledger: { T002: { 'T002/a1/check0/1': { outcome: { ...outcome, failing: [...outcome.failing] }, at: '' } } },
    }
    const check = {
      type: 'check.finished',
      ...sampleCheck({ passed: false, exitCode: 1, fingerprint: 'f', tests: 3 }),
    } as const
    expect(shown(check, judged)).toBe('  ✗ T002 · check test (task) failed (exit 1): rounds, adds · 3 tests · 1.2 s')
    const baseline = (failing: string[]) => ({
      tree: null,
      checks: [{ check: 'test', passed: false, failing, fingerprint: null }],
    })
    expect(shown(check, { ...judged, baseline: baseline(['adds']) })).toContain(
      'failed (exit 1): rounds, and 1 that failed before ·',
    )
    expect(shown(check, { ...judged, baseline: baseline(['adds', 'rounds']) })).toContain(
      'failed (exit 1): rounds, adds, as before ·',
    )
    const unnamed = { ...check, fingerprint: 'g', tail: "calc.c:3:7: error: expected ';'\nmake: *** [all] Error 1" }
    expect(shown(unnamed, judged)).toContain("failed (exit 1): calc.c:3:7: error: expected ';' ·")
    expect(shown({ ...unnamed, hidden: true }, judged)).toContain('failed (exit 1) ·')
  })

  test('F15: a warning says what was weakened; a blocking finding is printed whole, with the fix it causes', () => {
    const weaker =
      'calc.test.mjs › subtracts: assertion weakened (assert.equal(sub(3, 2), 1) → assert.ok(true) cannot fail)'
    const found = {
      type: 'finding.raised',
      title: 'tests or checks were made weaker',
      task: 'T002',
      origin: 'T002/a1/inspect0',
    } as const
    expect(shown({ ...found, severity: 'WARNING', detail: `${weaker}\nb.test.js: test skipped` })).toBe(
      `  ⚑ T002 · WARNING tests or checks were made weaker: ${weaker} and 1 more`,
    )
    expect(shown({ ...found, severity: 'BLOCKER', detail: weaker })).toBeNull()
    expect(shown({ ...found, severity: 'BLOCKER', detail: weaker, origin: 'T002/a1/verify0' })).toContain(
      '⚑ T002 · BLOCKER',
    )
    const failure = sampleFailure({ kind: 'tamper', summary: `tests or checks were made weaker: ${weaker}` })
    expect(
      shown({ type: 'attempt.fixing', task: 'T002', attempt: 1, fix: 1, failure, base: null, tree: null }),
    ).toContain('cannot fail)')
    expect(shown({ type: 'attempt.failed', task: 'T002', attempt: 1, failure, next: 'retry' })).toContain(
      'cannot fail) · trying again',
    )
  })

  test.each<Fact>([
    { type: 'branch.audited', landings: 3, green: ['test'] },
    { type: 'proof.given', task: 'T002', attempt: 1, proved: true, files: ['a.test.ts'] },
  ])('$type, when all is well, is not worth a line', (fact) => expect(shown(fact)).toBeNull())
})
