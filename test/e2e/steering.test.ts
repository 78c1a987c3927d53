import { afterEach, describe, expect, test } from 'vitest'
import { eventsSoFar, follow, go, held, notes, noting, removeAll, survivors, until, type Process } from '../kit/live.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

const branch = 'looper/001-make-two-files'
const quick = { review: false, checks: ['true'] }

let project: Project
afterEach(() => removeAll(project))

const begin = (): Process => follow(project.start('run', 'make two files'))

describe('steering', () => {
  const waitingTwo = `${noting}
const chain = ['T001', 'T002', 'T003'].map((id, place, all) => ({ id, title: id, dependsOn: all.slice(Math.max(0, place - 1), place) }))
if (role === 'planner') answer({ status: 'plan', tasks: chain })
else { if (task === 'T001') await hold('coder'); ${cooperative} }`

  const steer = async (...words: string[]): Promise<void> =>
    expect(await project.looper(...words)).toMatchObject({ code: 0, stderr: '' })
  const filesOf = (): string[] =>
    project
      .git('ls-tree', '-r', '--name-only', branch)
      .split('\n')
      .filter((name) => name !== 'README.md')

  test('a live run: a task is added, one is skipped, one under way is skipped and ends', async () => {
    project = createProject({ agent: waitingTwo, config: quick })
    const looper = begin()
    await held(project, 'coder')
    await steer('task', 'add', 'four', '--after', 'T001', '--criterion', 'it is there')
    await steer('task', 'skip', 'T002', '--reason', 'not needed')
    expect(await project.looper('task', 'add', 'x', '--after', 'T099')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('T099'),
    })
    expect(await project.looper('task', 'skip', 'T099')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('T099'),
    })
    expect(await project.looper('task', 'retry', 'T001')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('T001 is doing'),
    })
    await until('the skipping', () =>
      eventsSoFar(project).some((event) => event.type === 'task.finished' && event.task === 'T002'),
    )
    await steer('task', 'skip', 'T001')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(filesOf()).toEqual(['T003.txt', 'T004.txt'])
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [
        { id: 'T001', status: 'cancelled', reason: 'skipped by the user' },
        { id: 'T002', status: 'cancelled', reason: 'not needed' },
        { id: 'T003', status: 'done' },
        { id: 'T004', title: 'four', status: 'done', criteria: ['it is there'], dependsOn: ['T001'] },
      ],
    })
    expect(survivors(project)).toEqual([])
  })

  test('a paused run: what was asked is done after the resume', async () => {
    project = createProject({ agent: waitingTwo, config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    await looper.ended
    await steer('task', 'add', 'four')
    await steer('task', 'skip', 'T002')
    await steer('task', 'retry', 'T002')
    await steer('task', 'skip', 'T003')
    expect(await project.looper('task', 'retry', 'T001')).toMatchObject({ code: 2 })
    const { status, tasks } = await project.status()
    expect([status, ...tasks.map((task) => task.status)]).toEqual(['paused', 'doing', 'todo', 'cancelled', 'todo'])
    go(project, 'coder')
    await steer('resume')
    expect(filesOf()).toEqual(['T001.txt', 'T002.txt', 'T004.txt'])
  })

  test('orders to a run whose engine was killed are kept for the next one', async () => {
    project = createProject({ agent: waitingTwo, config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGKILL')
    await looper.ended
    await steer('task', 'skip', 'T001')
    await steer('task', 'add', 'four')
    await steer('resume')
    expect(filesOf()).toEqual(['T002.txt', 'T003.txt', 'T004.txt'])
    expect(survivors(project)).toEqual([])
  })

  test('a failed task of a live run is tried again when asked, and the run still completes', async () => {
    project = createProject({
      agent: `${noting}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
else if (task === 'T001' && !may('fixed')) process.exit(1)
else { if (task === 'T002') await hold('coder'); ${cooperative} }`,
      config: { ...quick, limits: { attempts: 1, goalIterations: 0 } },
    })
    const looper = begin()
    await held(project, 'coder')
    const finished = (status: string): boolean =>
      eventsSoFar(project).some(
        (event) => event.type === 'task.finished' && event.task === 'T001' && event.status === status,
      )
    await until('the failure', () => finished('failed'))
    go(project, 'fixed')
    await steer('task', 'retry', 'T001')
    await until('the retry', () => finished('done'))
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    const tasks = [
      { id: 'T001', status: 'done', attempts: 2 },
      { id: 'T002', status: 'done', attempts: 1 },
    ]
    expect(await project.status()).toMatchObject({ status: 'completed', tasks })
  })

  const asking = `${noting}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
else if (task === 'T001' && attempt === 1) answer({ status: 'needs_clarification', summary: '', questions: [{ text: 'Which color?' }] })
else {
  if (task === 'T002') await hold('coder')
  if (task === 'T001') note('prompts', prompt.includes('rather green') ? 'told' : 'not told')
  ${cooperative}
}`
  const question = (): boolean =>
    eventsSoFar(project).some((event) => event.type === 'task.finished' && event.status === 'blocked')

  test('a question of a live run is answered: its task goes on with the answer in its prompt', async () => {
    project = createProject({ agent: asking, config: quick })
    const looper = begin()
    await Promise.all([held(project, 'coder'), until('the question', question)])
    expect(await project.looper('answer', 'Q9', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining('Q9') })
    await steer('answer', 'Q1', 'rather green')
    await until('the second attempt', () => notes(project, 'prompts').length > 0)
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(notes(project, 'prompts')).toEqual(['told'])
    expect(await project.status()).toMatchObject({
      status: 'completed',
      questions: [{ id: 'Q1', answer: 'rather green' }],
    })
  })

  test('a run that waits for an answer pauses with exit 3, and goes on once it has it', async () => {
    project = createProject({ agent: asking, config: quick })
    go(project, 'coder')
    const paused = await project.looper('run', 'make two files')
    expect(paused).toMatchObject({ code: 3, stderr: '' })
    expect(paused.stdout).toContain('Which color?')
    const tasks = [{ status: 'blocked' }, { status: 'done' }]
    expect(await project.status()).toMatchObject({ status: 'paused', pause: { kind: 'question' }, tasks })
    expect(await project.looper('resume')).toMatchObject({ code: 3 })
    await steer('answer', 'Q1', 'rather green')
    await steer('resume')
    expect(notes(project, 'prompts')).toEqual(['told'])
    expect(filesOf()).toEqual(['T001.txt', 'T002.txt'])
  })
})
