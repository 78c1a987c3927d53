import { describe, expect, test } from 'vitest'
import {
  sampleAttempt,
  sampleCheck,
  sampleEvent,
  sampleFailure,
  sampleState,
  sampleTask,
  sampleTurn,
  sampleVerdict,
} from '../../../test/kit/state.ts'
import type { Fact } from '../../model/event.ts'
import type { Outcome, TurnOutcome } from '../../model/work.ts'
import { lineFor } from './lines.ts'

const esc = '\u001B[31m'
const usage = { inputTokens: 0, outputTokens: 0, costUsd: 0.12 }
const turn = { kind: 'turn' as const, usage, durationMs: 1, sessionId: null, edited: [] }
const ok = (result: unknown): TurnOutcome => ({ ...turn, status: 'ok', result })
const plan = ok({ tasks: [{}, {}, {}, {}] })
const state = sampleState({
  tasks: [
    sampleTask({
      id: 'T002',
      title: `Add${esc}\nparser`,
      status: 'doing',
      attempt: sampleAttempt(),
      attemptsLeft: 2,
      startedAt: '2026-02-28T10:04:19.000Z',
      tookMs: 41_000,
      usage,
    }),
  ],
})
const planned = sampleState({
  ledger: {
    plan: {
      'plan/r0': { outcome: plan, at: '', purpose: 'plan' },
      'plan/r0/review': { outcome: ok({ score: 82, tasks: [] }), at: '', purpose: 'review-plan' },
    },
  },
})
const waiting = { kind: 'wait', id: 'w', awaits: { kind: 'retry', question: 'plan/r0', nth: 1 } } as const
const shown = (fact: Fact, at = state): string | null => lineFor(sampleEvent(fact), at)
const finished = (id: string, outcome: Outcome, at = state): string | null =>
  shown({ type: 'work.finished', id, outcome }, at)
const evidence = [
  { check: 'test', exitCode: 0, tree: null, durationMs: 1 },
  { check: 'lint', exitCode: 0, tree: null, durationMs: 1 },
]

