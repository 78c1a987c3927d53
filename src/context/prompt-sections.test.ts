import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkFailure, ok, run, section, task } from '../../test/kit/prompts.ts'
import { sampleCheck, sampleConfig, sampleState, sampleTask, sampleTurn } from '../../test/kit/state.ts'
import type { Purpose, Role } from '../model/purposes.ts'
import type { RunState } from '../model/state.ts'
import { createRenderer } from './prompt.ts'
import { loadTemplates } from './templates.ts'

const templates = loadTemplates([join(import.meta.dirname, '..', '..', 'prompts')])
const renderPrompt = createRenderer({ templates, runDir: '/r' })
const prompt = (
  role: Role,
  purpose: Purpose,
  state: RunState,
  more: { diff?: string; errors?: string[]; id?: string } = {},
): string => {
  const about = ['plan', 'revise', 'review-plan', 'verify-goal'].includes(purpose) ? null : 'T002'
  const slot = 'T002/a2/implement'
  const work = sampleTurn({
    role,
    purpose,
    task: about,
    attempt: 2,
    errors: more.errors ?? [],
    slot,
    id: more.id ?? slot,
  })
  return renderPrompt({ state, work, diff: more.diff ?? null, cwd: '/w' })
}

describe('what judges see', () => {
  const ledger = {
    T002: {
      'T002/a2/implement': {
        outcome: ok({ status: 'complete', summary: 'CLAIM all good' }),
        at: '',
        purpose: 'implement' as const,
      },
      'T002/a2/test0': {
        outcome: ok({ status: 'passed', total: 7, summary: 'TESTER tried it' }),
        at: '',
        purpose: 'test' as const,
      },
    },
  }

  test.each([
    ['tester', 'test'],
    ['supervisor', 'verify-task'],
  ] as const)("%s.%s: checks, diff, the coder's claim", (role, purpose) => {
    const text = prompt(role, purpose, run({}, { ledger }), { diff: '+DIFF line' })
    expect(section(text, 'Check results')).toMatch(
      /they are facts.*test: passed · exit code 0 · 14 tests.*TAIL of a green check/s,
    )
    for (const part of ['+DIFF line', 'CLAIM all good']) expect(text).toContain(part)
    expect(text.includes('TESTER tried it')).toBe(purpose === 'verify-task')
  })

  test('says when there is no check', () => {
    expect(prompt('supervisor', 'verify-task', run({ attempt: null }))).toContain('Looper ran no check on this')
  })

  test('verify-goal: all tasks with their evidence, and the checks on the whole (A7)', () => {
    const checks = [sampleCheck({ task: null, passed: false, exitCode: 1, check: 'lint', tests: null })]
    const state = run({ status: 'done', attempt: null }, { gate: { round: 1, checks, verdict: null } })
    const text = prompt('supervisor', 'verify-goal', state, { diff: '+DIFF line' })
    expect(text).toContain(
      'T001 [done] Lay the ground\n  evidence: test (exit code 0)\n  supervisor: score 88, ground laid',
    )
    expect(text).toContain('T002 [done] Add the parser\n  evidence: none, unverified\n  - CRITERION one')
    expect(text).toContain('lint: FAILED · exit code 1')
    expect(text).toContain('+DIFF line')
  })
})

