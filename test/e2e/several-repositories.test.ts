/** One App in one process serves several repositories at once. */
import { execFile } from 'node:child_process'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { App } from '../../src/api/app.ts'
import type { Followed } from '../../src/api/follow.ts'
import type { Finished, Observer } from '../../src/api/runs.ts'
import { createApp } from '../../src/main.ts'
import { createProject, sandboxVariables, type Project } from '../kit/project.ts'

const projects: Project[] = []
const environmentOf = ({ root, notes }: Project) => ({
  ...sandboxVariables(notes),
  PATH: process.env['PATH'],
  HOME: dirname(root),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@localhost',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@localhost',
})
let app: App
beforeAll(() => {
  for (let count = 0; count < 2; count++) projects.push(createProject({ config: { checks: ['true'], review: false } }))
  const [first] = projects as [Project]
  const packageFolder = resolve(import.meta.dirname, '../..')
  app = createApp({ env: environmentOf(first), home: dirname(first.root), packageFolder, version: '0.0.0' })
})
afterAll(() => projects.forEach((project) => project.remove()))

const silent: Observer = { onTorn() {}, onTrouble() {}, onStart() {} }

async function start(root: string, goal: string): Promise<Finished> {
  const prepared = await app.at(root).prepareRun({ goal, flags: {}, apply: false })
  return prepared.start(silent)
}

test('runs are started, listed and followed in both', async () => {
  const [one, other] = projects.map(({ root }) => root) as [string, string]
  expect(await Promise.all([app.at(one).listRuns(), app.at(other).listRuns()])).toEqual([[], []])

  const ended = await Promise.all([start(one, 'make files here'), start(other, 'make files there')])
  expect(ended.map(({ state: { run, status } }) => [run, status])).toEqual([
    ['001-make-files-here', 'completed'],
    ['001-make-files-there', 'completed'],
  ])

  for (const [root, goal, run] of [
    [one, 'make files here', '001-make-files-here'],
    [other, 'make files there', '001-make-files-there'],
  ] as const) {
    expect(await app.at(root).listRuns()).toMatchObject([{ id: run, goal, status: 'completed' }])
    const followed: Followed[] = []
    for await (const each of app.at(root).follow(null)) followed.push(each)
    expect(followed[0]?.event).toMatchObject({ type: 'run.started', run, goal })
    expect(followed.at(-1)?.state.status).toBe('completed')
  }
  await expect(app.at(one).readRun('001-make-files-there')).rejects.toMatchObject({ code: 'USAGE_NO_RUN' })
}, 120_000)

test('a program of its own uses the built library', async () => {
  const library = [createProject({ config: { checks: ['true'], review: false } }), createProject()]
  projects.push(...library)
  const program = resolve(import.meta.dirname, '../kit/library-program.js')
  const [first] = library as [Project]
  const ran = await promisify(execFile)(process.execPath, [program, ...library.map(({ root }) => root)], {
    cwd: dirname(first.root),
    env: environmentOf(first),
  })
  expect(ran.stderr).toBe('')
  const { types, ...seen } = JSON.parse(ran.stdout) as { types: string[] }
  expect(seen).toEqual({
    run: '001-make-files',
    status: 'completed',
    applied: true,
    isEqual: true,
    isWhole: true,
    runs: [1, 0],
    refusal: 'USAGE_NO_RUN',
  })
  expect([types[0], types.at(-1)]).toEqual(['run.started', 'run.applied'])
}, 120_000)
