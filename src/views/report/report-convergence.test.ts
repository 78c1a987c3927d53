import { expect, test } from 'vitest'
import { done, hostileTitle, ended } from '../../../test/kit/report-samples.ts'
import { sampleFailure, sampleState } from '../../../test/kit/state.ts'
import { initialConvergence } from '../../core/state/waves.ts'
import { reportMd } from './report-md.ts'

test('E7 E8 F12: shows the quality of the checks, the checkpoints, the reverts and the rollbacks', () => {
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
  const unproven = sampleState({ tasks: [{ ...done, evidence, proof: 'no proof', unproven: 'no check reports' }] })
  expect(reportMd(unproven)).toContain('- New tests: **no proof**: no check reports')
  expect(text).toContain('- Undone: lint passed before T001 landed and fails since')
})
