import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, listening, noted, projects, received } from '../kit/outside.ts'
import { type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const codes = `if (role === 'coder') { write(task + '.txt', env.LOOPER_TURN); answer({ status: 'complete' }) }\n`
/** No second chances but those that a test is about. */
const strict = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits: strict }
const failed = (project: Project): unknown[] => found(project, 'attempt.failed').map(({ failure }) => failure)

describe.concurrent('parallel work', () => {
  /** The first two meet where two may run at once: each waits until the other has begun. */
  const overlapping = (parallel: number): string => `
if (role === 'coder') {
  note('spans', 'begin ' + task)
  const begun = () => fs.readFileSync(path.join(env.NOTES, 'spans'), 'utf8').split('\\n').filter((line) => line.startsWith('begin')).length
  while (begun() < ${parallel}) await sleep(10)
  await sleep(150)
  note('spans', 'end ' + task)
}`
  const peak = (project: Project): number => {
    let now = 0
    return Math.max(...noted(project, 'spans').map((line) => (line.startsWith('begin') ? ++now : now--)))
  }

  test.each([1, 2])('parallel %d is respected, priorities and dependencies order what starts', async (parallel) => {
    const project = create({
      config: { ...quick, parallel },
      agent: `${listening}${overlapping(parallel)}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x', priority: 3 }, { id: 'T002', title: 'x', priority: 1 }, { id: 'T003', title: 'x', priority: 2 }, { id: 'T004', title: 'x', dependsOn: ['T001', 'T002'] }] })
${codes}`,
    })
    expect(await project.looper('run', 'share out')).toMatchObject({ code: 0 })
    expect(peak(project)).toBe(parallel)
    const started = found(project, 'task.started').map(({ task }) => task)
    expect(started).toEqual(['T002', 'T003', 'T001', 'T004'])
    const spans = noted(project, 'spans')
    for (const before of ['T001', 'T002'])
      expect(spans.indexOf(`begin T004`)).toBeGreaterThan(spans.indexOf(`end ${before}`))
    expect(project.git('ls-tree', '--name-only', (await project.status()).branch).split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
      'T003.txt',
      'T004.txt',
    ])
  })

  const clash = `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }] })
if (role === 'coder') {
  // Both have read the same base before either writes.
  note('ready', task)
  while (attempt === 1 && fs.readFileSync(path.join(env.NOTES, 'ready'), 'utf8').split('\\n').length < 3) await sleep(10)
  if (attempt > 1) { note('base', fs.readFileSync('README.md', 'utf8').trim()); fs.appendFileSync('README.md', 'and ' + task + '\\n') }
  else write('README.md', task + '\\n')
  answer({ status: 'complete' })
}`
  test('a conflict sends the task back once, on the new base and with the conflict in its prompt', async () => {
    const project = create({ config: quick, agent: clash })
    expect(await project.looper('run', 'clash')).toMatchObject({ code: 0 })
    const [late] = found(project, 'attempt.failed').map(({ task }) => task)
    const early = late === 'T001' ? 'T002' : 'T001'
    expect(failed(project)).toMatchObject([{ kind: 'conflict', summary: expect.stringContaining('README.md') }])
    expect(noted(project, 'base')).toEqual([early])
    expect(received(project, `${late}/a2/implement`)).toMatch(/conflict[^]*README\.md/)
    expect(project.git('show', `${(await project.status()).branch}:README.md`)).toBe(`${early}\nand ${late}`)
  })

  test('F15: conflicts that no agent may resolve are retried on the new run branch, without using an attempt', async () => {
    const project = create({
      config: { ...quick, limits: { fixCycles: 0, attempts: 1, splitDepth: 0, goalIterations: 0 } },
      agent: `${listening}
const { execFileSync } = await import('node:child_process')
const landed = async (text) => {
  // Its own clone does not know the run branch.
  const show = ['-C', path.join(env.NOTES, '../repo'), 'show', 'looper/' + env.LOOPER_RUN + ':README.md']
  while (!execFileSync('git', show, { encoding: 'utf8' }).includes(text)) await sleep(20)
}
const noted = async (name) => { while (!fs.existsSync(path.join(env.NOTES, name))) await sleep(20) }
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'unlucky' }, { id: 'T002', title: 'first' }, { id: 'T003', title: 'second', dependsOn: ['T002'] }] })
if (role === 'coder') {
  if (task === 'T001' && attempt === 1) await landed('T002')
  if (task === 'T001' && attempt === 2) { note('again', ''); await landed('T003') }
  if (task === 'T003') await noted('again')
  write('README.md', task + '\\n')
  answer({ status: 'complete' })
}`,
    })
    expect(await project.looper('run', 'clash')).toMatchObject({ code: 0 })
    expect(failed(project)).toMatchObject([{ kind: 'conflict' }, { kind: 'conflict' }])
    const status = await project.status()
    expect(status.tasks).toMatchObject([{ status: 'done', attempts: 3 }, { status: 'done' }, { status: 'done' }])
    expect(project.git('show', `${status.branch}:README.md`)).toBe('T001')
  })

  test('checks run again on the merged result: green apart and red together is fixed on the merged tree', async () => {
    const project = create({
      config: {
        ...quick,
        limits: { ...strict, fixCycles: 1 },
        checks: ['test ! -e T001.txt -o ! -e T002.txt -o -e both.txt || { echo cannot have both; exit 5; }'],
      },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }] })
if (purpose === 'fix') { note('files', fs.readdirSync('.').filter((name) => name.endsWith('.txt')).toSorted().join()); write('both.txt', ''); answer({ status: 'complete' }) }
if (purpose === 'implement') {
  note('ready', task)
  while (fs.readFileSync(path.join(env.NOTES, 'ready'), 'utf8').split('\\n').length < 3) await sleep(10)
  write(task + '.txt', ''); answer({ status: 'complete' })
}`,
    })
    expect(await project.looper('run', 'merge')).toMatchObject({ code: 0 })
    const [{ task: late } = { task: '' }] = found(project, 'attempt.fixing')
    expect(received(project, `${late}/a1/fix1`)).toContain('cannot have both')
    expect(noted(project, 'files')).toEqual(['T001.txt,T002.txt'])
    expect(found(project, 'check.finished').some(({ merged, passed }) => merged && !passed)).toBe(true)
    const status = await project.status()
    for (const task of status.tasks)
      expect(task).toMatchObject({ status: 'done', attempts: 1, evidence: [{ exitCode: 0 }] })
  })
})

describe.concurrent('orders while it rests', () => {
  test('task skip, retry and add change what a resumed run does', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'bad' }, { id: 'T002', title: 'worse' }] })
if (/T00[12]/.test(task) && !fs.existsSync(path.join(env.NOTES, 'fixed'))) process.exit(1)
${codes}`,
    })
    expect(await project.looper('run', 'orders')).toMatchObject({ code: 1 })
    expect(await project.looper('task', 'skip', 'T002', '--reason', 'not today')).toMatchObject({ code: 0 })
    expect(
      await project.looper('task', 'add', 'one more thing', '--criterion', 'it shines', '--after', 'T001'),
    ).toMatchObject({ code: 0 })
    expect(await project.looper('task', 'add', 'astray', '--after', 'T099')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('T099'),
    })
    beside(project, 'notes/fixed', '')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    const status = await project.status()
    expect(status).toMatchObject({
      status: 'completed',
      tasks: [
        { status: 'done', attempts: 2 },
        { status: 'cancelled', reason: 'not today' },
        { id: 'T003', status: 'done', dependsOn: ['T001'] },
      ],
    })
    expect(received(project, 'T003/a1/implement')).toContain('it shines')
  })
})
