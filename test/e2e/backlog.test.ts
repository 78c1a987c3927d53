import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { backlogWorker } from '../kit/backlog-agent.ts'
import { allSurvivors, removeAll } from '../kit/live.ts'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(async () => {
  const left = allSurvivors(project)
  await removeAll(project)
  expect(left).toEqual([])
})

const backlog = (...tasks: Record<string, unknown>[]): string =>
  `${JSON.stringify({ schema_version: 1, project: { name: 'x', root: '.' }, source_files: [], extra: 1, tasks }, null, 4)}\n`
const inPlace = { workspace: { mode: 'in-place' }, parallel: 1 }
const make = (options: { agent?: string; config?: Record<string, unknown>; todo?: string } = {}): Project => {
  project = createProject({ agent: options.agent ?? backlogWorker, config: { checks: ['true'], ...options.config } })
  if (options.todo !== undefined) project.write('to-do.json', options.todo)
  return project
}
const tasksIn = (): Record<string, unknown>[] =>
  (JSON.parse(project.read('to-do.json')) as { tasks: Record<string, unknown>[] }).tasks

describe('D1 D3 D4: a backlog is worked through', () => {
  test.each([
    ['in worktrees', {}],
    ['in place', inPlace],
  ])('%s', async (_name, config) => {
    make({
      config,
      todo: backlog(
        { id: 'T2', title: 'two', priority: 2, status: 'todo', mine: [1] },
        { id: 'T1', title: 'one', priority: 1, status: 'todo' },
      ),
    })
    const ended = await project.looper('run')
    expect(ended, ended.stderr + ended.stdout).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([
      { id: 'T2', status: 'done', mine: [1] },
      { id: 'T1', status: 'done' },
    ])
    expect(project.read('to-do.json')).toContain('\n    "extra": 1,')
    expect(JSON.parse(project.read('to-do.json'))).toMatchObject({ completed: { run: '001-backlog' } })
    const status = await project.status()
    expect(status).toMatchObject({
      workflow: 'backlog',
      status: 'completed',
      tasks: [
        { id: 'T2', status: 'done' },
        { id: 'T1', status: 'done' },
      ],
    })
  })

  test('D2: one that is missing is written first', async () => {
    make()
    expect(await project.looper('run', '--workflow', 'backlog', 'make two files')).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([
      { id: 'T1', status: 'done' },
      { id: 'T2', status: 'done', depends_on: ['T1'] },
    ])
  })

  test('D2: a broken backlog is repaired, and the broken file kept', async () => {
    make({ todo: '{ "tasks": [ { "id": "T1" "title": "first" } ] }' })
    const ended = await project.looper('run')
    expect(ended, ended.stderr).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([
      { id: 'T1', status: 'done' },
      { id: 'T2', status: 'done' },
    ])
    expect(project.git('status', '--porcelain', '--ignored')).toContain('to-do.json.bak-')
  })

  test.each([
    ['D2: a person writes it while the planner does', undefined, ['run', '--workflow', 'backlog', 'make two files']],
    ['D2: a person fixes it while the planner does', '{ "tasks": [', ['run']],
  ])('%s is the one that is worked through', async (_name, todo, words) => {
    const byHand = backlog({ id: 'H1', title: 'by hand', theirs: 'kept' })
    make({
      ...(todo === undefined ? {} : { todo }),
      agent: `if (role === 'planner') fs.writeFileSync(path.join(env.NOTES, '..', 'repo', 'to-do.json'), ${JSON.stringify(byHand)})\n${backlogWorker}`,
    })
    const ended = await project.looper(...words)
    expect(ended, ended.stderr + ended.stdout).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([{ id: 'H1', title: 'by hand', status: 'done', theirs: 'kept' }])
    expect(tasksIn()).toHaveLength(1)
    expect(project.git('status', '--porcelain', '--ignored')).not.toContain('.bak-')
  })

  test('D9: a second run on a complete backlog takes no turn', async () => {
    make({ todo: backlog({ id: 'T1', title: 'one', priority: 1, status: 'todo' }) })
    await project.looper('run')
    expect(await project.looper('run')).toMatchObject({ code: 0 })
    expect((await project.status()).turns).toBe(0)
  })

  test('D4: tasks that a person adds during the run are done, and none of their text is lost', async () => {
    const adding = `
if (task === 'T1') {
  const file = path.join(env.NOTES, '..', 'repo', 'to-do.json')
  const todo = JSON.parse(fs.readFileSync(file, 'utf8'))
  todo.tasks.push({ id: 'T9', title: 'by hand', priority: 0, status: 'todo', theirs: 'kept' })
  todo.note = 'by hand'
  fs.writeFileSync(file, JSON.stringify(todo))
}${backlogWorker}`
    make({
      agent: adding,
      todo: backlog(
        { id: 'T1', title: 'one', priority: 1, status: 'todo' },
        { id: 'T2', title: 'two', priority: 2, status: 'todo' },
      ),
    })
    expect(await project.looper('run', '--parallel', '1')).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([
      { id: 'T1', status: 'done' },
      { id: 'T2', status: 'done' },
      { id: 'T9', status: 'done', theirs: 'kept' },
    ])
    expect(JSON.parse(project.read('to-do.json'))).toMatchObject({ note: 'by hand' })
    expect(project.events().flatMap((event) => (event.type === 'task.started' ? [event.task] : []))).toEqual([
      'T1',
      'T9',
      'T2',
    ])
  })
})

