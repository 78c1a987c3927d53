/** `looper import` as people call it. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bdProgram } from '../kit/beads-project.ts'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
beforeEach(() => {
  project = createProject()
})
afterEach(() => project.remove())

const backlog = (): { tasks: { id: string; title: string; status: string }[] } =>
  JSON.parse(project.read('to-do.json')) as ReturnType<typeof backlog>

test('D2: check boxes become a backlog, once', async () => {
  project.write('docs/plan.md', '## Auth\n- [ ] Add login\n  - [x] Model\n- [ ] Log out\n')
  const first = await project.looper('import', 'docs/plan.md')
  expect([first.code, first.stderr]).toEqual([0, ''])
  expect(first.stdout).toContain('docs/plan.md (plan)')
  expect(first.stdout).toContain(
    '3 added, 0 closed, 0 already there\n  + T001    todo  Add login\n  + T001.1  done  Model\n',
  )
  expect(backlog().tasks.map(({ id, title, status }) => [id, title, status])).toEqual([
    ['T001', 'Add login', 'todo'],
    ['T001.1', 'Model', 'done'],
    ['T002', 'Log out', 'todo'],
  ])
  const before = project.read('to-do.json')
  const again = await project.looper('import', 'docs/plan.md', '--json')
  expect(JSON.parse(again.stdout)).toMatchObject({
    format: 'plan',
    added: [],
    closed: [],
    unchanged: ['T001', 'T001.1', 'T002'],
    notes: [],
  })
  expect(project.read('to-do.json')).toBe(before)
})

test('D2: an unreadable file is reported in one line with its position, exit 2, and nothing is written', async () => {
  project.write('broken.json', '{\n  "tasks": [\n    { "id": "T1", }\n  ]\n}\n')
  const { code, stdout, stderr } = await project.looper('import', 'broken.json')
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^[^\n]*broken\.json: line 3, column 17: a comma before "}"\n[^\n]*Fix the file[^\n]*\n$/)
  expect(() => project.read('to-do.json')).toThrow(/ENOENT/)
})

test('B13 C9: lists of Claude Code come from the home, issues through bd, and an outage exits 3', async () => {
  const home = dirname(project.root)
  mkdirSync(join(home, '.claude/tasks/mine'), { recursive: true })
  writeFileSync(
    join(home, '.claude/tasks/mine/1.json'),
    JSON.stringify({ id: '1', subject: 'From Claude', description: '', status: 'pending', blocks: [], blockedBy: [] }),
  )
  expect((await project.looper('import', '--claude')).stdout).toContain('the task list mine (claude tasks)')

  const missing = await project.looper('import', '--beads')
  expect(missing.code).toBe(3)
  expect(missing.stderr).toMatch(/bd cannot be started[^\n]*\n[^\n]*Install beads/)

  mkdirSync(join(home, 'bin'))
  symlinkSync(bdProgram, join(home, 'bin/bd'))
  project.write(
    '.beads/stand-in.json',
    JSON.stringify({
      prefix: 'bd',
      count: 0,
      issues: [
        {
          id: 'bd-1',
          title: 'From beads',
          status: 'open',
          priority: 1,
          issue_type: 'bug',
          created_at: '2026-01-01T00:00:00Z',
          labels: ['loop/auth'],
        },
      ],
    }),
  )
  const child = project.startThrough(
    [],
    { PATH: `${join(home, 'bin')}:${process.env['PATH']}` },
    'import',
    '--beads',
    '--label',
    'loop/auth',
  )
  expect(
    await new Promise((done) => {
      child.on('exit', done)
    }),
  ).toBe(0)
  expect(backlog().tasks.map(({ id, title }) => [id, title])).toEqual([
    ['1', 'From Claude'],
    ['bd-1', 'From beads'],
  ])
  expect(readFileSync(join(home, '.claude/tasks/mine/1.json'), 'utf8')).toContain('pending')
})