describe('what makers see', () => {
  test('F14: checks that run on all landed changes are not listed as checks of every task', () => {
    const told = (checks: ReturnType<typeof sampleConfig>['checks']): string =>
      prompt('coder', 'implement', run({}, { config: sampleConfig({ checks }) }))
    const [each, wave] = [
      { name: 'test', run: 'npm test' },
      { name: 'clean', run: './clean.sh', when: 'wave' as const },
    ]
    expect(section(told([each, wave]), 'Checks that Looper runs after every task')).toContain(
      'test: npm test\n\nChecks that Looper runs from time to time, on all that has landed:\nclean: ./clean.sh\n',
    )
    expect(section(told([wave]), 'Checks that Looper runs from time to time, on all that has landed')).toContain(
      'clean: ./clean.sh',
    )
    expect(told([wave])).not.toContain('after every task')
    expect(told([{ ...wave, hidden: true }])).not.toContain('clean')
  })

  test('shows the dependencies, the decisions, the plan, and the checks that will run', () => {
    const text = prompt('coder', 'implement', run())
    expect(section(text, 'What this task builds on')).toMatch(/T001 \[done\] Lay the ground.*files: src\/ground.ts/s)
    const parts = [
      'DECISION style: CHOICE recursive',
      'T002 [doing] Add the parser · after T001 ← this task',
      'test: npm test',
    ]
    for (const part of parts) expect(text).toContain(part)
  })

  test('a split dependency is shown by the results of its children', () => {
    const parent = sampleTask({ id: 'T001', status: 'split', children: ['T001.1'] })
    const child = sampleTask({ id: 'T001.1', title: 'CHILD work', status: 'done', parent: 'T001' })
    const text = renderPrompt({
      state: sampleState({ tasks: [parent, child, task] }),
      work: sampleTurn(),
      diff: null,
      cwd: '/w',
    })
    expect(section(text, 'What this task builds on')).toContain('T001.1 [done] CHILD work')
  })

  test('a split asks for two or three tasks (A5)', () => {
    expect(prompt('planner', 'split', run({ failures: [checkFailure] }))).toContain('2 or 3 subtasks')
  })

  const inPlace = { config: sampleConfig({ workspace: { mode: 'in-place', setup: null, copy: [], commit: false } }) }
  const lost = { starts: { 'T002/a2/implement': 2 } }
  test.each([
    ['in place, started again', { ...inPlace, ...lost }, 'T002/a2/implement', true],
    ['in place, retried after a crash', inPlace, 'T002/a2/implement.retry', true],
    ['in place, the first time', { ...inPlace, starts: { 'T002/a2/implement': 1 } }, 'T002/a2/implement', false],
    ['in a worktree, which was reset', lost, 'T002/a2/implement', false],
  ])('%s', (_, overrides, id, told) => {
    expect(prompt('coder', 'implement', run({}, overrides), { id }).includes('was cut short')).toBe(told)
  })
})

test('E8: shows rolled-back changes near the task, with their evidence if any', () => {
  const tried = {
    id: 'A1',
    title: 'T002 as it was tried',
    tried: '',
    evidence: 'done and undone 2 times',
    why: 'to and fro',
    tasks: ['T002'],
    files: [],
  }
  const antiPatterns = [
    tried,
    { ...tried, id: 'A2', evidence: '', why: 'a person rolled it back' },
    { ...tried, id: 'A3', tasks: ['T001'] },
  ]
  expect(section(prompt('coder', 'implement', run({}, { antiPatterns })), 'What was tried and failed'))
    .toMatchInlineSnapshot(`
    "What was tried and failed

    It was rolled back. Do not do it that way again.

    \`\`\`data
    A1 T002 as it was tried
      evidence: done and undone 2 times
      why it failed: to and fro

    A2 T002 as it was tried
      why it failed: a person rolled it back
    \`\`\`
    "
  `)
})

test('in a long plan the coder sees the related tasks and the number of others', () => {
  const name = (n: number): string => `T${String(n).padStart(3, '0')}`
  const tasks = Array.from({ length: 300 }, (_, at) =>
    sampleTask({
      id: name(at + 1),
      index: at,
      title: `Task ${at + 1}`,
      status: at === 249 ? 'doing' : 'todo',
      dependsOn: at === 280 ? [name(150)] : at === 149 ? [name(3)] : [],
    }),
  )
  const state = sampleState({ tasks, active: ['T250'], dependents: { T150: ['T281'] } })
  const work = sampleTurn({ role: 'coder', purpose: 'implement', task: 'T150' })
  const told = section(renderPrompt({ state, work, diff: null, cwd: '/w' }), 'The plan so far')
  const listed = [...told.matchAll(/^(T\d+) \[/gm)].map(([, id]) => id)
  expect(listed).toEqual(['T003', ...Array.from({ length: 41 }, (_, at) => name(130 + at)), 'T250', 'T281'])
  expect(told).toContain('T150 [todo] Task 150 · after T003 ← this task')
  expect(told).toContain('300 tasks: ')
})
