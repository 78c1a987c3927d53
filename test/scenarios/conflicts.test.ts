import { readFileSync } from 'node:fs'
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

test('four tasks change one file at the same time: all four changes are there at the end', async () => {
  const tasks = ['T001', 'T002', 'T003', 'T004']
  make(
    `${plan(...tasks)}
    if (role === 'coder') {
      if (purpose === 'resolve-conflict') {
        note('resolved', task)
        write('list.txt', fs.readFileSync('list.txt', 'utf8').split('\\n').filter((line) => !/^(<<<<<<<|=======|>>>>>>>)/.test(line)).join('\\n'))
      } else {
        while (fs.readdirSync(env.NOTES).filter((name) => name.startsWith('at-')).length < 4) { write(path.join(env.NOTES, 'at-' + task), ''); await sleep(20) }
        fs.appendFileSync('list.txt', task + '\\n')
      }
      ${done}
    }`,
    { parallel: 4, checks: ['! grep -q "<<<<" list.txt'] },
    { 'list.txt': 'first\n' },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  expect(landed('list.txt').split('\n').toSorted()).toEqual(['T001', 'T002', 'T003', 'T004', 'first'])
  expect(
    of('work.started').filter(({ work }) => work.kind === 'turn' && work.purpose === 'resolve-conflict').length,
  ).toBeGreaterThan(0)
  expect(landed('list.txt')).not.toMatch(/[<>=]{7}/)
})

const meet = `write(path.join(env.NOTES, 'at-' + task), ''); while (fs.readdirSync(env.NOTES).filter((name) => name.startsWith('at-')).length < 2) await sleep(20)`

test('a resolver that keeps only its own side erases nothing: the task begins anew on what has landed', async () => {
  make(
    `${plan('T001', 'T002')}
    const { execFileSync } = await import('node:child_process')
    if (role === 'coder' && purpose === 'resolve-conflict') {
      const [, onto, own] = /landed is commit (\\w+); the task's own change is commit (\\w+)/.exec(prompt)
      const show = (commit) => execFileSync('git', ['show', commit + ':logo.bin'])
      note('sides', task + ' ' + show(onto).toString('hex') + ' ' + show(own).toString('hex'))
      fs.writeFileSync('logo.bin', show(own))
      ${done}
    } else if (role === 'coder') {
      ${meet}
      fs.appendFileSync('logo.bin', task)
      ${done}
    }`,
    { parallel: 2 },
    { 'logo.bin': '\0logo' },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  const [failed] = of('attempt.failed')
  expect(failed?.failure).toMatchObject({
    kind: 'conflict',
    summary: 'the conflict was not resolved: only one side is kept of logo.bin',
  })
  const late = failed?.task ?? ''
  const early = late === 'T001' ? 'T002' : 'T001'
  const hex = (task: string): string => Buffer.from(`\0logo${task}`).toString('hex')
  expect(readFileSync(`${project.notes}/sides`, 'utf8').trim()).toBe(`${late} ${hex(early)} ${hex(late)}`)
  expect(landed('logo.bin')).toBe(`\0logo${early}${late}`)
})

test('an honest merge of a text about conflicts lands with the examples of both', async () => {
  const example = (label: string): string => `<<<<<<< ${label}\na\n=======\nb\n>>>>>>> ${label}\n`
  make(
    `${plan('T001', 'T002')}
    const example = (label) => '<<<<<<< ' + label + '\\na\\n=======\\nb\\n>>>>>>> ' + label + '\\n'
    if (role === 'coder' && purpose === 'resolve-conflict') { write('doc.md', example('old') + example('T001') + example('T002')); ${done} }
    else if (role === 'coder') { ${meet}; fs.appendFileSync('doc.md', example(task)); ${done} }`,
    { parallel: 2 },
    { 'doc.md': example('old') },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  expect(of('attempt.failed')).toEqual([])
  expect(`${landed('doc.md')}\n`).toBe(example('old') + example('T001') + example('T002'))
})
