import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
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
const make = (options: { agent?: string; config?: Record<string, unknown>; todo?: string } = {}): Project => {
  project = createProject({ agent: options.agent ?? backlogWorker, config: { checks: ['true'], ...options.config } })
  if (options.todo !== undefined) project.write('to-do.json', options.todo)
  return project
}
const tasksIn = (): Record<string, unknown>[] =>
  (JSON.parse(project.read('to-do.json')) as { tasks: Record<string, unknown>[] }).tasks

describe('D3 D4: failures', () => {
  test('a blocked task: the others are done, the run pauses and says why', async () => {
    const blocked = `if (task === 'T1') answer({ task_id: 'T1', status: 'blocked', summary: '', blockers: ['no key'] }); else {${backlogWorker}}`
    make({
      agent: blocked,
      todo: backlog(
        { id: 'T1', title: 'one', priority: 1, status: 'todo' },
        { id: 'T2', title: 'two', priority: 2, status: 'todo' },
      ),
    })
    const ended = await project.looper('run', '--parallel', '1')
    expect(ended).toMatchObject({ code: 3 })
    expect(ended.stdout).toContain('no key')
    expect(tasksIn()).toMatchObject([{ status: 'blocked', blockers: ['no key'] }, { status: 'done' }])
  })

  test('an agent that always fails ends the run with 1', async () => {
    make({
      agent: 'process.exit(7)',
      config: { limits: { attempts: 1, goalIterations: 0 } },
      todo: backlog({ id: 'T1', title: 'one', priority: 1, status: 'todo' }),
    })
    expect(await project.looper('run')).toMatchObject({ code: 1 })
    expect(tasksIn()).toMatchObject([{ status: 'blocked' }])
  })

  const counting = `note('turns', role + ' ' + purpose + ' ' + (task || ''));`
  const turnsTaken = (): string[] =>
    existsSync(join(project.notes, 'turns'))
      ? readFileSync(join(project.notes, 'turns'), 'utf8').trim().split('\n')
      : []
  const onlyBlocked = backlog(...['T1', 'T2'].map((id) => ({ id, title: id, status: 'blocked', blockers: ['no key'] })))
  const saysBlocked = `if (purpose === 'iterate') answer({ task_id: task, status: 'blocked', summary: '', blockers: ['still no key for ' + task] })`

  test.each<[name: string, todo: string, agent: string, words: string[], code: number, why: RegExp, turns: number]>([
    ['an empty backlog is written by a planner', '{ "tasks": [] }', backlogWorker, ['run'], 0, /completed/, 4],
    [
      'an empty one that a planner cannot fill',
      '{ "tasks": [] }',
      `answer({ status: 'plan', tasks: [] })`,
      ['run'],
      1,
      /needs at least one task/,
      2,
    ],
    [
      'an empty one that only is to be worked through',
      '{ "tasks": [] }',
      backlogWorker,
      ['work'],
      1,
      /ran nothing: there is no task/,
      0,
    ],
    [
      'one with nothing open that only is to be worked through',
      backlog({ id: 'T1', title: 'x', status: 'done' }),
      backlogWorker,
      ['work'],
      0,
      /completed/,
      0,
    ],
    [
      'only blocked tasks',
      onlyBlocked,
      backlogWorker,
      ['run'],
      3,
      /T1 is blocked \(external\): no key; T2 is blocked \(external\): no key/,
      0,
    ],
    [
      'only tasks that wait for one that is blocked without a reason',
      backlog({ id: 'T1', title: 'x', status: 'blocked' }, { id: 'T2', title: 'y', depends_on: ['T1'] }),
      backlogWorker,
      ['run'],
      3,
      /T1 is blocked \(external\): no reason is given/,
      0,
    ],
    [
      'a task that stays blocked',
      backlog({ id: 'T1', title: 'x' }),
      saysBlocked,
      ['run'],
      3,
      /T1 is blocked \(external\): still no key for T1/,
      1,
    ],
  ])('D9: %s: bounded, explained, the right exit code', async (_name, todo, agent, words, code, why, turns) => {
    make({ agent: `${counting}${agent}`, todo })
    const ended = await project.looper(...words, '--parallel', '1')
    expect({ code: ended.code, turns: turnsTaken() }, ended.stdout + ended.stderr).toEqual({
      code,
      turns: expect.objectContaining({ length: turns }),
    })
    expect(ended.stdout + ended.stderr).toMatch(why)
    expect(['completed', 'failed', 'paused']).toContain((await project.status()).status)
  })

  test('D9: resume retries blocked tasks', async () => {
    make({ agent: backlogWorker, todo: onlyBlocked })
    expect(await project.looper('run')).toMatchObject({ code: 3 })
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([{ status: 'done' }, { status: 'done' }])
  })

  test('D9: an agent that always fails: bounded by the attempts, explained', async () => {
    make({
      agent: `${counting}process.stderr.write('the sky is falling'); process.exit(7)`,
      config: { limits: { attempts: 2, goalIterations: 0, splitDepth: 0 } },
      todo: backlog({ id: 'T1', title: 'one' }),
    })
    const ended = await project.looper('run', '--parallel', '1')
    expect(ended).toMatchObject({ code: 1, stdout: expect.stringMatching(/failed[^]*the sky is falling/) })
    expect(turnsTaken().length).toBeLessThanOrEqual(6)
    expect(tasksIn()).toMatchObject([{ status: 'blocked' }])
  })

  test('skipped closes a task as cancelled, with its reason', async () => {
    make({
      agent: `if (purpose === 'iterate') answer({ task_id: task, status: 'skipped', summary: 'void' }); else {${backlogWorker}}`,
      todo: backlog({ id: 'T1', title: 'one', priority: 1, status: 'todo' }),
    })
    expect(await project.looper('run')).toMatchObject({ code: 0 })
    expect(tasksIn()).toMatchObject([{ status: 'cancelled', reason: 'void' }])
  })
})

