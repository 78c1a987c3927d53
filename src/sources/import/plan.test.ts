import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import type { ImportedTask } from './imported.ts'
import { sampleState, sampleTask } from '../../../test/kit/state.ts'
import { planMd } from '../../views/report/plan-md.ts'
import { readPlan } from './plan.ts'

const inShort = (text: string): unknown[] =>
  readPlan(text).tasks.map(({ id, title, status, dependsOn }) => [id, title, status, dependsOn])
const only = (text: string): ImportedTask => readPlan(text).tasks[0] as ImportedTask

describe('check boxes (D2)', () => {
  test.each([
    ['- [ ] Add login', [['#1', 'Add login', 'todo', []]]],
    [
      '* [x] Add login\n+ [X] Log out\n1. [ ] Reset\n12) [ ] Forget',
      [
        ['#1', 'Add login', 'done', []],
        ['#2', 'Log out', 'done', []],
        ['#3', 'Reset', 'todo', []],
        ['#4', 'Forget', 'todo', []],
      ],
    ],
    [
      '- [/] Now\n- [-] Never\n- [~] Neither\n- [?] Perhaps',
      [
        ['#1', 'Now', 'doing', []],
        ['#2', 'Never', 'cancelled', []],
        ['#3', 'Neither', 'cancelled', []],
        ['#4', 'Perhaps', 'todo', []],
      ],
    ],
    ['- [ ]\n- [ ]   \n- [] no box\n- [ ]no box\n- plain\n[ ] no list', []],
    [
      '\uFEFF- [ ] With a mark\r\n- [x] and CRLF\r\n',
      [
        ['#1', 'With a mark', 'todo', []],
        ['#2', 'and CRLF', 'done', []],
      ],
    ],
    [
      '```\n- [ ] in code\n```\n~~~md\n- [ ] too\n```\n~~~\n<!--\n- [ ] in a comment\n-->\n- [ ] outside',
      [['#1', 'outside', 'todo', []]],
    ],
    ['> - [ ] quoted', [['#1', 'quoted', 'todo', []]]],
    [
      '- [ ] **Bold**\n- [ ] *not* all of it',
      [
        ['#1', 'Bold', 'todo', []],
        ['#2', '*not* all of it', 'todo', []],
      ],
    ],
  ])('%j', (text, tasks) => {
    expect(inShort(text)).toEqual(tasks)
  })

  test('within others are their parts, which come first', () => {
    const text = '- [ ] Auth\n  - [x] Model\n  - [ ] Routes\n\t- [ ] Login\n\t- [ ] Logout\n  - [ ] Tests\n- [ ] Docs\n'
    expect(inShort(text)).toEqual([
      ['#1', 'Auth', 'todo', ['#1#1', '#1#2', '#1#3']],
      ['#1#1', 'Model', 'done', []],
      ['#1#2', 'Routes', 'todo', ['#1#2#1', '#1#2#2']],
      ['#1#2#1', 'Login', 'todo', []],
      ['#1#2#2', 'Logout', 'todo', []],
      ['#1#3', 'Tests', 'todo', []],
      ['#2', 'Docs', 'todo', []],
    ])
    expect(readPlan(text).tasks.map(({ parent }) => parent)).toEqual([null, '#1', '#1', '#1#2', '#1#2', '#1', null])
  })

  test('get the headings above them as tags, but for the title of the document', () => {
    const text =
      '# The plan\n- [ ] First\n## Phase 1: Set-up\n- [ ] Second\n### API & CLI ###\n- [ ] Third\n'
      + '## ✅ Completed (Wave 1)\n- [x] Fourth\n'
    expect(readPlan(text).tasks.map(({ tags }) => tags)).toEqual([
      [],
      ['phase-1-set-up'],
      ['phase-1-set-up', 'api-cli'],
      ['completed-wave-1'],
    ])
  })

  test.each([
    ['T-001: Add it', 'T-001', 'Add it'],
    ['T001 Add it', 'T001', 'Add it'],
    ['**T2** add it', 'T2', 'add it'],
    ['**T2:** add it', 'T2', 'add it'],
    ['`AUTH-7` - add it', 'AUTH-7', 'add it'],
    ['[T3.1] add it', 'T3.1', 'add it'],
    ['1.1: Add it', '1.1', 'Add it'],
    ['1.2 Add it', '1.2', 'Add it'],
    ['1.2.3) add it', '1.2.3', 'add it'],
    ['T4 – add it', 'T4', 'add it'],
    ['1.5 times faster', null, '1.5 times faster'],
    ['OAuth2: add it', null, 'OAuth2: add it'],
    ['v2.0 release', null, 'v2.0 release'],
    ['UTF-8: write it', 'UTF-8', 'write it'],
    ['IPv6 support', null, 'IPv6 support'],
    ['T001', null, 'T001'],
    ['404 page', null, '404 page'],
  ])('%j is named %s', (words, id, title) => {
    expect(only(`- [ ] ${words}`)).toMatchObject({ title, named: id !== null, id: id ?? '#1' })
  })

  test('of which one was given the name of another gets a new one', () => {
    const { tasks, notes } = readPlan('- [ ] T1: One\n- [ ] T1: Two\n  - [ ] Part\n')
    expect(tasks.map(({ id, named, dependsOn }) => [id, named, dependsOn])).toEqual([
      ['T1', true, []],
      ['#1', false, ['#1#1']],
      ['#1#1', false, []],
    ])
    expect(notes).toEqual(['line 2: T1 is the id of another task: this one gets a new id'])
  })

  test('say what they wait for, and report what is not there', () => {
    const text =
      '- [ ] T-1: One\n- [ ] T-2: Two (blocked by T-1)\n- [ ] T-3: Three (depends on: T-1, T-2 and T-9)\n'
      + '- [ ] T-4: Four\n  - depends_on: [T-3]\n- [ ] T-5: Five (see T-1)\n'
    const { tasks, notes } = readPlan(text)
    expect(tasks.map(({ title, dependsOn }) => [title, dependsOn])).toEqual([
      ['One', []],
      ['Two', ['T-1']],
      ['Three', ['T-1', 'T-2']],
      ['Four', ['T-3']],
      ['Five (see T-1)', []],
    ])
    expect(notes).toEqual(['T-3 no longer waits for T-9, which is not among the tasks'])
  })

  test('have what is written below them, and nothing of what stands beside', () => {
    const task = only(`- [ ] 1.1: Add auth
  Users need it.
  - **files**: \`src/auth.ts\`, src/session.ts
  - acceptance: it works
  - Verify: npm test
  - a plain remark
Not about it.
## Next
  Nor this.
`)
    expect(task).toMatchObject({
      description: 'Users need it.\n- a plain remark',
      files: ['src/auth.ts', 'src/session.ts'],
      criteria: ['it works', 'npm test'],
    })
  })

  test('of a progress file and of a plan with its status on the first line', () => {
    const progress = `# Loop Progress: Add validation to auth

**Status:** Wave 2 of 4 | Iteration 3 | Cost: $2.50/$25

## ✅ Completed (Wave 1)
- [x] T-001: Add ValidationError import to auth.ts

## 🔄 In Progress (Wave 2)
- [ ] T-003: Create validation schema (assigned to subagent)

## ⏳ Pending (Wave 3+)
- [ ] T-005: Implement validateUser (blocked by T-003)

## 📊 Metrics
- Tasks: 2/6 complete
`
    expect(inShort(progress)).toEqual([
      ['T-001', 'Add ValidationError import to auth.ts', 'done', []],
      ['T-003', 'Create validation schema (assigned to subagent)', 'todo', []],
      ['T-005', 'Implement validateUser', 'todo', ['T-003']],
    ])
  })

  test('of any text are read without harm, every one of them once', () => {
    const line = fc.tuple(
      fc.constantFrom('', '  ', '\t', '      '),
      fc.constantFrom('- [ ] ', '- [x] ', '# ', '', '1. [ ] ', '```', '<!--', '-->'),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const { tasks } = readPlan(lines.map((parts) => parts.join('')).join('\n'))
        const ids = tasks.map(({ id }) => id)
        expect(new Set(ids).size).toBe(ids.length)
        for (const { title, dependsOn, parent } of tasks) {
          expect(title.trim()).not.toBe('')
          for (const id of [...dependsOn, ...(parent === null ? [] : [parent])]) expect(ids).toContain(id)
        }
      }),
      { numRuns: tries(500) },
    )
  })

  test('of a huge text are read in a moment', () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => `${'  '.repeat(n % 5)}- [ ] T${n}: Do ${n}`)
    expect(readPlan(lines.join('\n')).tasks).toHaveLength(20_000)
    expect(readPlan('- [ ] '.repeat(100_000)).tasks.length).toBeLessThan(2)
    expect(
      readPlan(`${'<!--'.repeat(50_000)}\n${'`'.repeat(100_000)}\n- [ ] ${'(after '.repeat(20_000)}`).tasks.length,
    ).toBeLessThan(2)
  })
})

