import { describe, expect, test } from 'vitest'
import { esc, evidence, shown, state, usage } from '../../../test/kit/line-samples.ts'
import {
  sampleCheck,
  sampleFailure,
  sampleState,
  sampleTask,
  sampleTurn,
  sampleVerdict,
} from '../../../test/kit/state.ts'
import type { Fact } from '../../model/event.ts'
import type { Outcome, TurnOutcome } from '../../model/work.ts'

const turn = { kind: 'turn' as const, usage, durationMs: 1, sessionId: null, edited: [] }
const ok = (result: unknown): TurnOutcome => ({ ...turn, status: 'ok', result })
const plan = ok({ tasks: [{}, {}, {}, {}] })
const planned = sampleState({
  ledger: {
    plan: {
      'plan/r0': { outcome: plan, at: '', purpose: 'plan' },
      'plan/r0/review': { outcome: ok({ score: 82, tasks: [] }), at: '', purpose: 'review-plan' },
    },
  },
})
const waiting = { kind: 'wait', id: 'w', awaits: { kind: 'retry', question: 'plan/r0', nth: 1 } } as const
const finished = (id: string, outcome: Outcome, at = state): string | null =>
  shown({ type: 'work.finished', id, outcome }, at)

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
      ...(['failure', 'tree'] as const).map((repeated) =>
        shown({ type: 'attempt.failed', task: 'T002', attempt: 1, failure: sampleFailure(), next: 'retry', repeated }),
      ),
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
        ✗ T002 · attempt 1 failed: check test failed (exit 1) · no further fix, because the last ones did not change it · trying again (2 left)
        ✗ T002 · attempt 1 failed: check test failed (exit 1) · no fix, because the attempt before left the same files · trying again (2 left)
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
      '  ✗ T002 · attempt 3 failed: check test failed (exit 1) · set aside; it may be tried again at the end',
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
      shown({ type: 'work.lost', id: 'loop1.3/iterate', why: 'the engine that ran it ended' }),
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
        · T002 was stopped while building; resume repeats this step
        · T002 was stopped while building
        · T002 was stopped while checking
        · T002 is merged and checked again: T001 has landed
        ! wave 3 · interrupted, done again
        ! iteration 3 · working · interrupted, done again
        ! plan · reviewing · the agent ended without an answer: gone"
    `)
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
      ▶ 001-add-auth resumed · cost limit $50.00 · no turn limit
      · stop asked for
      · changed: cost limit $60.00
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
  ])('$type is not worth a line when another line says it', (fact) => expect(shown(fact)).toBeNull())
})