describe('D4: orders to a run that rests reach the backlog at once', () => {
  const blocking = `if (task === 'T1') answer({ task_id: 'T1', status: 'blocked', summary: '', blockers: ['no key'] }); else {${backlogWorker}}`
  const two = backlog(
    { id: 'T1', title: 'one', priority: 1, status: 'todo' },
    { id: 'T2', title: 'two', priority: 2, status: 'todo', depends_on: ['T1'] },
  )

  test('a task that is skipped, opened again or added', async () => {
    make({ agent: blocking, todo: two })
    expect(await project.looper('run', '--parallel', '1')).toMatchObject({ code: 3 })
    expect(await project.looper('task', 'skip', 'T1', '--reason', 'void')).toMatchObject({ code: 0, stderr: '' })
    expect(tasksIn()).toMatchObject([{ status: 'cancelled', reason: 'void' }, { status: 'todo' }])
    expect(await project.looper('task', 'retry', 'T1')).toMatchObject({ code: 0, stderr: '' })
    expect(tasksIn()).toMatchObject([{ status: 'todo' }, { status: 'todo' }])
    expect(await project.looper('task', 'add', 'three')).toMatchObject({ code: 0, stderr: '' })
    expect(tasksIn()).toMatchObject([{}, {}, { title: 'three', status: 'todo' }])
  })

  test('tasks under way when the process died are open again after an abort', async () => {
    make({ agent: `if (purpose === 'iterate') { note('tasks', task); await sleep(60_000) }`, todo: two })
    const run = project.start('run', '--parallel', '1')
    await vi.waitFor(() => expect(readFileSync(join(project.notes, 'tasks'), 'utf8')).toBe('T1\n'), {
      timeout: 120_000,
      interval: 50,
    })
    await vi.waitFor(() => expect(tasksIn()[0]).toMatchObject({ status: 'doing' }), { timeout: 120_000, interval: 50 })
    const gone = once(run, 'exit')
    run.kill('SIGKILL')
    await gone
    expect(await project.looper('abort')).toMatchObject({ code: 0, stdout: '001-backlog: aborted\n', stderr: '' })
    expect(tasksIn()).toMatchObject([{ status: 'todo' }, { status: 'todo' }])
  })

  test('a backlog that cannot be read is left alone; the order holds, and says so', async () => {
    make({ agent: blocking, todo: two })
    expect(await project.looper('run', '--parallel', '1')).toMatchObject({ code: 3 })
    project.write('to-do.json', '{ "tasks": [')
    const skipped = await project.looper('task', 'skip', 'T1')
    expect(skipped).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^! to-do\.json was not updated: .*to-do\.json:1:13/),
    })
    expect(project.read('to-do.json')).toBe('{ "tasks": [')
    expect((await project.status()).tasks[0]).toMatchObject({ status: 'cancelled' })
  })
})
