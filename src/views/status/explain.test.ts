import { describe, expect, test } from 'vitest'
import { again, nothing, resting, stalled, stop, text } from '../../../test/kit/explained-runs.ts'
import { sampleState, sampleTask, sampleTurn } from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import { raiseAndResume, resumeAfter, resumeLater, resumeNow } from '../../model/resume-hint.ts'
import type { RunState } from '../../model/state.ts'
import type { Work } from '../../model/work.ts'
import { explain } from './explain.ts'
import { advice } from './next-steps.ts'

describe('looper doctor <run>', () => {
  test('E7: a stalled run: what was tried and what comes next', () => {
    expect(text(stalled, again)).toMatchInlineSnapshot(`
      "Why it is in this state
        001-add-auth has failed: STALLED after 2 recoveries: the same failure 5 times: test failed (exit 1).
        0 of 2 tasks done in 5 waves, 4 turns and 5m 00s.
        The monitor says STALLED.
        Tried so far: 2 recoveries from STALLED.
        T001 Title of T001: todo after 5 attempts · last failure: test failed (exit 1)
        What checks printed is in .looper/runs/001-add-auth/checks/.

      What it waits for
        T002 waits for T001.

      What comes next
        After \`looper resume\` it would begin attempt 6 at T001 with codex.

      What you can do
        looper report 1                shows what failed and why
        looper resume 1                retries it
        looper logs 1 --task T001      shows the output of its agents
        looper task skip T001 --run 1  skips it
      "
    `)
  })

  test('E7: a blocked run: the question first, and nothing twice', () => {
    const question = {
      id: 'Q1',
      text: 'Which database?',
      options: [],
      default: null,
      blocks: ['T001'],
      origin: 'o',
      answer: null,
      by: null,
    }
    const reason = {
      kind: 'question' as const,
      detail: 'waiting for an answer to Q1: Which database?',
      hint: 'Answer and go on: looper answer Q1 "…"',
    }
    const blocked = sampleState({
      ...stop,
      status: 'paused',
      pause: reason,
      questions: [question],
      tasks: [
        sampleTask({ id: 'T001', status: 'blocked', attempts: 1, reason: 'waiting for an answer to Q1' }),
        sampleTask({ id: 'T002', status: 'done' }),
      ],
      convergence: { ...initialConvergence(), health: 'BLOCKED', evidence: 'T001: waiting for an answer to Q1' },
    })
    expect(text(blocked, { facts: [{ type: 'run.paused', reason }], work: [] })).toMatchInlineSnapshot(`
      "Why it is in this state
        001-add-auth is paused: waiting for an answer to Q1: Which database?
        1 of 2 tasks done in 1 wave, 4 turns and 5m 00s.
        The monitor says BLOCKED: T001: waiting for an answer to Q1.
        T001 Title of T001: blocked after 1 attempt · waiting for an answer to Q1

      What it waits for
        An answer to Q1 (T001): Which database?

      What comes next
        After \`looper resume\` alone it would pause again, because an answer is missing.

      What you can do
        looper answer Q1 "…" --run 1  answers the question
        looper resume 1               continues it, once it is answered
      "
    `)
  })

  test('E7: a run at a limit: the command that raises it', () => {
    const reason = {
      kind: 'limit' as const,
      detail: 'the limit of 3 turns is reached',
      ...raiseAndResume('--turns <more>'),
    }
    const state = sampleState({ ...stop, status: 'paused', pause: reason })
    const { waits, next, commands } = explain(state, resting, { facts: [{ type: 'run.paused', reason }], work: [] })
    expect(waits).toEqual(['A higher limit.'])
    expect(next).toEqual(['After `looper resume` alone it would pause again: the limit of 3 turns is reached.'])
    expect(commands).toEqual([{ command: 'looper resume 001-add-auth --turns 8', what: 'raises it and continues' }])
  })

  test.each([
    [resumeAfter('Fix it'), 'Fix it.', 'continues it'],
    [resumeNow, null, 'continues it'],
    [resumeLater, null, 'continues it later'],
    [{ hint: 'Ask a colleague' }, 'Ask a colleague', 'continues it'],
    [resumeAfter('Log in to claude: claude login'), 'Log in to claude: claude login.', 'continues it'],
  ])('what a pause says is shown before the commands: %j', (hint, expected, what) => {
    const paused = sampleState({ ...stop, status: 'paused', pause: { kind: 'setup', detail: 'x', ...hint } })
    expect(advice(paused, resting)).toEqual({
      hint: expected,
      steps: [{ command: 'looper resume 001-add-auth', what }],
    })
  })

  test('E7: a question is shown with its options, and only if it blocks a task', () => {
    const question = {
      id: 'Q1',
      text: 'How many digits?',
      options: ['2', '4'],
      default: null,
      blocks: ['T003'],
      origin: 'o',
      answer: null,
      by: null,
    }
    const { waits } = explain(
      sampleState({
        ...stop,
        status: 'paused',
        questions: [question],
        tasks: [
          sampleTask({ id: 'T001', status: 'done' }),
          sampleTask({ id: 'T002', status: 'cancelled' }),
          sampleTask({ id: 'T003', status: 'blocked' }),
          sampleTask({ id: 'T004', status: 'split', children: ['T001'] }),
          sampleTask({ id: 'T005', dependsOn: ['T001', 'T002', 'T003', 'T004'], waitingOn: 1 }),
        ],
      }),
      resting,
      nothing,
    )
    expect(waits).toEqual(['An answer to Q1 (T003): How many digits? (2 | 4)', 'T005 waits for T003.'])
  })

  test('a live run: the running work and the next steps', () => {
    const live = sampleState({
      tasks: [sampleTask({ id: 'T002', status: 'doing', attempts: 1 })],
      works: { 'T002/a1/implement': { work: sampleTurn(), at: '', starts: 1 } },
      quotas: { 'codex/': '2026-03-01T12:00:00.000Z', 'gemini/pro': '2026-03-01T09:00:00.000Z' },
    })
    expect(
      text(
        live,
        { facts: [], work: [sampleTurn(), sampleTurn({ id: 'T003/a1/implement', task: 'T003', agent: 'codex' })] },
        { live: true },
      ),
    ).toMatchInlineSnapshot(`
      "Why it is in this state
        001-add-auth is running.
        0 of 1 task done in 1 wave, 4 turns and 5m 00s.

      What it waits for
        T002 building.
        codex is out of quota until 2026-03-01 12:00 UTC.

      What comes next
        It will run codex for T003: building.

      What you can do
        looper attach 1  shows it; Ctrl-C there leaves it running
        looper stop 1    stops it; nothing is lost
      "
    `)
  })

  test('a crashed run, and a run without tasks', () => {
    expect(explain(sampleState(), resting, nothing).why.slice(0, 2)).toEqual([
      '001-add-auth has crashed: its status is running, but no process runs it.',
      'It has no tasks yet, after 4 turns and 5m 00s.',
    ])
  })

  test('a failed run is not shown as progressing', () => {
    const before = { wave: 1, regressed: [], completed: [], worse: [] }
    const said = (status: RunState['status']): string[] =>
      explain(
        sampleState({ ...stop, status, convergence: { ...initialConvergence(), before } }),
        resting,
        nothing,
      ).why.filter((line) => line.includes('PROGRESSING'))
    expect([said('completed').length, said('paused').length, said('failed').length, said('aborted').length]).toEqual([
      1, 1, 0, 0,
    ])
  })

  test('the output of doctor does not recommend doctor', () => {
    const torn = sampleState({
      ...stop,
      status: 'paused',
      pause: {
        kind: 'health',
        detail: 'REGRESSING after 2 recoveries: x',
        ...resumeAfter('Change the plan or the limits'),
      },
    })
    const { waits, commands } = explain(torn, resting, nothing)
    expect(waits).toEqual(['Your decision. Change the plan or the limits.'])
    expect(commands.map(({ command }) => command)).toEqual(['looper resume 001-add-auth'])
    expect(advice(torn, resting).steps).toEqual([
      { command: 'looper doctor 001-add-auth', what: 'explains why' },
      { command: 'looper resume 001-add-auth', what: 'continues it' },
    ])
  })

  test('every kind of work has a description that is not empty', () => {
    const step = { kind: 'land', commit: 'a', onto: 'b' } as const
    const works: Work[] = [
      sampleTurn(),
      {
        kind: 'check',
        id: 'a',
        workspace: 'T001',
        task: 'T001',
        name: 'test',
        run: { shell: 'x' },
        timeoutMs: 1,
        tree: null,
      },
      { kind: 'prepare', id: 'a', workspace: 'T001' },
      { kind: 'inspect', id: 'a', workspace: 'T001', base: null, restore: null },
      { kind: 'integrate', id: 'a', workspace: 'T001', task: 'T001', title: '', base: null, step },
      {
        kind: 'integrate',
        id: 'b',
        workspace: 'main',
        task: 'T003',
        title: '',
        base: null,
        step: { kind: 'revert', commit: 'a' },
      },
      { kind: 'overlay', id: 'a', how: 'proof', base: 'a', tree: 'b' },
      { kind: 'checkpoint', id: 'a', name: 'C2', commit: 'a', passing: [] },
      { kind: 'rollback', id: 'a', from: 'a', to: 'b' },
      { kind: 'wait', id: 'a', until: '2026-03-01T12:00:00.000Z', awaits: { kind: 'delay' } },
      { kind: 'finish', id: 'a' },
    ]
    expect(
      explain(stalled, resting, { facts: [], work: works }).next.map((line) =>
        line.replace('After `looper resume` it would ', ''),
      ),
    ).toMatchInlineSnapshot(`
      [
        "run claude for T002: building.",
        "run the check test for T001.",
        "set up a workspace.",
        "inspect the changes.",
        "merge for T001.",
        "revert the change of T003.",
        "try the new tests without the change.",
        "keep the checkpoint C2.",
        "roll back.",
        "wait until 2026-03-01 12:00 UTC.",
        "finish.",
      ]
    `)
  })
})

test('times are in the zone of the reader', () => {
  const state = sampleState({ ...stop, status: 'paused', quotas: { 'codex/': '2026-03-01T12:00:00.000Z' } })
  const wait: Work = { kind: 'wait', id: 'a', until: '2026-03-01T12:00:00.000Z', awaits: { kind: 'delay' } }
  const { waits, next } = explain(state, resting, { facts: [], work: [wait] }, () => 120)
  expect(waits.join()).toContain('until 2026-03-01 14:00 +02:00')
  expect(next.join()).toContain('until 2026-03-01 14:00 +02:00')
})
