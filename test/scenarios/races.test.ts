import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
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
const branch = 'looper/001-make-things'
const landed = (file: string): string => project.git('show', `${branch}:${file}`)

test('race: side by side with different agents, the smaller change lands, the other is kept', async () => {
  // Who has not begun when another could land does not begin any more.
  const together = `note('at' + attempt, ''); while (!fs.existsSync(path.join(env.NOTES, 'at' + (3 - attempt)))) await sleep(20)`
  make(
    `${plan({ id: 'T001', complexity: 'complex' })}if (role === 'coder') { ${together}; write('a.txt', 'x\\n'.repeat(attempt === 1 ? 9 : 2)); ${done} }`,
    { parallel: 2, race: { complex: 2 } },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  expect(of('race.decided')).toMatchObject([{ winner: 2, losers: [1] }])
  expect(landed('a.txt').split('\n')).toHaveLength(2)
  const refs = project.git('for-each-ref', '--format=%(refname)', 'refs/looper').split('\n')
  expect(
    refs.some(
      (ref) =>
        project.git('ls-tree', '-r', '--name-only', ref).includes('a.txt')
        && project.git('show', `${ref}:a.txt`).split('\n').length === 9,
    ),
  ).toBe(true)
})

test('race: those who raced give their worktrees back to the next', async () => {
  const complex = (id: string, ...dependsOn: string[]): Record<string, unknown> => ({
    id,
    complexity: 'complex',
    dependsOn,
  })
  make(
    `${plan(complex('T001'), complex('T002', 'T001'), complex('T003', 'T002'))}if (role === 'coder') { note('trees', path.basename(process.cwd())); write(task + '.txt', 'x'); ${done} }`,
    { parallel: 2, race: { complex: 2 } },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  const trees = readFileSync(`${project.notes}/trees`, 'utf8').trim().split('\n')
  expect(trees).toHaveLength(6)
  expect(new Set(trees).size).toBe(2)
})

test('race: who is still on the way out when the task is done gives the worktree back as well', async () => {
  make(
    `${plan({ id: 'T001', complexity: 'complex' }, { id: 'T002', dependsOn: ['T001'] })}
    const known = (name) => fs.existsSync(path.join(env.NOTES, name))
    const until = async (name) => { while (!known(name)) await sleep(20) }
    if (role === 'coder' && task === 'T001' && attempt === 1) { await until('fixing'); write('a.txt', 'good'); ${done} }
    if (role === 'coder' && task === 'T001' && attempt === 2 && purpose !== 'fix') { write('a.txt', 'bad'); ${done} }
    if (role === 'coder' && task === 'T001' && attempt === 2 && purpose === 'fix') {
      for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => setTimeout(() => process.exit(1), 1_500))
      note('fixing', 'x'); await sleep(600_000)
    }
    if (role === 'coder' && task === 'T002') { await sleep(3_000); answer({ status: 'needs_clarification', questions: [{ text: 'Which?' }] }) }`,
    { parallel: 2, race: { complex: 2 }, checks: ['grep -q good a.txt'], checkReruns: 0, baseline: 'off' },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 3 })
  const [checkout = ''] = readdirSync(project.workspaces)
  const places = join(project.workspaces, checkout, '001-make-things/.state')
  const held = readdirSync(places)
    .filter((name) => name.endsWith('.lease'))
    .map((name) => JSON.parse(readFileSync(join(places, name), 'utf8')) as { workspace: string; held: boolean })
    .filter((lease) => lease.held)
  expect(held.map(({ workspace }) => workspace)).not.toContain('T001~1')
})
