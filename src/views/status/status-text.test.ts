import { expect, test } from 'vitest'
import { sampleConfig, sampleFailure, sampleState, sampleTask } from '../../../test/kit/state.ts'
import { green, now, questions, state, tasks } from '../../../test/kit/status-samples.ts'
import { raiseAndResume } from '../../model/resume-hint.ts'
import type { RunState } from '../../model/state.ts'
import { ansiPaint } from '../text/paint.ts'
import { lsText } from './ls.ts'
import { statusLine } from './status-line.ts'
import { statusText } from './status-text.ts'

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

test('color changes only the color', () => {
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
