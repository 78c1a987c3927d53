/** A second run of a backlog takes it over from the first, with real processes. */
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

const until = async (condition: () => boolean): Promise<void> => {
  while (!condition())
    await new Promise((done) => {
      setTimeout(done, 20)
    })
}
const todo = JSON.stringify({ schema_version: 1, tasks: [{ id: 'T1', title: 'a', priority: 1, status: 'todo' }] })
const agent = `
note('begun', task)
if (!fs.existsSync(path.join(env.NOTES, 'go'))) await sleep(600_000)
if (purpose === 'review') answer({ task_id: null, status: 'done', new_tasks: [] })
else { write(task + '.txt', task); answer({ task_id: task, status: 'done', summary: 'did it' }) }
`
const make = (config: Record<string, unknown> = {}): void => {
  project = createProject({ agent, config: { checks: ['true'], review: false, ...config } })
  project.write('to-do.json', todo)
}
const begun = (): boolean => existsSync(join(project.notes, 'begun'))

test.each([
  ['looper run', {}, ['run', '--force']],
  ['looper run, in place', { workspace: { mode: 'in-place' } }, ['run', '--force']],
  ['looper work', {}, ['work', '--force']],
  ['looper run in the background', {}, ['run', '--force', '-d', '-q']],
])('C6: %s --force stops the live run that has the backlog and does its work', async (_, config, argv) => {
  make(config)
  const first = project.start('run')
  const ended = once(first, 'exit')
  await until(begun)
  const refused = await project.looper('run')
  expect(refused).toMatchObject({ code: 2 })
  writeFileSync(join(project.notes, 'go'), '')
  const second = await project.looper(...argv)
  expect(second, second.stderr).toMatchObject({ code: 0 })
  expect((await ended)[0]).toBe(130)
  // One in the background is still at it.
  if (argv.includes('-d')) expect(await project.looper('attach', '-q', '002-backlog')).toMatchObject({ code: 0 })
  expect(
    (JSON.parse(readFileSync(join(project.root, 'to-do.json'), 'utf8')) as { tasks: [{ status: string }] }).tasks[0]
      .status,
  ).toBe('done')
  expect(project.events('001-backlog').at(-1)).toMatchObject({ type: 'run.paused', reason: { kind: 'user' } })
})

test('C6: --force has no run to stop after a kill -9: the backlog is free', async () => {
  make()
  const first = project.start('run')
  const ended = once(first, 'exit')
  await until(begun)
  first.kill('SIGKILL')
  await ended
  writeFileSync(join(project.notes, 'go'), '')
  expect(await project.looper('run', '--force')).toMatchObject({ code: 0 })
})
