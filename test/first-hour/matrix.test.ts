/** The first run on a repository of somebody else: with an agent that never helps, and with one that does. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { follow } from '../kit/live.ts'
import { createProject, type Ended, type Project } from '../kit/project.ts'
import { broken, sound, turning, type Repository } from './repositories.ts'

/** Plans four tasks, splits every one, and says "complete" of anything. */
const hopeless = `
const four = (names) => ({ status: 'plan', tasks: names.map((title) => ({ title: title + ' of ' + (task ?? 'the goal') })) })
if (role === 'planner') answer(four(purpose === 'split' ? ['half', 'rest'] : ['one', 'two', 'three', 'four']))
if (role === 'coder') { write('wrong-' + task + '.txt', String(Math.random())); answer({ status: 'complete', summary: 'done' }) }
`
const helpful = `
if (role === 'planner') answer({ status: 'plan', tasks: [{ title: 'Write hello.txt' }] })
if (role === 'coder') { write('hello.txt', 'hello\\n'); answer({ status: 'complete', summary: 'wrote hello.txt' }) }
`
const basics =
  'sh env git node cat cp ls mkdir mv rm rmdir sed grep head tail sleep true false test touch tr uname wc ps id stat dirname basename'
const found = execFileSync('sh', ['-c', `for name in ${basics}; do command -v $name; done`], { encoding: 'utf8' })
const paths = found.split('\n').filter((path) => path.startsWith('/'))

let project: Project
afterEach(() => project.remove())

function open(repository: Repository, agent: string): Record<string, string> {
  const { files, config, programs = {} } = repository
  project = createProject({ agent, files, config: { checks: null, review: false, ...config } })
  const bin = join(project.notes, 'bin')
  mkdirSync(bin)
  for (const path of paths) {
    const name = basename(path)
    symlinkSync(name === 'node' ? process.execPath : path, join(bin, name))
  }
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  repository.prepare?.(project)
  return { PATH: bin }
}

const run = (env: Record<string, string>): Promise<Ended> =>
  follow(project.startThrough([], env, 'run', 'Write hello.txt')).ended

const turns = (): string[] =>
  project
    .events()
    .flatMap((event) => (event.type === 'work.started' && event.work.kind === 'turn' ? [event.work.id] : []))
const ofTasks = (): string[] => turns().filter((id) => /^T\d/.test(id))

/** The first two lines of what the program says at the end, and of what `status` tells programs. */
async function messages(stdout: string): Promise<string[]> {
  const { reason } = await project.status()
  return [stdout.slice(stdout.indexOf('state ')), reason ?? ''].map((text) => text.split('\n').slice(0, 2).join('\n'))
}

describe.each([
  ['an agent that never helps, four tasks at a time', hopeless, 4],
  ['a helpful agent, one task at a time', helpful, 1],
])('with %s', (_name, agent, parallel) => {
  const inParallel = (repository: Repository): Repository => ({
    ...repository,
    config: { parallel, ...repository.config },
  })

  test.each(broken.map((one) => [one.name, one] as const))(
    '%s: pauses before a coder is paid',
    async (_, repository) => {
      const { code, stdout, stderr } = await run(open(inParallel(repository), agent))
      const output = stdout + stderr
      expect({ code, output }).toMatchObject({ code: 3 })
      expect(turns().length).toBeLessThanOrEqual(6)
      expect(ofTasks()).toEqual([])
      for (const message of await messages(stdout)) expect(message).toMatch(repository.cause ?? /^$/)
      if (repository.remedy) expect(output).toMatch(repository.remedy)
    },
  )
})

describe.each([1, 4])('with an agent that never helps, %i at a time', (parallel) => {
  test.each(turning.map((one) => [one.name, one] as const))(
    '%s: at most six turns are spent on it',
    async (_, repository) => {
      const { code, stdout, stderr } = await run(
        open({ ...repository, config: { parallel, ...repository.config } }, hopeless),
      )
      expect({ code, output: stdout + stderr }).toMatchObject({ code: 3 })
      expect(ofTasks().length).toBeLessThanOrEqual(6)
      expect(ofTasks().filter((id) => id.includes('/split'))).toEqual([])
      for (const message of await messages(stdout)) expect(message).toMatch(repository.cause ?? /^$/)
    },
  )
})

test.each(sound.map((one) => [one.name, one] as const))('%s: an honest task lands', async (_, repository) => {
  const { code, stdout, stderr } = await run(open(repository, helpful))
  expect({ code, output: stdout + stderr }).toMatchObject({ code: 0 })
  expect(project.git('show', 'looper/001-write-hello-txt:hello.txt')).toBe('hello')
})