test('D3: two runs with the same agent give the same journal, but for ids and times', async () => {
  const journals: unknown[][] = []
  for (let round = 0; round < 2; round++) {
    make({
      todo: backlog(
        { id: 'T3', title: 'c', priority: 1, status: 'todo' },
        { id: 'T1', title: 'a', priority: 1, status: 'todo', depends_on: ['T3'] },
        { id: 'T2', title: 'b', priority: 1, status: 'todo' },
      ),
    })
    await project.looper('run', '--parallel', '1')
    journals.push(project.events().map(normal))
    if (round === 0) project.remove()
  }
  expect(journals[0]).toEqual(journals[1])
})

/** Without times, hashes of git and paths of the machine. */
const normal = (event: object): unknown =>
  JSON.parse(
    JSON.stringify(event, (key, value: unknown) => {
      if (['at', 'durationMs', 'until', 'sum', 'crc'].includes(key)) return null
      if (typeof value !== 'string') return value
      return value
        .replace(/\b(?:[0-9a-f]{40}|[0-9a-f]{24})\b/g, '<hash>')
        .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
        .replace(/\/\S*looper-test-\w+/g, '<place>')
    }),
  )

test('D3: of fifty processes that race for one backlog exactly one runs, the others name it, and each task runs once', async () => {
  make({
    agent: `if (purpose === 'iterate') await sleep(3000);${backlogWorker}`,
    todo: backlog(...['T1', 'T2'].map((id) => ({ id, title: id, priority: 1, status: 'todo' }))),
  })
  const all = await Promise.all(Array.from({ length: 50 }, () => project.looper('run', '--quiet')))
  const won = all.filter(({ code }) => code === 0)
  const lost = all.filter(({ code }) => code !== 0)
  expect(won.length, lost.map(({ stderr }) => stderr).join('')).toBe(1)
  for (const { code, stderr } of lost) {
    expect(code).toBe(2)
    expect(stderr).toContain('001-backlog')
  }
  expect(
    project
      .git('log', '--format=%s', 'looper/001-backlog')
      .split('\n')
      .filter((subject) => /^T\d$/.test(subject))
      .toSorted(),
  ).toEqual(['T1', 'T2'])
})

test('D3: a second checkout on the same backlog learns which run has it and where; --force stops that one', async () => {
  make({
    agent: `if (purpose === 'iterate') { note('tasks', task); if (!fs.existsSync(path.join(env.NOTES, 'go'))) await sleep(60_000) };${backlogWorker}`,
    todo: backlog({ id: 'T1', title: 'one', priority: 1, status: 'todo' }),
  })
  const second = join(project.root, '..', 'second')
  project.git('clone', '-q', project.root, second)
  mkdirSync(join(second, '.looper'))
  copyFileSync(join(project.root, '.looper/config.json'), join(second, '.looper/config.json'))
  symlinkSync(join(project.root, 'to-do.json'), join(second, 'to-do.json'))
  const run = project.start('run', '--quiet')
  const gone = once(run, 'exit')
  await vi.waitFor(() => expect(readFileSync(join(project.notes, 'tasks'), 'utf8')).toBe('T1\n'), {
    timeout: 120_000,
    interval: 50,
  })
  const refused = await project.looper('-C', second, 'run', '--quiet')
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`The run 001-backlog of ${project.root} holds the backlog to-do.json.`),
  })
  writeFileSync(join(project.notes, 'go'), '')
  const forced = await project.looper('-C', second, 'run', '--quiet', '--force', '--yes')
  expect(forced, forced.stderr).toMatchObject({ code: 0 })
  await gone
  expect(tasksIn()).toMatchObject([{ status: 'done' }])
})

test('D4: --prompt-file says what agents read, with the variables of a stage', async () => {
  make({
    agent: `if (purpose === 'iterate') note('prompts', prompt.replaceAll('\\n', ' '));${backlogWorker}`,
    todo: backlog({ id: 'T1', title: 'one', priority: 1, status: 'todo' }),
  })
  project.write('mine.md', 'My words for ${TASK}, iteration ${ITERATION}.')
  expect(await project.looper('run', '--prompt-file', 'mine.md', '--max-iterations', '5')).toMatchObject({ code: 0 })
  expect(readFileSync(join(project.notes, 'prompts'), 'utf8')).toMatch(
    /^My words for T1: one.*, iteration 1\..*LOOPER_RESULT_FILE/,
  )
  expect((await project.looper('run', '--prompt-file', 'missing.md')).stderr).toMatch(/--prompt-file: cannot read/)
})

test("D1: a backlog elsewhere is the user's file as well: written there, and no part of any change", async () => {
  make({ config: { backlog: 'docs/todo list.json' } })
  project.write('docs/todo list.json', backlog({ id: 'T1', title: 'one', priority: 1, status: 'todo' }))
  project.git('add', '.')
  project.git('commit', '-qm', 'track it')
  expect(await project.looper('run')).toMatchObject({ code: 0 })
  expect(JSON.parse(project.read('docs/todo list.json'))).toMatchObject({ tasks: [{ status: 'done' }] })
  expect(project.git('diff', '--name-only', 'HEAD', 'looper/001-backlog')).toBe('T1.txt')
})
