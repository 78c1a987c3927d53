import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bdProgram, createBeadsProject } from '../../../test/kit/beads-project.ts'
import type { ImportReport, ImportRequest } from '../../api/backlog.ts'
import type { AppContext } from '../context.ts'
import { importTasks } from './import.ts'

let root: string
let env: NodeJS.ProcessEnv
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'looper-import-')))
  mkdirSync(join(root, '.git'))
  env = { PATH: process.env['PATH'] }
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const put = (path: string, content: string | object): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content, null, 2))
}
const context = (): AppContext => ({ cwd: root, env, home: join(root, 'home'), packageFolder: '', version: '' })
const bring = (path: string, more: Partial<ImportRequest> = {}): Promise<ImportReport> =>
  importTasks(context(), { from: { kind: 'path', path }, label: null, into: null, dryRun: false, ...more })
const text = (): string => readFileSync(join(root, 'to-do.json'), 'utf8')
const tasks = (): Record<string, unknown>[] => (JSON.parse(text()) as { tasks: Record<string, unknown>[] }).tasks

const plan = '# Plan\n\n## Auth\n- [ ] Add login\n  - [x] Model\n  - [ ] Routes\n- [ ] Log out (after T001)\n'
const beadsLines = ['a', 'b']
  .map((name) =>
    JSON.stringify({
      id: `bd-${name}`,
      title: `Issue ${name}`,
      status: 'open',
      priority: 0,
      issue_type: 'task',
      labels: [`loop/${name}`],
    }),
  )
  .join('\n')

describe('a backlog (D2)', () => {
  test('is made of a plan, with its parts, tags and order', async () => {
    put('plan.md', plan)
    const report = await bring('plan.md')
    expect(report).toMatchObject({
      source: 'plan.md',
      format: 'plan',
      file: join(root, 'to-do.json'),
      dryRun: false,
      closed: [],
      unchanged: [],
    })
    expect(report.added.map(({ id, title, status }) => [id, title, status])).toEqual([
      ['T001', 'Add login', 'todo'],
      ['T001.1', 'Model', 'done'],
      ['T001.2', 'Routes', 'todo'],
      ['T002', 'Log out', 'todo'],
    ])
    expect(tasks()[0]).toMatchObject({
      id: 'T001',
      title: 'Add login',
      status: 'todo',
      priority: 3,
      tags: ['auth'],
      depends_on: ['T001.1', 'T001.2'],
    })
    expect(tasks()[1]).toMatchObject({ id: 'T001.1', status: 'done' })
  })

  test('stays as it is, to the byte, when the same is brought again', async () => {
    put('plan.md', plan)
    await bring('plan.md')
    const before = text()
    expect(await bring('plan.md')).toMatchObject({
      added: [],
      closed: [],
      unchanged: ['T001', 'T001.1', 'T001.2', 'T002'],
    })
    expect(text()).toBe(before)
  })

  test('is extended, and what is in it stays', async () => {
    put(
      'to-do.json',
      '{\n\t"schema_version": 1, "mine": [1,2],\n\t"tasks": [\n\t\t{"id": "T7", "title": "Routes", "status": "doing", "odd": true},\n'
        + '\t\t{"id": "T8", "title": "Model"}\n\t]\n}\n',
    )
    put('plan.md', plan)
    const report = await bring('plan.md')
    expect(report.added.map(({ id }) => id)).toEqual(['T009', 'T010'])
    expect(report.closed).toEqual([{ id: 'T8', title: 'Model', status: 'done' }])
    expect(report.unchanged).toEqual(['T7'])
    expect(text()).toContain('"schema_version": 1, "mine": [1,2],\n')
    expect(tasks()).toMatchObject([
      { id: 'T7', status: 'doing', odd: true },
      { id: 'T8', status: 'done' },
      { id: 'T009', depends_on: ['T8', 'T7'] },
      { id: 'T010' },
    ])
  })

  test('is only looked at in a dry run', async () => {
    put('plan.md', plan)
    expect((await bring('plan.md', { dryRun: true })).added).toHaveLength(4)
    expect(() => text()).toThrow(/ENOENT/)
  })

  test('may be another file, and lie outside of a repository', async () => {
    rmSync(join(root, '.git'), { recursive: true })
    put('plan.md', plan)
    expect((await bring('plan.md', { into: 'sub/../backlog.json' })).file).toBe(join(root, 'backlog.json'))
    expect(readFileSync(join(root, 'backlog.json'), 'utf8')).toContain('Add login')
  })
})

