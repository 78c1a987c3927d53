/** What a run tells of a backlog: in its lines, in the file, and when it is asked for what cannot be. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { backlogWorker } from '../kit/backlog-agent.ts'
import { allSurvivors, removeAll } from '../kit/live.ts'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(async () => {
  const left = allSurvivors(project)
  await removeAll(project)
  expect(left).toEqual([])
})

type Task = Record<string, unknown>
const backlog = (...tasks: Task[]): string => `${JSON.stringify({ tasks }, null, 2)}\n`
const make = (todo: string | null, options: { agent?: string; config?: Record<string, unknown> } = {}): Project => {
  project = createProject({ agent: options.agent ?? backlogWorker, config: { checks: ['true'], ...options.config } })
  if (todo !== null) project.write('to-do.json', todo)
  return project
}
const tasksIn = (): Task[] => (JSON.parse(project.read('to-do.json')) as { tasks: Task[] }).tasks

test('D10: iterations of a resume are the total: a number that has run already is refused in a line', async () => {
  make(backlog({ id: 'T1', title: 'one' }, { id: 'T2', title: 'two' }, { id: 'T3', title: 'three' }), {
    config: { parallel: 1 },
  })
  const paused = await project.looper('run', '--iterations', '1')
  expect(paused.code).toBe(3)
  expect(paused.stdout).toContain('the limit of 1 iteration is reached')
  expect(paused.stdout).toContain('looper resume 1 --iterations <more than 1>')
  expect(await project.looper('resume', '--iterations', '1')).toMatchObject({
    code: 2,
    stdout: '',
    stderr:
      'looper: --iterations 1 leaves none: it is the total of the run, and 1 has run already\n  Give more than 1, or none for no limit.\n',
  })
  expect((await project.looper('resume', '--iterations', '2')).code).toBe(3)
  expect((await project.looper('resume', '--iterations', '0')).stderr).toContain('2 have run already')
  expect((await project.looper('resume', '--help')).stdout).toContain('including what it has used already')
  expect((await project.looper('resume', '--iterations', 'none')).code).toBe(0)
})

test('D4: of an agent that crashes, one line goes into the backlog', async () => {
  make(backlog({ id: 'T1', title: 'one' }), {
    agent: `if (role === 'iterator') { process.stderr.write('file:///x.mjs:3\\n  boom()\\n  ^\\n\\nTypeError: boom is not a function\\n    at x (x.mjs:3:1)\\n    at y\\n\\nNode.js v20\\n'); process.exit(1) }`,
    config: { limits: { attempts: 1, goalIterations: 0 } },
  })
  expect((await project.looper('run')).code).toBe(1)
  expect(tasksIn()).toMatchObject([
    { status: 'blocked', blockers: ['crash: the agent exited with code 1: TypeError: boom is not a function'] },
  ])
})

test('D4: tasks done before the run are not unverified work of the run', async () => {
  make(backlog({ id: 'T1', title: 'one', status: 'done', criteria: ['it is there'] }, { id: 'T2', title: 'two' }), {
    config: { review: false },
  })
  const { code, stdout } = await project.looper('run')
  expect(code).toBe(0)
  expect(stdout).toContain('proof   1 task verified (true) · 1 done before this run\n')
  const report = project.read('.looper/runs/001-backlog/report.md')
  expect(report).toContain('2 of 2 tasks done · 1 of them before this run')
  expect(report).toContain('- Result: done before this run')
  expect(project.read('.looper/runs/001-backlog/plan.md')).toContain('done before this run')
  expect((await project.looper('ls', '1')).stdout).toContain('done before this run')
  const again = await project.looper('run')
  expect(again.code).toBe(0)
  for (const text of [
    stdout,
    report,
    again.stdout,
    (await project.looper('runs')).stdout,
    (await project.looper('status')).stdout,
  ])
    expect(text).not.toContain('unverified')
})

describe('D2: how many tasks were read, and from where', () => {
  test('instead of a plan that does not exist', async () => {
    make(backlog({ id: 'T1', title: 'one' }, { id: 'T2', title: 'two', status: 'blocked', blockers: ['no key'] }))
    const { stdout } = await project.looper('run')
    expect(stdout).toContain('● 2 tasks read from to-do.json · 1 todo, 1 blocked\n')
    expect(stdout).not.toMatch(/plan: |accepted/)
  })

  test('of a backlog that was written first', async () => {
    make(null)
    const { stdout } = await project.looper('run', '--workflow', 'backlog', 'make two files')
    expect(stdout).toContain('● 2 tasks read from to-do.json')
    expect(stdout).not.toMatch(/plan: |accepted/)
  })

  test('of a repaired backlog, with the path of the broken file', async () => {
    const broken = '{ "tasks": [ { "id": "T1" "title": "first" } ] }'
    make(broken)
    const { stdout, stderr } = await project.looper('run')
    expect(stdout).toContain('● 2 tasks read from to-do.json')
    const [, kept = ''] = /to-do\.json was repaired; the broken file is kept as (\S+)\n/.exec(stdout + stderr) ?? []
    expect(project.read(kept)).toBe(broken)
  })
})

test('D4: blockers stay while a task is tried again, and go when it is done', async () => {
  make(backlog({ id: 'T1', title: 'one' }, { id: 'T2', title: 'two', status: 'blocked', blockers: ['no key'] }), {
    agent: `if (task === 'T2') { const file = () => JSON.parse(fs.readFileSync(path.join(env.NOTES, '..', 'repo', 'to-do.json'), 'utf8')).tasks[1]
      while (file().status !== 'doing') await sleep(20); note('seen', JSON.stringify(file().blockers)) }\n${backlogWorker}`,
    config: { parallel: 1, review: false },
  })
  expect((await project.looper('run')).code).toBe(0)
  expect(readFileSync(join(project.notes, 'seen'), 'utf8')).toBe('["no key"]\n')
  expect(tasksIn()).toMatchObject([{ status: 'done' }, { status: 'done', blockers: [] }])
})

describe('D1: the documents that tasks were taken from', () => {
  const todo = JSON.stringify(
    { source_files: ['README.md', 'docs/gone.md'], tasks: [{ id: 'T1', title: 'one' }] },
    null,
    2,
  )
  const told = 'Documents that the tasks were taken from'

  test('agents that work on a task or review it are asked to read them', async () => {
    make(todo, { agent: `note(purpose + '.prompt', prompt)\n${backlogWorker}` })
    expect((await project.looper('run')).code).toBe(0)
    for (const name of ['iterate.prompt', 'review.prompt']) {
      expect(readFileSync(join(project.notes, name), 'utf8')).toMatch(
        new RegExp(`## ${told}\\n[^#]*- README.md\\n- docs/gone.md\\n`),
      )
    }
  })

  test('also after a run was cut short, and after they were changed', async () => {
    make(todo, {
      agent: `note(purpose + '.prompt', prompt)\nif (attempt === 1) process.exit(1)\n${backlogWorker}`,
      config: { limits: { attempts: 1, goalIterations: 0 } },
    })
    expect((await project.looper('run')).code).toBe(1)
    project.write('to-do.json', project.read('to-do.json').replace('docs/gone.md', 'docs/new.md'))
    expect((await project.looper('resume', '--attempts', '2')).code).toBe(0)
    expect(readFileSync(join(project.notes, 'iterate.prompt'), 'utf8')).toMatch(/- docs\/gone.md[^]*- docs\/new.md/)
  })

  test('one that is not there is a warning of validate', async () => {
    make(todo)
    expect(await project.looper('validate')).toMatchObject({
      code: 0,
      stdout: 'to-do.json is valid: 1 task\n',
      stderr: '! to-do.json:4:5: source_files[1] names "docs/gone.md", which is not there\n',
    })
    expect(await project.looper('validate', '--json')).toMatchObject({
      code: 0,
      stdout: '[]\n',
      stderr: expect.stringContaining('docs/gone.md') as string,
    })
    project.write('docs/gone.md', 'here\n')
    expect(await project.looper('validate')).toMatchObject({ code: 0, stderr: '' })
  })
})

test('D9: a goal for a backlog that is complete is planned, or refused in a line', async () => {
  const done = JSON.stringify({
    tasks: [{ id: 'T1', title: 'one', status: 'done' }],
    completed: { at: '2026-01-01T00:00:00.000Z', run: '001-x' },
  })
  make(done, {
    agent: `if (purpose === 'review' && !fs.existsSync(path.join(env.NOTES, 'tasks'))) { note('goal', prompt); answer({ task_id: null, status: 'done', new_tasks: [{ title: 'Docs' }] }) } else {${backlogWorker}}`,
  })
  const { code, stdout } = await project.looper('run', '--workflow', 'backlog', 'write docs')
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('backlog reviewed · 1 task added') as string,
  })
  expect(readFileSync(join(project.notes, 'goal'), 'utf8')).toContain('write docs')
  expect(tasksIn()).toMatchObject([{ id: 'T1' }, { title: 'Docs', status: 'done' }])
  const refused = await project.looper('run', '--workflow', 'backlog', '--no-review', 'write more')
  expect(refused.code).toBe(1)
  expect(refused.stdout).toContain('every task was closed already')
  expect((await project.looper('run', '--no-review')).code).toBe(0)
})

describe('D4: a run that is discarded', () => {
  const todo = backlog(
    { id: 'T1', title: 'one', mine: true },
    { id: 'T2', title: 'two' },
    { id: 'T3', title: 'three' },
    { id: 'T4', title: 'four', status: 'done' },
  )
  const statuses = (): unknown[] => tasksIn().map(({ status }) => status)
  const ran = async (): Promise<void> => {
    make(todo, { config: { review: false, parallel: 1 } })
    expect((await project.looper('run')).code).toBe(0)
    expect(statuses()).toEqual(['done', 'done', 'done', 'done'])
  }

  test('reopens the tasks that it had closed, except those edited since, and names them', async () => {
    await ran()
    project.write('to-do.json', project.read('to-do.json').replace('"two"', '"two, by hand"'))
    const { code, stdout } = await project.looper('discard', '--yes')
    expect(code).toBe(0)
    expect(stdout).toContain(
      'Reopened in to-do.json: T1, T3. to-do.json still lists T2 as done: reopen the tasks that you want done again.\n',
    )
    expect(statuses()).toEqual(['todo', 'done', 'todo', 'done'])
    expect(tasksIn()[0]).toMatchObject({ mine: true })
    expect((await project.looper('discard', '--yes')).stdout).not.toContain('Open again in')
    expect((await project.looper('run')).code).toBe(0)
    expect(statuses()).toEqual(['done', 'done', 'done', 'done'])
    // Done anew by another run: the first one has no say in it any more.
    expect((await project.looper('discard', '1', '--yes')).stdout).not.toContain('Open again in')
    expect(statuses()).toEqual(['done', 'done', 'done', 'done'])
  })

  test.each([
    ['by Looper', 'apply'],
    ['by hand', 'merge'],
  ])('leaves what has landed %s', async (_name, how) => {
    await ran()
    if (how === 'apply') expect((await project.looper('apply')).code).toBe(0)
    else project.git('merge', '-q', '--no-edit', 'looper/001-backlog')
    const { stdout } = await project.looper('discard', '--yes')
    expect(stdout).not.toMatch(/Open again|left alone/)
    expect(statuses()).toEqual(['done', 'done', 'done', 'done'])
  })

  test('with an unreadable backlog: the file is left alone, and that is reported', async () => {
    await ran()
    project.write('to-do.json', '{ "tasks": [')
    const { code, stdout } = await project.looper('discard', '--yes')
    expect({ code, stdout }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('to-do.json still lists T1, T2, T3') as string,
    })
    expect(project.read('to-do.json')).toBe('{ "tasks": [')
  })
})
