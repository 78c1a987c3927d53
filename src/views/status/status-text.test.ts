import { describe, expect, test } from 'vitest'
import {
  sampleConfig,
  sampleFailure,
  sampleState,
  sampleTask,
  sampleTurn,
  type SampleState,
} from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import type { Health } from '../../model/convergence.ts'
import { raiseAndResume } from '../../model/resume-hint.ts'
import type { RunState } from '../../model/state.ts'
import { lsText } from './ls.ts'
import { ansiPaint } from '../text/paint.ts'
import { statusLine } from './status-line.ts'
import { statusText } from './status-text.ts'
import { statusView } from './status.ts'

const now = '2026-03-01T10:06:30.000Z'
const green = [
  { check: 'test', exitCode: 0, tree: null, durationMs: 1_200 },
  { check: 'lint', exitCode: 0, tree: null, durationMs: 300 },
]
const usage = { inputTokens: 1, outputTokens: 1, costUsd: 0.12 }
const tasks = [
  sampleTask({
    id: 'T001',
    title: 'Set up the module',
    status: 'done',
    attempts: 1,
    evidence: green,
    usage,
    commit: 'c1',
  }),
  sampleTask({ id: 'T002', title: 'Add the parser', status: 'doing', attempts: 2, fixCycles: 1, dependsOn: ['T001'] }),
  sampleTask({
    id: 'T003',
    title: 'Too big\u001B[2J\nfor one go',
    status: 'split',
    attempts: 3,
    children: ['T003.1'],
    reason: 'too big',
  }),
  sampleTask({
    id: 'T003.1',
    title: 'First half',
    status: 'failed',
    parent: 'T003',
    attempts: 3,
    reason: '\u001B]0;x\u0007no luck',
  }),
  sampleTask({ id: 'T004', title: 'Documentation', status: 'done', attempts: 1 }),
  sampleTask({
    id: 'T005',
    title: 'Deploy key',
    status: 'blocked',
    block: 'external',
    attempts: 1,
    reason: 'waiting for an answer to Q1',
    question: 'Q1',
  }),
  sampleTask({ id: 'T006', title: 'Release notes', dependsOn: ['T002', 'T005'] }),
  sampleTask({ id: 'T007', title: 'Not wanted', status: 'cancelled' }),
]
const questions = [
  {
    id: 'Q1',
    text: 'Which\nkey?',
    options: ['old', 'new'],
    default: null,
    blocks: ['T005'],
    origin: 'o',
    answer: null,
    by: null,
  },
]
const state = sampleState({
  tasks,
  questions,
  works: { a: { work: sampleTurn({ purpose: 'fix' }), at: now, starts: 1 } },
})

test('status of a running run', () => {
  expect(statusText(state, { live: true, now })).toMatchInlineSnapshot(`
    "001-add-auth
    state   running
    goal    Add authentication
    stage   execute · 2 of 6 tasks done
    now     T002 fixing
    time    6m 30s · started 2026-03-01 10:00 UTC
    spent   $0.42 of $25.00 · 4 turns
    branch  looper/001-add-auth

    ✓ T001      Set up the module   test ✓, lint ✓ · $0.12
    ● T002      Add the parser      attempt 2 · fix 1
    ⑂ T003      Too big for one go  split into T003.1
      too big
      ✗ T003.1  First half          failed · 3 attempts
        no luck
    ✓ T004      Documentation       unverified
    ⏸ T005      Deploy key          blocked
      waiting for an answer to Q1
    ○ T006      Release notes       after T002, T005
    – T007      Not wanted          skipped

    ? Q1 Which key?
         holds up: T005
         options:  old | new
         answer:   looper answer Q1 "…" --run 1

    next
      looper attach 1  shows it; Ctrl-C there leaves it running
      looper stop 1    stops it; nothing is lost
    "
  `)
})

test('a crashed run says so, counts no time after its last event and says how to resume', () => {
  const text = statusText(state, { live: false, now })
  expect(text).toContain('state   crashed')
  expect(text).toContain('5m 00s')
  expect(text).toContain('looper resume 1')
})

