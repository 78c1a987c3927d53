import { describe, expect, test } from 'vitest'
import { sampleConfig, sampleState, sampleTask, type SampleState } from '../../../test/kit/state.ts'
import { green, now, state } from '../../../test/kit/status-samples.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import type { Health } from '../../model/convergence.ts'
import type { RunState } from '../../model/state.ts'
import { lsText } from './ls.ts'
import { statusText } from './status-text.ts'
import { statusView } from './status.ts'

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

  test('does not call a run blocked whose question is answered or whose blocked task is open again', () => {
    const asked = { id: 'Q1', text: 'Which?', options: [], default: null, blocks: ['T001'], origin: 'o' }
    const waiting: SampleState = {
      ...trouble('BLOCKED', 'T001: waiting for an answer to Q1'),
      status: 'paused',
      pause: { kind: 'question', detail: 'waiting for an answer to Q1', hint: '' },
      questions: [{ ...asked, answer: null, by: null }],
    }
    const answered = { ...waiting, questions: [{ ...asked, answer: 'this', by: 'person' as const }] }
    expect(row('health', waiting)).toBe('health  BLOCKED · T001: waiting for an answer to Q1')
    expect(row('health', answered)).toBeUndefined()
    const resumed = sampleState({ ...trouble('BLOCKED', 'T001: no key'), tasks: [sampleTask({ id: 'T001' })] })
    expect(statusText(resumed, { live: true, now })).not.toContain('BLOCKED')
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
    const reason = `${'it may be done already, '.repeat(3)}looper task skip T001 --run 001-add-auth`
    const failed = sampleState({ run: '001-add-auth', tasks: [sampleTask({ id: 'T001', status: 'failed', reason })] })
    expect(lsText(failed)).toContain('looper task skip T001 --run 1\n')
    const crashed = statusText(sampleState({ tasks }), { live: false, now })
    expect(crashed).toContain('○ T001  Title of T001  attempt 2 continues with the run')
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
