import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
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
const branch = 'looper/001-make-things'
const health = (): string[] => of('health.changed').map((event) => event.health)

describe('waves that are reviewed (workflow meta)', () => {
  const reviews = (condition: string): string => `
    if (role === 'supervisor' && purpose === 'review-wave') { note('reviews', 'x'); const n = fs.readFileSync(path.join(env.NOTES, 'reviews'), 'utf8').length / 2
      answer({ score: 80, verdicts: [...prompt.matchAll(/^(T\\d+) \\[done\\]/gm)].map(([, task]) => ({ task, approved: ${condition}, feedback: 'not so' })) }) }
    else if (role === 'supervisor') answer({ score: 90 })`
  const coder = `if (role === 'coder') { write(task + '.txt', task + attempt); ${done} }`
  const config = { workflow: 'meta', review: true, parallel: 4 }

  test('regress: results that fall two waves running are rolled back to the last good, and the journal stays', async () => {
    const first = ['T001', 'T002', 'T003', 'T004']
    make(
      `${plan(...first, { id: 'T005', dependsOn: first })}${coder}${reviews(`!(n === 3 && /T00[34]/.test(task)) && !(n === 4 && /T00[125]/.test(task))`)}`,
      config,
    )
    const ended = await project.looper('run', 'make things')
    expect(ended, ended.stdout).toMatchObject({ code: 0 })
    expect(health()).toContain('REGRESSING')
    const [back] = of('rolled.back')
    expect(back).toMatchObject({ why: 'REGRESSING', checkpoint: 'C2' })
    expect(project.git('rev-parse', back?.kept ?? '')).toBe(back?.from)
    expect(project.git('cat-file', '-p', 'refs/looper/001-make-things/checkpoints/C1')).toContain('true')
  })

  test('flip-flop by status: rolled back, asked about, and the next coder reads what failed', async () => {
    make(
      `${plan('T001', 'T002')}if (role === 'coder' && task === 'T002') note('prompts', prompt)
      ${coder}${reviews(`task !== 'T002' || n > 3`)}`,
      config,
    )
    expect((await project.looper('run', 'make things')).code).toBe(3)
    expect(health()).toContain('FLIP-FLOPPING')
    expect((await project.status()).questions).toMatchObject([
      { text: expect.stringContaining('T002 was done and undone 2 times') },
    ])
    await project.looper('answer', 'Q1', 'as it is written')
    expect((await project.looper('resume')).code).toBe(0)
    expect(readFileSync(`${project.notes}/prompts`, 'utf8')).toContain('What was tried and failed')
  })

  test.each([
    [
      'what a task made of it',
      'two',
      `!(n === 3 && task === 'T001') && !(n === 4 && task === 'T002')`,
      'a.txt is again as T001 left it in wave 2, and no more passes than then',
    ],
    [
      'what it was on the base',
      'base',
      `!(n === 3 && /T00[12]/.test(task))`,
      'a.txt is again as it was before T001 changed it in wave 2, and no more passes than then',
    ],
  ])('flip-flop by content: a file that returns to %s', async (_name, second, approved, evidence) => {
    make(
      `${plan('T001', { id: 'T002', dependsOn: ['T001'] })}if (role === 'coder' && task !== 'T000') { write('a.txt', task === 'T001' ? 'one' : '${second}'); ${done} }
      else ${coder}${reviews(approved)}`,
      { ...config, parallel: 1 },
      { 'a.txt': 'base' },
    )
    expect((await project.looper('run', 'make things')).code).toBe(3)
    expect(of('health.changed')).toMatchObject([{ health: 'FLIP-FLOPPING', evidence }])
    expect((await project.status()).questions).toMatchObject([{ text: expect.stringContaining(evidence) }])
  })
})

describe('rollback by a person', () => {
  test('to a checkpoint: at once on a run that rests, on its own branch only, and what it undid is done again', async () => {
    make(`${plan('T001', 'T002')}if (role === 'coder') { write(task + '.txt', 'x'); ${done} }`)
    expect((await project.looper('run', 'make things')).code).toBe(0)
    const head = project.git('rev-parse', 'HEAD')
    const told = await project.looper('rollback', '1', '--to', 'C1')
    expect(told, told.stderr).toMatchObject({
      code: 0,
      stdout:
        '001-make-things: rolled back to C1; `looper resume 1` runs the undone tasks again. '
        + 'The undone commits are kept in refs/looper/001-make-things/set-aside/1\n',
    })
    expect(project.git('ls-tree', '--name-only', branch)).not.toContain('T002.txt')
    expect(project.git('rev-parse', 'HEAD')).toBe(head)
    expect(await project.status()).toMatchObject({ status: 'paused', tasks: [{ status: 'done' }, { status: 'todo' }] })
    expect((await project.looper('resume')).code).toBe(0)
    expect(project.git('ls-tree', '--name-only', branch)).toContain('T002.txt')
  })

  test('of a live run: what it is at is called off, and it goes on from there', async () => {
    make(`${plan('T001', { id: 'T002', dependsOn: ['T001'] }, { id: 'T003', dependsOn: ['T002'] })}if (role === 'coder') { note('begun', task)
      if (task === 'T003' && attempt === 1) await sleep(600_000)
      write(task + '.txt', 'x'); ${done} }`)
    const run = project.start('run', 'make things')
    const ended = once(run, 'exit')
    const begun = (): string[] =>
      existsSync(`${project.notes}/begun`) ? readFileSync(`${project.notes}/begun`, 'utf8').trim().split('\n') : []
    while (!begun().includes('T003'))
      await new Promise((tick) => {
        setTimeout(tick, 20)
      })
    const told = await project.looper('rollback', '--to', 'C1')
    expect(told, told.stderr).toMatchObject({
      code: 0,
      stdout: '001-make-things: rolling back to C1; the undone tasks will run again\n',
    })
    expect((await ended)[0]).toBe(0)
    expect(of('rolled.back')).toMatchObject([{ checkpoint: 'C1', why: 'person', tasks: ['T002'] }])
    expect(begun()).toEqual(['T001', 'T002', 'T003', 'T002', 'T003'])
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done' }, { status: 'done' }, { status: 'done' }],
    })
  })

  test.each([['C9'], ['HEAD'], ['--upload-pack=x']])('%s is refused in a line, and nothing moves', async (to) => {
    make(`${plan('T001')}if (role === 'coder') { write('a.txt', 'x'); ${done} }`)
    await project.looper('run', 'make things')
    const before = project.git('rev-parse', branch)
    const told = await project.looper('rollback', `--to=${to}`)
    expect(told.code).toBe(2)
    expect(told.stderr).toMatch(/^looper: there is no checkpoint or commit of this run called .*\n/)
    expect(project.git('rev-parse', branch)).toBe(before)
  })
})
