import { describe, expect, test } from 'vitest'
import {
  outsideFences,
  sampleCheck,
  sampleConfig,
  sampleFailure,
  sampleState,
  sampleTask,
  sampleVerdict,
} from '../../test/kit/state.ts'
import { initialConvergence } from '../core/state/waves.ts'
import { planMd } from './plan-md.ts'
import { progressMd } from './progress-md.ts'
import { proofOf } from './proof.ts'
import { excerpt } from './report-failures.ts'
import { reportMd } from './report-md.ts'

const green = [{ check: 'test', exitCode: 0, tree: null, durationMs: 1_200 }]
const times = { startedAt: '2026-03-01T10:01:00.000Z', endedAt: '2026-03-01T23:59:41.000Z', tookMs: 41_000 }
const done = sampleTask({
  id: 'T001',
  title: 'Add the parser',
  status: 'done',
  attempts: 2,
  fixCycles: 1,
  ...times,
  evidence: green,
  verdict: sampleVerdict(),
  criteria: ['`npm test` passes', 'Errors name the line', 'npm test passes in under a second'],
  commit: 'abcdef1234567890',
  failures: [sampleFailure({ kind: 'verdict', summary: 'the supervisor rejected it (score 45, correct): no tests' })],
  usage: { inputTokens: 5, outputTokens: 5, costUsd: 0.12 },
})
const unverified = sampleTask({
  id: 'T002',
  title: 'Documentation',
  status: 'done',
  attempts: 1,
  ...times,
  criteria: ['README tells it'],
})
const hostileTitle = '</p>\n# OWNED\n```\n| a |\n![x](http://evil)\u001B[2J'
const failed = sampleTask({
  id: 'T003',
  title: hostileTitle,
  status: 'failed',
  attempts: 3,
  ...times,
  criteria: [hostileTitle],
  reason: hostileTitle,
  failures: [sampleFailure({ detail: '```\n# not a heading\n```' })],
})
const ended = {
  stage: 'report',
  conclusion: { status: 'completed', reason: null },
  activeSince: null,
  elapsedMs: 300_000,
  endedAt: '2026-03-01T10:05:00.000Z',
} as const
const tasks = [done, unverified, failed]

