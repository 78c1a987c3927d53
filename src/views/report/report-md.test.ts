import { describe, expect, test } from 'vitest'
import { done, ended, failed, hostileTitle, tasks } from '../../../test/kit/report-samples.ts'
import { outsideFences, sampleConfig, sampleState, sampleVerdict } from '../../../test/kit/state.ts'
import { planMd } from './plan-md.ts'
import { reportMd } from './report-md.ts'

describe('report.md', () => {
  test('the report of a failed run starts with the failure and its reason', () => {
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

      - \`looper answer Q2 "…" --run 1\` answers the question
      - \`looper resume 1\` retries the failed tasks
      - \`looper diff 1\` shows the changes
      - \`looper apply 1\` merges them into your branch
      - \`looper discard 1\` discards them

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

  test('F16: a race names the winner and where the other attempts are kept', () => {
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

  test('a task without a change to commit says so', () => {
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

  test('remarks of the supervisor on accepted work are listed', () => {
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

  test('a run without tasks has nothing to merge', () => {
    expect(reportMd(sampleState({ ...ended, status: 'aborted' }))).not.toMatch(
      /git merge|looper (?:diff|apply)|How to review/,
    )
  })

  test('nor has a run of which nothing has landed', () => {
    const text = reportMd(sampleState({ ...ended, status: 'failed', tasks: [failed], landings: [] }))
    expect(text).not.toContain('git merge')
    expect(reportMd(sampleState({ ...ended, status: 'failed', tasks: [failed, done] }))).toContain('git merge')
  })

  test('hostile text never becomes markup', () => {
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

  test('in place, the report says that the changes are in the checkout', () => {
    const config = sampleConfig({ workspace: { mode: 'in-place', setup: null, copy: [], commit: false } })
    const text = reportMd(sampleState({ ...ended, status: 'completed', config, tasks: [done] }))
    expect(text).toContain('git diff 1234567890ab\n')
    expect(text).not.toContain('git merge')
  })
})

test('a report names who merged it, and offers no removed branch', () => {
  const applied = { commit: '0123456789abcdef', onto: 'main', at: '2026-03-01T10:09:00.000Z' }
  const taken = reportMd(sampleState({ tasks, status: 'completed', applied }))
  expect(taken).toContain('It was applied to main at 01234567 (2026-03-01 10:09 UTC).\n\n- `looper diff 1`')
  expect(taken).not.toContain('looper apply')
  const gone = reportMd(sampleState({ tasks, status: 'completed', discardedAt: applied.at }))
  expect(gone).toContain(
    '## How to review and merge it\n\nIt was discarded (2026-03-01 10:09 UTC): its branch is gone.\n\n##',
  )
  expect(gone).not.toMatch(/git merge|looper apply/)
})