describe('live lines', () => {
  test('prints a task from start to end', () => {
    const end = { type: 'task.finished', task: 'T002', reason: null, block: null, commit: null, summary: null } as const
    const lines = [
      shown({ type: 'task.started', task: 'T002', attempt: 1, agent: 'claude', wave: 1 }),
      shown({ type: 'check.finished', ...sampleCheck() }),
      shown({ type: 'check.finished', ...sampleCheck({ passed: false, exitCode: 1 }) }),
      shown({ type: 'check.finished', ...sampleCheck({ passed: false, tests: 0, note: 'no test was executed' }) }),
      shown({
        type: 'check.finished',
        ...sampleCheck({
          passed: false,
          usable: false,
          check: `does it ${esc}work?`,
          note: 'cannot be run, so it does not count',
        }),
      }),
      shown({ type: 'check.finished', ...sampleCheck({ task: null, merged: true, check: 'lint', tests: null }) }),
      shown({
        type: 'attempt.fixing',
        task: 'T002',
        attempt: 1,
        fix: 1,
        failure: sampleFailure(),
        base: null,
        tree: null,
      }),
      shown({
        type: 'verdict.given',
        subject: { kind: 'task', task: 'T002', attempt: 1, round: 0 },
        verdict: sampleVerdict(),
      }),
      shown({
        type: 'verdict.given',
        subject: { kind: 'task', task: 'T002', attempt: 1, round: 0 },
        verdict: sampleVerdict({ approved: false, score: 45, level: 'correct', feedback: `No${esc} tests` }),
      }),
      shown({ type: 'attempt.failed', task: 'T002', attempt: 1, failure: sampleFailure(), next: 'retry' }),
      shown({ type: 'attempt.failed', task: 'T002', attempt: 3, failure: sampleFailure(), next: 'split' }),
      shown({ ...end, status: 'done', evidence }),
      shown({ ...end, status: 'done', evidence: [] }),
      shown({ ...end, status: 'failed', reason: 'gave up', evidence: [] }),
      shown({ ...end, status: 'blocked', reason: 'needs a key', block: 'external', evidence: [] }),
      shown({ ...end, status: 'split', evidence: [] }),
      shown(
        { ...end, status: 'split', evidence: [] },
        sampleState({ tasks: [sampleTask({ id: 'T002', status: 'split', children: ['T002.1', 'T002.2'] })] }),
      ),
      shown({ ...end, status: 'cancelled', evidence: [] }),
    ]
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "● T002 Add parser · attempt 1 · claude
        ✓ T002 · check test (task) · 14 tests · 1.2 s
        ✗ T002 · check test (task) failed (exit 1) · 14 tests · 1.2 s
        ✗ T002 · check test (task) failed (no test was executed) · 0 tests · 1.2 s
        – T002 · check does it work? (task) · cannot be run, so it does not count
        ✓ gate · check lint · 1.2 s
        ↻ T002 · fix 1 of 3 · check test failed (exit 1)
        ✓ T002 · accepted by the supervisor · score 88 · Does what was asked.
        ✗ T002 · not accepted by the supervisor · score 45 (needs correction) · No tests
        ✗ T002 · attempt 1 failed: check test failed (exit 1) · trying again (2 left)
        ✗ T002 · attempt 3 failed: check test failed (exit 1) · to be split
      ✓ T002 done · 2 checks green · 41 s · $0.12
      ✓ T002 done · unverified · 41 s · $0.12
      ✗ T002 failed: gave up · 41 s · $0.12
      ⏸ T002 blocked (external): needs a key
      ⑂ T002 split
      ⑂ T002 split into T002.1, T002.2
      – T002 skipped"
    `)
  })

  test('a failed task is not called final: the goal, a recovery or a resume may retry it', () => {
    const failed: Fact = { type: 'attempt.failed', task: 'T002', attempt: 3, failure: sampleFailure(), next: 'fail' }
    expect(shown(failed)).toBe(
      '  ✗ T002 · attempt 3 failed: check test failed (exit 1) · set aside until the other tasks have ended',
    )
    const last = { ...state, goalIteration: state.config.limits.goalIterations ?? 0 }
    expect(shown(failed, last)).toMatch(/ · no attempts left$/)
  })

  test('F16: racing attempts show no number of attempts left', () => {
    const failed: Fact = { type: 'attempt.failed', task: 'T002', attempt: 1, failure: sampleFailure(), next: 'retry' }
    const raced = { ...state, config: { ...state.config, race: { complex: 3 } } }
    expect(shown(failed, raced)).toBe('  ✗ T002 · attempt 1 failed: check test failed (exit 1) · trying again')
  })

  test('the plan and the goal', () => {
    const spec = sampleTask({ id: 'T003', title: `Use ${esc}it`, dependsOn: ['T002'] })
    const lines = [
      shown({ type: 'work.started', work: sampleTurn({ role: 'planner', purpose: 'plan', task: null }) }),
      shown({ type: 'plan.rejected', revision: 0, score: 40, feedback: `Too\n${esc}vague` }),
      shown({ type: 'plan.accepted', revision: 1, score: 82, why: 'approved' }, planned),
      shown({ type: 'plan.accepted', revision: 3, score: 55, why: 'skipped' }, planned),
      shown({ type: 'task.added', task: spec, origin: 'plan' }),
      shown({ type: 'work.started', work: sampleTurn({ role: 'planner', purpose: 'split', errors: ['bad'] }) }),
      shown({ type: 'task.reopened', tasks: ['T002', 'T003'], why: 'goal-iteration' }),
      shown({ type: 'stage.entered', stage: 'gate', conclusion: null }),
      shown({
        type: 'verdict.given',
        subject: { kind: 'goal', round: 1 },
        verdict: sampleVerdict({ approved: false, score: 20, level: 'refocus', feedback: '', summary: 'Half of it' }),
      }),
      shown({
        type: 'finding.raised',
        severity: 'WARNING',
        title: `tester ${esc}changed files`,
        detail: '',
        task: 'T002',
        origin: 'o',
      }),
      shown({
        type: 'decision.recorded',
        decision: {
          id: 'D1',
          title: `Use${esc} zod`,
          context: '',
          choice: 'yes',
          alternatives: [],
          dependsOn: [],
          invalidatedIf: null,
          task: 'T002',
          origin: 'o',
        },
      }),
      shown({
        type: 'question.asked',
        question: { id: 'Q1', text: `Which${esc}?`, options: [], default: null, blocks: [], origin: 'o' },
      }),
      shown({ type: 'question.answered', question: 'Q1', answer: `that${esc}`, by: 'default' }),
    ]
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "● planning · claude
      ↻ plan not accepted (score 40) · Too vague
      ✓ plan: 4 tasks accepted (score 82)
      ! plan: 4 tasks accepted (score 55) · although not approved: revisions are used up
        ○ T003 Use it · after T002
      ● splitting T002 · claude · asked again: the answer was invalid
      ↻ T002, T003 reopened (another goal iteration)
      ● gate: checking the whole result
      ✗ goal not met · score 20 (off track) · Half of it
        ⚑ T002 · WARNING tester changed files
        ◆ T002 · decided: Use zod → yes
      ? Q1 Which?
        looper answer Q1 "…" --run 001-add-auth
        Q1 answered by default: that"
    `)
  })

  test('trouble', () => {
    const error = {
      kind: 'usage_limit',
      message: `come${esc} back later`,
      resetsAt: '2026-03-01T11:00:00.000Z',
    } as const
    const conflict: Outcome = { kind: 'integrate', status: 'conflict', onto: 'abc', files: ['a.ts'], tree: 'both' }
    const candidate = { kind: 'integrate', status: 'merged', commit: 'abc', tree: 'x', onto: 'c0' } as const
    const lines = [
      finished('T002/a1/implement', { ...turn, status: 'error', error }),
      finished('T002/a1/implement', { ...turn, status: 'invalid', errors: [`no ${esc}JSON`], text: '' }),
      finished('T002/a1/merge0', {
        kind: 'integrate',
        status: 'conflict',
        onto: 'abc',
        files: [`a${esc}.ts`],
        tree: 'both',
      }),
      finished(
        'T002/a1/merge0',
        { ...conflict, stacked: true },
        { ...state, ledger: { T001: { 'T001/a1/merge0': { outcome: candidate, at: '' } } } },
      ),
      finished('T002/a1/merge0', conflict, {
        ...state,
        landings: [{ task: 'T001', commit: 'abc', wave: 1, met: 0, files: { 'a.ts': 'x' } }],
      }),
      finished('T002/a1/prepare', { kind: 'failure', code: 'WORKSPACE_SETUP', message: `npm ci${esc} failed` }),
      shown({ type: 'work.lost', id: 'T002/a1/implement', why: 'the process is gone' }),
      shown({ type: 'work.started', work: { ...waiting, until: '2026-03-01T11:00:00.000Z' } }),
      shown({ type: 'work.started', work: { ...waiting, until: '2026-03-01T12:00:00.000Z' } }),
      shown({ type: 'work.lost', id: 'T002/a1/implement', why: 'cancelled' }, sampleState({ request: 'stop' })),
      shown({ type: 'work.lost', id: 'T002/a1/implement', why: 'cancelled' }, sampleState({ request: 'abort' })),
      shown({ type: 'work.lost', id: 'T002/a1/check0/4.rerun1', why: 'not wanted any more' }),
      shown(
        { type: 'work.lost', id: 'T002/a1/check0/4.rerun1', why: 'cancelled' },
        { ...state, landings: [{ task: 'T001', commit: 'abc', wave: 1, met: 0, files: {} }] },
      ),
      shown({ type: 'work.lost', id: 'wave3/at2/1', why: 'the engine that did it is gone' }),
      shown({ type: 'work.lost', id: 'loop1.3/iterate', why: 'the engine that did it is gone' }),
      finished('plan/r0/review.retry', {
        ...turn,
        status: 'error',
        error: { kind: 'crash', message: 'gone', resetsAt: null },
      }),
    ]
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "  ! T002 · building · the agent has used up its quota: come back later · available again 2026-03-01 11:00 UTC
        ! T002 · building · gave an invalid answer: no JSON
        ! T002 · merging · conflicts with the run branch: a.ts
        ! T002 · merging · conflicts with the change of T001, which is about to land: a.ts
        ! T002 · merging · conflicts with what T001 landed: a.ts
        ✗ T002 · setting up · failed: npm ci failed (WORKSPACE_SETUP)
        ! T002 · building · lost: the process is gone
      ⏸ waiting until 2026-03-01 11:00 UTC · 55m 00s left
      ⏸ waiting until 2026-03-01 12:00 UTC
        · T002 was stopped while building; it starts again on resume
        · T002 was stopped while building
        · T002 was stopped while checking
        · T002 is merged and checked again: T001 has landed
        ! wave 3 · lost: the engine that did it is gone
        ! iteration 3 · working · lost: the engine that did it is gone
        ! plan · reviewing · the agent ended without an answer: gone"
    `)
  })

  test('F16: remaining work of an ended attempt prints no line', () => {
    expect(shown({ type: 'work.lost', id: 'T002/a2/check2/4.rerun1', why: 'it never started' })).toBeNull()
    const race = sampleState({
      tasks: [sampleTask({ id: 'T002', status: 'doing', attempt: sampleAttempt(), racers: [sampleAttempt({ n: 2 })] })],
    })
    expect(shown({ type: 'work.lost', id: 'T002/a2/check2/4', why: 'it never started' }, race)).toBe(
      '  ! T002 attempt 2 · checking · lost: it never started',
    )
  })

  test('E7: a question is printed with its options, and a task that waits for an answer is not shown as blocked', () => {
    const question = {
      id: 'Q1',
      text: 'How many digits?',
      options: ['2', `4${esc}`],
      default: null,
      blocks: ['T002'],
      origin: 'o',
    }
    expect(shown({ type: 'question.asked', question })).toBe(
      '? Q1 How many digits? (2 | 4)\n  looper answer Q1 "…" --run 001-add-auth',
    )
    const blocked = {
      type: 'task.finished',
      task: 'T002',
      status: 'blocked',
      block: 'external',
      commit: null,
      summary: null,
    } as const
    expect(shown({ ...blocked, evidence: [], reason: 'waiting for an answer to Q1', question: 'Q1' })).toBe(
      '⏸ T002 blocked: waiting for an answer to Q1',
    )
    expect(shown({ ...blocked, evidence: [], reason: 'needs a key' })).toBe('⏸ T002 blocked (external): needs a key')
  })

  test('the run', () => {
    const lines = [
      shown({
        type: 'run.paused',
        reason: { kind: 'limit', detail: 'the limit of $25 is reached', hint: 'looper resume --cost 50' },
      }),
      shown({ type: 'run.resumed', limits: { costUsd: 50, turns: null } }),
      shown({ type: 'stop.requested', how: 'stop' }),
      shown({ type: 'limits.changed', limits: { costUsd: 60 } }),
      shown({ type: 'run.ended', status: 'completed', reason: null }),
      shown(
        { type: 'run.ended', status: 'completed', reason: null },
        sampleState({ tasks: [sampleTask({ id: 'T001', status: 'done', evidence })] }),
      ),
      shown({ type: 'run.ended', status: 'failed', reason: `1 of 1 tasks${esc} failed` }),
      shown({ type: 'run.applied', commit: '0123456789abcdef', onto: `ma${esc}in` }),
      shown({ type: 'run.applied', commit: '0123456789abcdef', onto: null }),
      shown({ type: 'run.discarded', commit: null }),
    ]
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "⏸ paused: the limit of $25 is reached
        looper resume 001-add-auth --cost 50
      ▶ 001-add-auth resumed · costUsd 50, turns unlimited
      · stop asked for
      · limits: costUsd 60
      ! completed · unverified
        0 of 1 task done · 4 turns · 5m 00s · $0.42
      ✓ completed
        1 of 1 task done · 4 turns · 5m 00s · $0.42
      ✗ failed: 1 of 1 tasks failed
        0 of 1 task done · 4 turns · 5m 00s · $0.42
      ✓ applied to main at 01234567
      ✓ applied at 01234567
      – discarded"
    `)
  })

  test.each<Fact>([
    { type: 'work.started', work: sampleTurn() },
    { type: 'work.finished', id: 'x/y', outcome: plan },
    { type: 'wave.closed', wave: 1, tasks: [] },
    { type: 'task.reopened', tasks: [], why: 'resumed' },
    { type: 'budget.spent', work: 'x', usage },
    { type: 'stage.entered', stage: 'execute', conclusion: null },
    { type: 'verdict.given', subject: { kind: 'plan', revision: 0 }, verdict: sampleVerdict() },
  ])('$type is not worth a line when another line tells it', (fact) => expect(shown(fact)).toBeNull())

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
      shown({ type: 'task.started', task: 'T002', attempt: 2, agent: 'codex', wave: 1, lane: 1 }),
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
    expect(shown({ ...check, fingerprint: 'g' }, judged)).toContain('failed (exit 1) ·')
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