test('a paused run shows the reason and what to do', () => {
  const pause = { kind: 'limit', detail: 'the limit of $25 is reached', ...raiseAndResume('--cost 50') } as const
  const paused = sampleState({ status: 'paused', reason: pause.detail, pause, activeSince: null, elapsedMs: 90_000 })
  expect(statusText(paused, { live: false, now })).toMatchInlineSnapshot(`
      "001-add-auth
      state   paused · the limit of $25 is reached
      goal    Add authentication
      stage   execute
      time    1m 30s · started 2026-03-01 10:00 UTC
      spent   $0.42 of $25.00 · 4 turns
      branch  looper/001-add-auth

      next
        looper resume 1 --cost 50  raises it and continues
      "
    `)
})

test('a run paused on a question shows each command once, and sees an answer that is not yet applied', () => {
  const pause = {
    kind: 'question',
    detail: 'waiting for an answer to Q1: Which key?',
    hint: 'looper answer Q1 "<answer>" && looper resume',
  } as const
  const paused = sampleState({ status: 'paused', pause, questions, tasks })
  const open = statusText(paused, { live: false, now })
  expect(open.match(/looper answer/g)).toHaveLength(1)
  expect(open.match(/looper resume/g)).toHaveLength(1)
  const answered = questions.map((question) => ({ ...question, answer: 'old', by: 'person' as const }))
  const text = statusText({ ...paused, questions: answered }, { live: false, now })
  expect(text).toContain('state   paused · Q1 is answered\n')
  expect(text).toContain('next\n  looper resume 1  continues it: Q1 is answered\n  looper diff')
  expect(text).not.toContain('looper answer')
  expect(text.match(/looper resume/g)).toHaveLength(1)
})

test('a run without landed changes offers nothing to review or merge', () => {
  for (const status of ['paused', 'failed', 'aborted', 'completed'] as const) {
    const open = tasks.map((task) => ({ ...task, commit: null }))
    for (const none of [[], open])
      expect(statusText(sampleState({ status, tasks: none }), { live: false, now })).not.toMatch(
        /looper (?:diff|apply|discard)/,
      )
    expect(statusText(sampleState({ status, tasks }), { live: false, now })).toContain('looper diff')
  }
})

test('a completed run that nothing proves is yellow and says so', () => {
  const shown = (evidence: typeof green): string =>
    statusText(sampleState({ status: 'completed', tasks: [sampleTask({ id: 'T001', status: 'done', evidence })] }), {
      live: false,
      now,
      paint: ansiPaint,
    })
  expect(shown([])).toContain('\u001B[33mcompleted · unverified\u001B[39m')
  expect(shown(green)).toContain('\u001B[32mcompleted\u001B[39m\n')
})

test('an applied or discarded run is not offered again', () => {
  const applied = { commit: '0123456789abcdef', onto: 'main', at: now }
  const shown = (status: RunState['status'], changes: Partial<Pick<RunState, 'applied' | 'discardedAt'>>): string =>
    statusText(sampleState({ status, tasks, ...changes }), { live: false, now })
  expect(shown('completed', { applied })).toMatch(/state {3}completed · applied to main at 01234567\n/)
  expect(shown('completed', { applied })).not.toContain('looper apply')
  expect(shown('completed', { applied })).toContain('looper discard')
  for (const status of ['paused', 'failed', 'aborted', 'completed', 'running'] as const) {
    const text = shown(status, { discardedAt: now })
    expect(text).toMatch(/state {3}.* · discarded\n/)
    expect(text).not.toMatch(/looper (?:diff|apply|discard|resume)|branch/)
  }
  expect(shown('completed', { applied, discardedAt: now })).toContain('applied to main at 01234567 · discarded\n')
})

test('in place there is nothing to apply or discard', () => {
  const config = sampleConfig({ workspace: { mode: 'in-place', setup: null, copy: [], commit: false } })
  const text = statusText(sampleState({ status: 'completed', config, tasks }), { live: false, now })
  expect(text).not.toMatch(/apply|discard/)
})

