import { rmSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import type { Event, EventType } from '../../src/model/event.ts'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project?.remove())

const make = (agent: string, config: Record<string, unknown> = {}, files: Record<string, string> = {}): Project => {
  project = createProject({ agent, files, config: { review: false, parallel: 1, ...config } })
  return project
}
const of = <T extends EventType>(type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const plan = (...tasks: (string | Record<string, unknown>)[]): string =>
  `if (role === 'planner' && purpose === 'plan') answer({ status: 'plan', tasks: ${JSON.stringify(tasks.map((task) => (typeof task === 'string' ? { id: task, title: task } : { title: task['id'], ...task })))} })\n`
const done = `answer({ status: 'complete', summary: 'made ' + task })`

describe('a backlog', () => {
  const todo = (...ids: string[]): string =>
    `${JSON.stringify({ schema_version: 1, project: { name: 'x', root: '.' }, source_files: [], tasks: ids.map((id) => ({ id, title: id, priority: 1, status: 'todo' })) }, null, 2)}\n`
  const statuses = (): Record<string, string> =>
    Object.fromEntries(
      (JSON.parse(project.read('to-do.json')) as { tasks: { id: string; status: string }[] }).tasks.map(
        ({ id, status }) => [id, status],
      ),
    )
  const iterator = `if (role === 'iterator') { write(task + '.txt', 'x'); answer({ task_id: task, status: 'done', summary: 'made ' + task }) }`

  test('says what is to be done again after a rollback', async () => {
    make(iterator)
    project.write('to-do.json', todo('T1', 'T2'))
    expect((await project.looper('run')).code).toBe(0)
    expect(statuses()).toEqual({ T1: 'done', T2: 'done' })
    expect(await project.looper('rollback', '--to', 'C1')).toMatchObject({ code: 0 })
    expect(statuses()).toEqual({ T1: 'done', T2: 'todo' })
    const ended = await project.looper('resume')
    expect(ended, ended.stdout).toMatchObject({ code: 0 })
    expect(statuses()).toEqual({ T1: 'done', T2: 'done' })
  })

  test('a check of the wave that turns red finds its culprit there too', async () => {
    make(
      `if (role === 'iterator') { write(task + '.txt', 'x'); if (task === 'T2' && !prompt.includes('passed before T2 landed')) write('broken', ''); answer({ task_id: task, status: 'done', summary: 'made ' + task }) }`,
      { checks: ['true', { name: 'slow', run: 'test ! -e broken', when: 'wave' }] },
    )
    project.write('to-do.json', todo('T1', 'T2', 'T3'))
    const ended = await project.looper('run')
    expect(ended, ended.stdout).toMatchObject({ code: 0 })
    expect(of('task.undone')).toMatchObject([{ task: 'T2', why: 'culprit' }])
    expect(statuses()).toEqual({ T1: 'done', T2: 'done', T3: 'done' })
  })
})

describe('in place', () => {
  const place = { workspace: { mode: 'in-place' } }

  test('a weakening by a failed attempt is found in the next one too, and resolved when it is reverted', async () => {
    const [kept, skipped] = [
      "import test from 'node:test'\ntest('stands', () => {})\n",
      "import test from 'node:test'\ntest.skip('stands', () => {})\n",
    ]
    make(
      `${plan('T001')}if (role === 'coder') {
      if (attempt === 1) write('a.test.mjs', ${JSON.stringify(skipped)})
      if (attempt === 3) write('a.test.mjs', ${JSON.stringify(kept)})
      write('a.txt', 'try ' + attempt); ${done} }`,
      { ...place, limits: { fixCycles: 0, attempts: 3 } },
      { 'a.test.mjs': kept },
    )
    const ended = await project.looper('run', 'make things')
    expect(ended, ended.stdout).toMatchObject({ code: 0 })
    expect(of('attempt.failed')).toMatchObject([{ failure: { kind: 'tamper' } }, { failure: { kind: 'tamper' } }])
    expect(of('finding.raised')).toMatchObject([
      { severity: 'BLOCKER', origin: 'T001/a1/inspect0', detail: expect.stringContaining('a.test.mjs › stands') },
    ])
    expect((await project.looper('report')).stdout).toContain('**BLOCKER, fixed since** T001')
  })

  test('a check of the wave that is red at the end of a backlog keeps it from being completed', async () => {
    const todo = JSON.stringify({
      tasks: [
        { id: 'T1', title: 'one' },
        { id: 'T2', title: 'two' },
      ],
    })
    make(
      `if (role === 'iterator') { write(task + '.txt', 'x'); answer({ task_id: task, status: 'done', summary: 'done' }) }`,
      { ...place, workflow: 'backlog', checks: ['true', { name: 'together', run: 'test ! -e T2.txt', when: 'wave' }] },
      { 'to-do.json': todo },
    )
    const ended = await project.looper('run')
    expect(ended.code).toBe(1)
    expect(await project.status()).toMatchObject({
      status: 'failed',
      reason: 'the final checks are red: together',
      tasks: [{ status: 'done' }, { status: 'done' }],
    })
    expect((await project.looper('report')).stdout).toMatch(/Check `together` \*\*failed\*\*: exit 1/)
    rmSync(`${project.root}/T2.txt`)
    expect((await project.looper('resume')).code).toBe(0)
  })
})