describe('what is imported', () => {
  const loop = { version: 1, stage: 'executing', task: 'Add validation' }
  const session = { session: 'a', iteration: 2, iteration_completed: 1, status: 'running', history: [] }
  const looperState = {
    agents: { planner: { tasks: [{ id: 'task-1', description: 'Set up', status: 'pending' }] } },
    workflow: {},
  }
  test.each<[string, Record<string, string | object>, string, string, string[]]>([
    ['a folder of beads', { '.beads/issues.jsonl': beadsLines }, '.beads', 'beads', ['Issue a', 'Issue b']],
    [
      'a project with beads',
      { '.beads/issues.jsonl': beadsLines, 'x/state.json': '{}' },
      '.',
      'beads',
      ['Issue a', 'Issue b'],
    ],
    ['claude-looper', { '.claude-looper/state.json': looperState }, '.claude-looper', 'claude-looper', ['Set up']],
    ['a project with claude-looper', { '.claude-looper/state.json': looperState }, '.', 'claude-looper', ['Set up']],
    ['a loop', { '.loop/workflow-state.json': loop }, '.loop', 'workflow state', ['Add validation']],
    [
      'a loop with its progress',
      { '.loop/workflow-state.json': loop, '.loop/PROGRESS.md': '- [x] T-1: One\n- [ ] T-2: Two' },
      '.loop',
      'workflow state',
      ['One', 'Two'],
    ],
    [
      'a loop with broken progress',
      { '.loop/workflow-state.json': loop, '.loop/PROGRESS.md': 'nothing' },
      '.loop',
      'workflow state',
      ['Add validation'],
    ],
    ['a task of loop', { '.loop/001-add-auth/plan.md': '- [ ] 1.1: Middleware' }, '.loop', 'plan', ['Middleware']],
    [
      'a session and its beads',
      { '.claude/pipeline-runs/a/state.json': session, '.beads/issues.jsonl': beadsLines },
      '.claude/pipeline-runs/a',
      'pipeline run',
      ['Issue a'],
    ],
    [
      'a session without beads',
      { '.claude/pipeline-runs/a/state.json': session },
      '.claude/pipeline-runs/a/state.json',
      'pipeline run',
      [],
    ],
    [
      'a folder of Claude Code',
      { 'list/1.json': { id: '1', subject: 'One', status: 'pending' }, 'list/.lock': '' },
      'list',
      'claude tasks',
      ['One'],
    ],
    [
      'another backlog',
      { '.looper/todo.json': { tasks: [{ id: 'T1', title: 'One' }] } },
      '.looper',
      'to-do.json',
      ['One'],
    ],
    ['a plan by another name', { 'docs/notes.txt': '- [ ] One' }, 'docs/notes.txt', 'plan', ['One']],
  ])('%s', async (_, files, path, format, titles) => {
    for (const [name, content] of Object.entries(files)) put(name, content)
    const report = await bring(path)
    expect([report.format, report.added.map(({ title }) => title)]).toEqual([format, titles])
    const again = await bring(path)
    expect([again.added, again.closed]).toEqual([[], []])
  })

  test('a task list of Claude Code, by name or the newest (B13)', async () => {
    for (const [list, second] of [
      ['old', 1],
      ['new', 2],
    ] as const) {
      put(`home/.claude/tasks/${list}/1.json`, {
        id: '1',
        subject: `From ${list}`,
        description: 'x',
        status: 'in_progress',
        blocks: [],
        blockedBy: [],
      })
      utimesSync(join(root, `home/.claude/tasks/${list}/1.json`), second, second)
    }
    expect(await bring('', { from: { kind: 'claude', list: null } })).toMatchObject({
      source: 'the task list new',
      added: [{ id: '1', title: 'From new', status: 'doing' }],
    })
    expect(await bring('', { from: { kind: 'claude', list: 'old' } })).toMatchObject({
      added: [{ id: 'T001', title: 'From old' }],
      notes: [expect.stringContaining('1 becomes T001')],
    })
    expect(await bring('', { from: { kind: 'claude', list: 'old' } })).toMatchObject({ added: [], unchanged: ['T001'] })
  })

  test('the issues of beads, through bd (C9)', async () => {
    const project = createBeadsProject([
      { title: 'One', priority: 0 },
      { title: 'Two', labels: ['other'] },
    ])
    try {
      symlinkSync(join(project.root, '.beads'), join(root, '.beads'))
      mkdirSync(join(root, 'bin'))
      symlinkSync(bdProgram, join(root, 'bin/bd'))
      env['PATH'] = `${join(root, 'bin')}:${env['PATH']}`
      expect(await bring('', { from: { kind: 'beads' }, label: 'loop/auth' })).toMatchObject({
        format: 'beads',
        added: [{ id: 'bd-1' }],
      })
      expect(await bring('', { from: { kind: 'beads' } })).toMatchObject({
        added: [{ id: 'bd-2' }],
        unchanged: ['bd-1'],
      })
      expect(tasks()[0]).toMatchObject({ id: 'bd-1', priority: 1, tags: ['loop/auth'] })
    } finally {
      project.remove()
    }
  })
})