test('colour changes only the colour', () => {
  const painted = statusText(state, { live: true, now, paint: ansiPaint })
  expect(painted).toContain('\u001B[32m✓\u001B[39m')
  expect(painted.replaceAll('\u001B', '').replace(/\[\d+m/g, '')).toBe(statusText(state, { live: true, now }))
})

test('the list of tasks', () => {
  expect(lsText(state)).toBe(`${statusText(state, { live: true, now }).split('\n\n')[1]}\n`)
  expect(lsText(sampleState())).toBe('001-add-auth has no tasks yet.\n')
})

test('the live line keeps its numbers and its width', () => {
  expect(statusLine(state, now, 120)).toBe(
    '● T002 fixing · 2/6 done · 1 failed · 1 to answer · 6m 30s of 2h 00m · $0.42 of $25.00',
  )
  for (const width of [10, 40, 60, 80, 200]) expect(statusLine(state, now, width).length).toBeLessThanOrEqual(width)
  expect(statusLine(state, now, 70)).toContain('2/6 done · 1 failed · 1 to answer')
  const stopping = sampleState({ stage: 'gate', request: 'stop' })
  expect(statusLine(stopping, now, 80)).toBe('● asked to stop · 6m 30s of 2h 00m · $0.42 of $25.00')
})

test('a failure of an attempt does not make a finished task look failed', () => {
  const done = sampleTask({
    id: 'T001',
    status: 'done',
    attempts: 2,
    failures: [sampleFailure()],
    evidence: green,
    reason: null,
  })
  expect(lsText(sampleState({ tasks: [done] }))).toMatchInlineSnapshot(`
    "✓ T001  Title of T001  test ✓, lint ✓ · 2 attempts
    "
  `)
})

describe('C6: the process of a run', () => {
  const holder = { pid: 77, heartbeatAt: '2026-03-01T10:06:25.000Z' }
  const late = { pid: 77, heartbeatAt: '2026-03-01T09:01:00.000Z' }

  test('is shown with the age of its heartbeat; a late heartbeat is no crash', () => {
    expect(statusText(state, { live: true, holder, now })).toContain('\nprocess pid 77 · heartbeat 5s ago\n')
    expect(statusText(state, { live: true, holder: late, now })).toMatch(
      /\nstate {3}running\n[^]*\nprocess pid 77 · heartbeat 1h ago, which is late\n/,
    )
    expect(statusView(state, { live: true, holder: late })).toMatchObject({
      status: 'running',
      pid: 77,
      heartbeatAt: late.heartbeatAt,
    })
  })

  test('that has ended is not shown', () => {
    expect(statusText(state, { live: false, holder, now })).not.toContain('pid')
    expect(statusView(state, { live: false, holder })).toMatchObject({
      status: 'crashed',
      pid: null,
      heartbeatAt: null,
      session: null,
    })
    expect(statusView(state, { live: true })).toMatchObject({ pid: null, heartbeatAt: null })
  })
})

test('C6: a broken session says so first, in exactly these lines', () => {
  const stage = {
    name: 'polish',
    stage: 'polish',
    description: '',
    prompt: '',
    completion: { kind: 'fixed-n' as const },
    minIterations: 1,
    runs: 25,
    delaySeconds: 0,
    agent: null,
    model: null,
    perspectives: [],
    outputParse: [],
    checks: true,
  }
  const loop = {
    stage: 0,
    wave: 0,
    iterations: 4,
    tries: 0,
    succeeded: 4,
    failures: 0,
    blocked: 0,
    agreed: 0,
    stop: false,
    failure: null,
    base: null,
    tree: null,
    checks: [],
    endedAt: null,
    landed: 0,
    verified: 0,
    entries: [],
    patterns: [],
    outputs: {},
  }
  const session = { ...state, session: 'auth', pipeline: { name: 'p', description: '', stages: [stage] }, loop }
  const lines = (of: RunState, live: boolean): string[] => statusText(of, { live, now }).split('\n').slice(0, 5)
  expect(lines(session, false)).toEqual([
    "Session 'auth' failed at iteration 5/25",
    'Last successful iteration: 4',
    'Error: the process ended unexpectedly',
    'Run with --resume to continue from iteration 5',
    '',
  ])
  const failed = { ...session, status: 'failed' as const, pause: null, reason: 'no \u001B[2Jluck' }
  expect(lines(failed, false)[2]).toBe('Error: no luck')
  expect(lines(session, true)[0]).toBe('001-add-auth')
  expect(lines({ ...failed, session: null }, false)[0]).toBe('001-add-auth')
})

describe('E7 E8 F12: a run in trouble', () => {
  const head = (of: SampleState): string[] =>
    statusText(sampleState({ ...state, tasks: Object.values(state.tasks), works: {}, ...of }), {
      live: false,
      now,
    }).split('\n')
  const row = (name: string, of: SampleState): string | undefined => head(of).find((line) => line.startsWith(name))
  const trouble = (health: Health, evidence: string): SampleState => ({
    convergence: { ...initialConvergence(), health, evidence },
  })
  const kept = (...ids: string[]): SampleState => ({
    checkpoints: ids.map((id) => ({ id, commit: id, wave: 1, landings: 1, passing: [], ref: '' })),
  })
  const back = { id: 'A1', title: '', tried: '', evidence: '', why: '', tasks: [], files: [] }

  test('a healthy run has no such rows', () => {
    expect(head({}).filter((line) => /^(?:health|checks|kept)/.test(line))).toEqual([])
  })

  test('shows the verdict of the monitor with its evidence, unless the state already says it', () => {
    expect(row('health', { ...trouble('BLOCKED', 'T001: \u001B[2Jno key'), status: 'paused' })).toBe(
      'health  BLOCKED · T001: no key',
    )
    expect(
      row('health', {
        ...trouble('STALLED', 'the same failure 3 times'),
        status: 'failed',
        reason: 'STALLED: the same failure 3 times',
      }),
    ).toBe('health  STALLED')
  })

  test('lists checks that prove nothing', () => {
    const baseline = {
      tree: null,
      checks: [
        { check: 'test', passed: false, failing: null, fingerprint: null },
        { check: 'ok', passed: true, failing: null, fingerprint: null },
      ],
    }
    const flaky = { lint: { check: 'lint', runs: 2, passed: 1, task: null } }
    expect(row('checks', { baseline, flaky })).toBe('checks  red before the first task: test · flaky: lint')
    const config = sampleConfig({ checks: [{ name: 'test', run: 'npm test' }] })
    const fixes = [sampleTask({ id: 'T001', repairs: ['test', 'tset'] }), sampleTask({ id: 'T002', repairs: ['test'] })]
    expect(row('checks', { config, tasks: fixes })).toBe('checks  no such check to repair: tset (T001)')
    expect(statusView({ ...state, baseline, flaky })).toMatchObject({ redOnBase: ['test'], flakyChecks: ['lint'] })
  })

  test('lists the checkpoints and the number of rollbacks', () => {
    expect(row('kept', kept('C1'))).toBe('kept    checkpoint C1')
    expect(row('kept', { ...kept('C1', 'C2', 'C3', 'C4', 'C5', 'C6', 'C7'), antiPatterns: [back, back] })).toBe(
      'kept    checkpoints C3, C4, C5, C6, C7 and 2 before',
    )
    expect(row('stage', { antiPatterns: [back, back] })).toBe('stage   execute · 2 of 6 tasks done · rolled back twice')
  })

  test('the bootstrap comes first, and a resting attempt is not shown as running', () => {
    const tasks = [
      sampleTask({ id: 'T001', status: 'doing', attempts: 2 }),
      sampleTask({ id: 'T000', status: 'done', evidence: green }),
    ]
    expect(lsText(sampleState({ tasks })).split('\n').slice(0, 2)).toEqual([
      '✓ T000  Title of T000  test ✓, lint ✓',
      '● T001  Title of T001  attempt 2',
    ])
    expect(lsText(sampleState({ tasks, status: 'paused' }))).toContain(
      '○ T001  Title of T001  attempt 2 continues with the run',
    )
  })

  test('a long row continues below its start', () => {
    const state = sampleState({ status: 'paused', reason: 'a b '.repeat(30), goal: 'x' })
    expect(
      statusText(state, { live: false, now, width: 60 })
        .split('\n')
        .slice(1, 4)
        .every((line) => line.length <= 60),
    ).toBe(true)
    expect(statusText(state, { live: false, now })).toContain(`state   paused · ${'a b '.repeat(30).trim()}\n`)
  })

  test('evidence from a check that is not green says so', () => {
    const evidence = [
      { check: 'unit', exitCode: 1, tree: null, durationMs: 1, noWorse: true as const },
      { check: 'lint', exitCode: 0, tree: null, durationMs: 1, flaky: true as const },
    ]
    expect(lsText(sampleState({ tasks: [sampleTask({ id: 'T001', status: 'done', evidence })] }))).toContain(
      'unit no worse than before, lint ✓ (flaky)',
    )
  })
})