describe('what a box waits for (D2)', () => {
  test('may be named by its title', () => {
    expect(inShort('- [ ] Build it\n- [ ] Test it (after build it)\n- [ ] Ship (after Test it and Build it)')).toEqual([
      ['#1', 'Build it', 'todo', []],
      ['#2', 'Test it', 'todo', ['#1']],
      ['#3', 'Ship', 'todo', ['#1', '#2']],
    ])
  })
  test('words that name no box stay in the title', () => {
    expect(inShort('- [ ] Deploy (needs sudo)')).toEqual([['#1', 'Deploy (needs sudo)', 'todo', []]])
  })
})

describe('the plan.md of a run (D2)', () => {
  const state = sampleState({
    goal: 'a goal',
    tasks: [
      sampleTask({ id: 'T001', title: 'Use `a_b` (now) & <x>', status: 'done', criteria: ['it *works*'] }),
      sampleTask({ id: 'T002', title: 'two (simple)', status: 'failed', dependsOn: ['T001'], reason: 'red (again)' }),
      sampleTask({ id: 'T003', title: 'three', status: 'cancelled', dependsOn: ['T001', 'T002'] }),
      sampleTask({ id: 'T004', title: 'four' }),
    ],
  })
  test('is read back: titles, dependencies, criteria', () => {
    const { tasks, notes } = readPlan(planMd(state))
    expect(notes).toEqual([])
    expect(tasks.map(({ id, title, status, dependsOn }) => [id, title, status, dependsOn])).toEqual([
      ['T001', 'Use `a_b` (now) & <x>', 'done', []],
      ['T002', 'two (simple)', 'todo', ['T001']],
      ['T003', 'three', 'cancelled', ['T001', 'T002']],
      ['T004', 'four', 'todo', []],
    ])
    expect(tasks[0]?.criteria).toEqual(['it *works*'])
  })

  test('has the parts of a split task in its place', () => {
    const split = sampleState({
      goal: 'a goal',
      tasks: [
        sampleTask({
          id: 'T001',
          title: 'whole',
          status: 'split',
          criteria: ['all of it'],
          children: ['T001.1', 'T001.2'],
        }),
        sampleTask({ id: 'T001.1', title: 'first', status: 'done', parent: 'T001', criteria: ['half'] }),
        sampleTask({ id: 'T001.2', title: 'second', status: 'split', parent: 'T001', children: ['T001.2.1'] }),
        sampleTask({ id: 'T001.2.1', title: 'third', parent: 'T001.2', dependsOn: ['T001.1'] }),
        sampleTask({ id: 'T002', title: 'next', dependsOn: ['T001'] }),
      ],
    })
    const { tasks, notes } = readPlan(planMd(split))
    expect(notes).toEqual([])
    expect(tasks.map(({ id, status, dependsOn, criteria }) => [id, status, dependsOn, criteria])).toEqual([
      ['T001.1', 'done', [], ['half']],
      ['T001.2.1', 'todo', ['T001.1'], []],
      ['T002', 'todo', ['T001.1', 'T001.2.1'], []],
    ])
  })
})
