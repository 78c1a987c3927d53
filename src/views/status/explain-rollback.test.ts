import { describe, expect, test } from 'vitest'
import { again, nothing, red, resting, stalled, stop, text } from '../../../test/kit/explained-runs.ts'
import { sampleState, sampleTask } from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import { resumeNow } from '../../model/resume-hint.ts'
import { explain } from './explain.ts'

describe('looper doctor <run>', () => {
  test('E8: a stalled run: the checkpoint to restart from, and the failing tests', () => {
    const checkpoints = [{ id: 'C1', commit: 'c', wave: 1, landings: 0, passing: [], ref: '' }]
    const tests = [{ ...red, attempt: 5, agent: 'mine', failing: ['rounds'] }]
    const { why, commands } = explain(
      { ...stalled, checkpoints, tasks: { T001: sampleTask({ id: 'T001', failures: tests }) } },
      resting,
      nothing,
    )
    expect(why).toContain('T001 Title of T001: todo after 0 attempts · last failure: test failed (exit 1) · rounds')
    expect(commands.at(-1)).toEqual({
      command: 'looper fork 001-add-auth --at C1 --agent <name>',
      what: 'continues from there with another agent',
    })
    expect(explain({ ...stalled, discardedAt: 'x' }, resting, again)).toMatchObject({
      next: [],
      commands: [{ command: 'looper report 001-add-auth' }],
    })
  })

  test('E8: a run that a person rolled back: the rollback', () => {
    const antiPattern = {
      id: 'A1',
      title: '',
      tried: '',
      evidence: '',
      why: 'a person rolled it back',
      tasks: ['T002'],
      files: [],
    }
    expect(text(sampleState({ ...stop, status: 'paused', antiPatterns: [antiPattern] }))).toContain(
      'Rolled back: T002; a person rolled it back.\n',
    )
  })

  test('E8: a run that was rolled back: what and why', () => {
    const back = sampleState({
      ...stop,
      status: 'paused',
      reason: 'rolled back to C1',
      pause: { kind: 'user', detail: 'rolled back to C1', ...resumeNow },
      tasks: [
        sampleTask({ id: 'T001', status: 'done' }),
        sampleTask({ id: 'T002', attempts: 2, falls: 2, failures: [red] }),
      ],
      convergence: { ...initialConvergence(), before: { wave: 1, regressed: [], completed: [], worse: [] } },
      antiPatterns: [
        {
          id: 'A1',
          title: 'T002 as it was tried',
          tried: '',
          evidence: 'T002 was done and undone 2 times',
          why: 'to and fro',
          tasks: ['T002'],
          files: [],
          kept: 'refs/looper/001-add-auth/set-aside/1',
        },
      ],
    })
    expect(text(back)).toMatchInlineSnapshot(`
      "Why it is in this state
        001-add-auth is paused: rolled back to C1.
        1 of 2 tasks done in 1 wave, 4 turns and 5m 00s.
        The monitor says PROGRESSING: it sees no trouble.
        T002 Title of T002: todo after 2 attempts · undone twice since it was first done · last failure: test failed (exit 1)
        What checks printed is in .looper/runs/001-add-auth/checks/.
        Rolled back because of T002: T002 was done and undone 2 times.
        The old branch is kept as refs/looper/001-add-auth/set-aside/1.

      What it waits for
        Your decision.

      What you can do
        looper resume 1  continues it
      "
    `)
  })

  test('F12 F14: the quality of its checks', () => {
    const shaky = sampleState({
      ...stop,
      status: 'completed',
      tasks: [sampleTask({ id: 'T001', status: 'done' })],
      baseline: {
        tree: null,
        checks: [
          { check: 'test', passed: false, failing: ['old'], fingerprint: null },
          { check: 'lint', passed: true, failing: null, fingerprint: null },
        ],
      },
      flaky: { lint: { check: 'lint', runs: 3, passed: 1, task: null } },
    })
    expect(explain(shaky, resting, nothing).why).toMatchInlineSnapshot(`
      [
        "001-add-auth is completed.",
        "1 of 1 task done in 1 wave, 4 turns and 5m 00s.",
        "Red before the first task: test. A task must not make that worse.",
        "lint is flaky: it passed in 1 of 3 runs on the same tree. When it fails again, no agent is asked to fix it.",
      ]
    `)
    expect(explain(sampleState({ config: { ...shaky.config, checks: [] } }), resting, nothing).why).toContain(
      'No checks are configured: nothing is verified.',
    )
  })
})