describe('report.md', () => {
  test('a failed run starts with that and why', () => {
    const text = reportMd(
      sampleState({
        ...ended,
        status: 'failed',
        reason: '1 of 3 tasks failed: T003',
        tasks,
        decisions: [
          {
            id: 'D1',
            title: 'Hand-written parser',
            context: 'No dependency wanted',
            choice: 'recursive descent',
            alternatives: [{ option: 'a generator', why: 'heavy' }],
            dependsOn: [],
            invalidatedIf: 'the grammar grows',
            task: 'T001',
            origin: 'o',
          },
        ],
        questions: [
          {
            id: 'Q1',
            text: 'Which grammar?',
            options: [],
            default: 'v1',
            blocks: [],
            origin: 'o',
            answer: 'v1',
            by: 'default',
          },
          { id: 'Q2', text: 'And then?', options: [], default: null, blocks: [], origin: 'o', answer: null, by: null },
        ],
        findings: [
          { severity: 'WARNING', title: 'tester changed files', detail: 'Put back: a.ts', task: 'T001', origin: 'o' },
        ],
      }),
    )
    expect(text.startsWith('# FAILED: Add authentication\n\n**Why:** 1 of 3 tasks failed: T003\n')).toBe(true)
    expect(text).toMatchInlineSnapshot(`
      "# FAILED: Add authentication

      **Why:** 1 of 3 tasks failed: T003

      Run \`001-add-auth\` · 2 of 3 tasks done · **1 unverified** · **1 failed**

      ## What was asked

      \`\`\`text
      Add authentication
      \`\`\`

      ## What did not work

      - **T003** &lt;/p> # OWNED \\\`\\\`\\\` \\| a \\| !\\[x\\](http://evil): &lt;/p> # OWNED \\\`\\\`\\\` \\| a \\| !\\[x\\](http://evil)

      \`\`\`\`text
      \`\`\`
      # not a heading
      \`\`\`
      \`\`\`\`

      ## The goal as a whole

      - Not verified: the run did not reach the gate.

      ## Tasks

      ### ✓ T001 Add the parser

      - Result: **done**
      - Effort: 2 attempts · 1 fix · 41 s · $0.12 · commit \`abcdef1234\`
      - Evidence: \`test\` exit 0 in 1.2 s
      - Supervisor: score 88, Does what was asked.
      - Criteria:
        - \\\`npm test\\\` passes — proved by check \`test\`
        - Errors name the line — judged by supervisor (score 88)
        - npm test passes in under a second — judged by supervisor (score 88)
      - Failed attempt: the supervisor rejected it (score 45, correct): no tests

      ### ✓ T002 Documentation

      - Result: **done, unverified**
      - Effort: 1 attempt · 41 s · no commit: nothing was left to change after the merge
      - Evidence: none: Looper saw no check pass
      - Criteria:
        - README tells it — **unverified**

      ### ✗ T003 &lt;/p> # OWNED \\\`\\\`\\\` \\| a \\| !\\[x\\](http://evil)

      - Result: **failed**: &lt;/p> # OWNED \\\`\\\`\\\` \\| a \\| !\\[x\\](http://evil)
      - Effort: 3 attempts · 41 s
      - Criteria:
        - &lt;/p> # OWNED \\\`\\\`\\\` \\| a \\| !\\[x\\](http://evil) — not met
      - Failed attempt: check test failed (exit 1)

      ## Questions

      - **Q1** Which grammar? — v1 (by default)
      - **Q2** And then? — **not answered**

      ## Decisions

      - **D1** (T001) Hand-written parser: recursive descent
        - Because: No dependency wanted
        - Not: a generator, heavy
        - Holds unless: the grammar grows

      ## Findings

      - **WARNING** T001: tester changed files: Put back: a.ts

      ## Cost and time

      - Cost: $0.42 · 12.0k tokens in, 3.0k out
      - Running time: 5m 00s
      - Started 2026-03-01 10:00 UTC, ended 2026-03-01 10:05 UTC
      - Turns: 4, waves: 1, goal iterations: 0, plan revisions: 0

      ## How to review and merge it

      - \`looper resume 001-add-auth\` retries the failed tasks
      - \`looper diff 001-add-auth\` shows the changes
      - \`looper apply 001-add-auth\` merges them into your branch
      - \`looper discard 001-add-auth\` discards them

      With git alone:

      \`\`\`sh
      git log --oneline 1234567890ab..looper/001-add-auth
      git diff 1234567890ab...looper/001-add-auth
      git merge looper/001-add-auth
      \`\`\`

      ## Where to look

      In \`.looper/runs/001-add-auth/\`:

      - \`checks/*.log\`: what each check printed
      - \`turns/<id>/\`: the prompt, output and answer of each turn of an agent
      - \`events.jsonl\`: everything that happened, in order
      "
    `)
  })

  test('a completed run shows what proves the goal', () => {
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

  test('what the last task landed with proves the final tree when the gate had nothing to run again', () => {
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

  test('F15: what the gate ran again and what it had seen green already are told together', () => {
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
  ])('a goal that nobody looked at is not verified: %s', (why, parts) => {
    const text = reportMd(sampleState({ ...ended, ...parts }))
    expect(text).toContain(`## The goal as a whole\n\n- Not verified: ${why}.\n`)
    expect(text).not.toContain('Judged')
  })

  test('with checks off, that is why nothing is proved', () => {
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

  test('F15: a stalled run says what did not work, by whom, and in which tests', () => {
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

  test('F15: a long output is cut at a line; words for the agent are left out', () => {
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

  test('F16: a race says who won, and where the others are', () => {
    const text = reportMd(
      sampleState({
        ...ended,
        status: 'completed',
        tasks: [{ ...done, fixCycles: 2, race: { winner: 1, fixes: 0, losers: [2, 3] } }],
      }),
    )
    expect(text).toContain('- Effort: 2 attempts · 2 fixes, none of them by the winner · 41 s')
    expect(text).toContain(
      '- Race: attempt 1 won; the changes of attempts 2, 3 are kept under `refs/looper/001-add-auth/T001/`\n',
    )
  })

  test('a task that left nothing to commit says so', () => {
    const said = (mode: 'worktree' | 'in-place'): string =>
      reportMd(
        sampleState({
          ...ended,
          status: 'completed',
          tasks: [{ ...done, commit: null }],
          config: sampleConfig({ workspace: { mode, setup: null, copy: [], commit: false } }),
        }),
      )
    expect(said('worktree')).toContain('· no commit: nothing was left to change after the merge\n')
    expect(said('in-place')).not.toContain('no commit')
  })

  test('what the supervisor minded about accepted work is told', () => {
    const verdict = sampleVerdict({ issues: [{ severity: 'minor', message: `a name\n${hostileTitle}` }] })
    const text = reportMd(
      sampleState({
        ...ended,
        status: 'completed',
        tasks: [{ ...done, verdict }],
        gate: { round: 1, checks: [], verdict },
      }),
    )
    expect(text.match(/^ {2}- minor: a name /gm)).toHaveLength(2)
    expect(outsideFences(text)).not.toMatch(/^#+ OWNED/m)
    const poor = sampleVerdict({ approved: false, score: 45, level: 'correct' })
    expect(
      reportMd(sampleState({ ...ended, status: 'failed', gate: { round: 1, checks: [], verdict: poor } })),
    ).toContain('**not met** by supervisor (score 45 (needs correction))')
  })

  test('a run without tasks has nothing to take over', () => {
    expect(reportMd(sampleState({ ...ended, status: 'aborted' }))).not.toMatch(
      /git merge|looper (?:diff|apply)|How to review/,
    )
  })

  test('no hostile word becomes markup', () => {
    const text = reportMd(
      sampleState({ ...ended, status: 'failed', tasks: [failed], goal: hostileTitle, reason: hostileTitle }),
    )
    const outside = outsideFences(text)
    expect(outside).not.toMatch(/^#+ OWNED/m)
    expect(outside).not.toMatch(/(?<!\\)!?\[x\]\(|<\/|^\|/m)
    expect(text).not.toContain('\u001B')
    expect(planMd(sampleState({ tasks: [failed], goal: hostileTitle }))).not.toMatch(
      /^#+ OWNED|<\/|(?!\n)\p{Cc}|^```/mu,
    )
  })

  test('in place, the changes are in the checkout', () => {
    const config = sampleConfig({ workspace: { mode: 'in-place', setup: null, copy: [], commit: false } })
    const text = reportMd(sampleState({ ...ended, status: 'completed', config, tasks: [done] }))
    expect(text).toContain('git diff 1234567890ab\n')
    expect(text).not.toContain('git merge')
  })
})

describe('what stands behind a criterion', () => {
  const { checks } = sampleConfig()
  test.each([
    ['`npm test` passes', { kind: 'check', check: 'test' }],
    ['npm test', { kind: 'check', check: 'test' }],
    ['Running `npm test` exits with code 0.', { kind: 'check', check: 'test' }],
    ['npm test passes in under a second', { kind: 'judged', score: 88 }],
    ['npm test fails', { kind: 'judged', score: 88 }],
    ['Errors name the line', { kind: 'judged', score: 88 }],
  ])('%s', (criterion, proof) => expect(proofOf(criterion, done, checks)).toEqual(proof))

  test('without a judge the checks speak for the task, not for the criterion', () => {
    expect(proofOf('Errors name the line', { ...done, verdict: null }, checks)).toEqual({
      kind: 'task-checks',
      checks: ['test'],
    })
  })
  test('without evidence or verdict there is none, and a task that is not done proves nothing', () => {
    expect(proofOf('x', unverified, checks)).toEqual({ kind: 'none' })
    expect(proofOf('`npm test` passes', { ...done, status: 'failed', block: null }, checks)).toEqual({ kind: 'none' })
  })
})

test('plan.md has the status on its first line and check boxes', () => {
  const child = sampleTask({ id: 'T003.1', parent: 'T003', title: 'Half', dependsOn: ['T001'] })
  const big = { ...failed, title: 'Big', criteria: [], reason: 'no luck' }
  expect(planMd(sampleState({ tasks: [done, unverified, big, child] }))).toMatchInlineSnapshot(`
    "Status: running · 2/4 done · 1 failed

    # Plan: Add authentication

    Accepted · score 82

    - [x] **T001** Add the parser (medium)
      - \\\`npm test\\\` passes
      - Errors name the line
      - npm test passes in under a second
    - [x] **T002** Documentation (**unverified** · medium)
      - README tells it
    - [ ] **T003** Big (**failed** · medium · no luck)
      - [ ] **T003.1** Half (medium · after T001)
    "
  `)
  expect(planMd(sampleState())).toContain('No tasks yet.')
})

test('a report tells who took it over, and offers nothing that is gone', () => {
  const applied = { commit: '0123456789abcdef', onto: 'main', at: '2026-03-01T10:09:00.000Z' }
  const taken = reportMd(sampleState({ tasks, status: 'completed', applied }))
  expect(taken).toContain('It was applied to main at 01234567 (2026-03-01 10:09 UTC).\n\n- `looper diff 001-add-auth`')
  expect(taken).not.toContain('looper apply')
  const gone = reportMd(sampleState({ tasks, status: 'completed', discardedAt: applied.at }))
  expect(gone).toContain(
    '## How to review and merge it\n\nIt was discarded (2026-03-01 10:09 UTC): its branch is gone.\n\n##',
  )
  expect(gone).not.toMatch(/git merge|looper apply/)
})

test('progress.md', () => {
  const pause = { kind: 'user', detail: 'asked', hint: '' } as const
  expect(progressMd(sampleState({ tasks, status: 'paused', reason: 'asked', pause }))).toMatchInlineSnapshot(`
    "Status: paused · 2/3 done · 1 failed

    # Progress: Add authentication

    - Why: asked
    - Stage: execute, wave 1
    - Tasks: 2 done, 1 failed
    - Running time: 5m 00s, started 2026-03-01 10:00 UTC, as of 2026-03-01 10:05 UTC
    - Turns: 4
    - Cost: $0.42 · 12.0k tokens in, 3.0k out
    "
  `)
})

test('E7 E8 F12: how it went: what checks are worth, what was kept, taken back and rolled back', () => {
  const regression = sampleFailure({ kind: 'regression', summary: 'lint passed before T001 landed and fails since' })
  const evidence = [
    { check: 'test', exitCode: 1, tree: 'a', durationMs: 1, noWorse: true as const },
    { check: 'lint', exitCode: 0, tree: 'a', durationMs: 1, flaky: true as const },
    { check: 'audit', exitCode: 0, tree: 'a', durationMs: 1, hidden: true as const },
  ]
  const failing = ['one', 'two', 'three', 'four', 'five', 'six', 'seven']
  const antiPattern = {
    id: 'A1',
    title: 'T001 as it was tried',
    tried: 'T001: a cache\nT002: another',
    evidence: 'T001 was done and undone 2 times',
    why: 'to and fro',
    tasks: ['T001', 'T002'],
    files: [],
  }
  const text = reportMd(
    sampleState({
      ...ended,
      status: 'completed',
      conclusion: { status: 'completed', reason: null },
      tasks: [{ ...done, evidence, proof: 'no proof', failures: [regression] }],
      convergence: {
        ...initialConvergence(),
        health: 'FLIP-FLOPPING',
        history: [{ wave: 2, health: 'FLIP-FLOPPING', evidence: hostileTitle }],
      },
      baseline: { tree: null, checks: [{ check: 'test', passed: false, failing, fingerprint: null }] },
      flaky: { lint: { check: 'lint', runs: 3, passed: 1, task: null } },
      checkpoints: [{ id: 'C1', commit: '0123456789abcdef', wave: 1, landings: 1, passing: [], ref: '' }],
      landings: [
        { task: 'T001', commit: 'aaaaaaaaaaaaaaaa', wave: 1, met: 0 },
        { task: 'T001', commit: 'bbbbbbbbbbbbbbbb', wave: 1, met: 1, revert: true },
      ],
      antiPatterns: [
        { ...antiPattern, kept: 'refs/looper/001-add-auth/set-aside/1' },
        { ...antiPattern, id: 'A2', evidence: '', why: 'a person rolled it back', tried: '', tasks: [] },
      ],
    }),
  )
  const part = (title: string): string => text.slice(text.indexOf(`## ${title}`)).split('\n\n##')[0] ?? ''
  expect(part('How it went')).toMatchInlineSnapshot(`
    "## How it went

    - Wave 2: **FLIP-FLOPPING**: &lt;/p> # OWNED \\\`\\\`\\\` \\| a \\| !\\[x\\](http://evil)
    - Check \`test\` was red before the first task (one, two, three, four, five and 2 more)
    - Check \`lint\` is flaky: it passed in 1 of 3 runs on the same tree
    - Checkpoint **C1** after wave 1: \`0123456789ab\`
    - The change of T001 was reverted: \`bbbbbbbbbbbb\`: lint passed before T001 landed and fails since
    - Rolled back because of T001, T002; to and fro
      - Evidence: T001 was done and undone 2 times
      - Tried: T001: a cache; T002: another
      - The old branch is kept as \`refs/looper/001-add-auth/set-aside/1\`
    - Rolled back; a person rolled it back"
  `)
  expect(part('The goal as a whole')).toMatchInlineSnapshot(`
    "## The goal as a whole

    - Check \`test\` is **no worse than before** on the final tree: exit 1 · 0.0 s · seen when T001 landed
    - Check \`lint\` passed on the final tree: exit 0 · flaky · 0.0 s · seen when T001 landed"
  `)
  expect(text).toContain(
    '- Evidence: `test` exit 1 in 0.0 s (no worse than the base), `lint` exit 0 in 0.0 s (flaky), `audit` exit 0 in 0.0 s (held out)',
  )
  expect(text).toContain('- New tests: **no proof**: no check shows that they fail without the change')
  const untold = sampleState({ tasks: [{ ...done, evidence, proof: 'no proof', unproven: 'no check tells' }] })
  expect(reportMd(untold)).toContain('- New tests: **no proof**: no check tells')
  expect(text).toContain('- Taken back: lint passed before T001 landed and fails since')
})

test('F12: a red check of the gate says why it is no hindrance', () => {
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
