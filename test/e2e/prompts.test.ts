/**
 * What agents are told and what their answers lead to: feedback that arrives, and policies that no answer can talk
 * round.
 */
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { listening, projects, received, turns } from '../kit/outside.ts'
import { cooperative, type Project } from '../kit/project.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const one = (more = ''): string =>
  `if (role === 'planner' && purpose === 'plan') answer({ tasks: [{ id: 'T001', title: 'only'${more} }] })\n`
const judges = `if (role === 'tester') answer({ status: 'passed', total: 1 })\nif (role === 'supervisor') answer({ score: 90 })\n`
const codes = `if (role === 'coder') { write(task + '.txt', env.LOOPER_TURN); answer({ status: 'complete' }) }\n`
/** No second chances but those that a test is about. */
const strict = { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 }
const quick = { review: false, limits: strict }

describe.concurrent('A3: plan review', () => {
  test('the reviewer’s feedback is in the planner’s next prompt, with every point of it', async () => {
    const project = create({
      config: { checks: ['true'], limits: strict },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: purpose === 'plan' ? 'a hasty title' : 'a better title', criteria: ['the crate is varnished'] }] })
if (purpose === 'review-plan') answer(env.LOOPER_TURN.includes('r0')
  ? { score: 55, approved: true, summary: 'promising but thin', feedback: 'Say who feeds the walrus.', issues: [{ severity: 'major', message: 'No word on the tide.' }], missing: ['a harbour map'] }
  : { score: 71 })
if (role === 'tester' || purpose.startsWith('verify')) { ${judges} }
${codes}`,
    })
    expect(await project.looper('run', 'sail across the bay')).toMatchObject({ code: 0, stderr: '' })
    expect(turns(project).slice(0, 4)).toEqual([
      'plan/r0 planner plan',
      'plan/r0/review supervisor review-plan',
      'plan/r1 planner revise',
      'plan/r1/review supervisor review-plan',
    ])
    const prompt = received(project, 'plan/r1')
    for (const said of [
      'promising but thin',
      'Say who feeds the walrus.',
      'No word on the tide.',
      'a harbour map',
      '55',
      'a hasty title',
      'sail across the bay',
    ]) {
      expect(prompt).toContain(said)
    }
    expect(received(project, 'plan/r0/review')).toContain('the crate is varnished')
    expect(received(project, 'plan/r1/review')).toContain('a better title')
    expect(found(project, 'plan.rejected')).toMatchObject([{ revision: 0, score: 55 }])
    expect(await project.status()).toMatchObject({ tasks: [{ title: 'a better title' }] })
  })

  test.each([
    ['skip_and_continue', 10, 0, 'skipped'],
    ['lower_threshold', 50, 0, 'lowered'],
    ['lower_threshold', 49, 1, null],
    ['abort', 69, 1, null],
  ] as const)('onPlanRejected %s with a score of %d exits %d', async (onPlanRejected, score, code, why) => {
    const project = create({
      config: { onPlanRejected, limits: { ...strict, planRevisions: 1 } },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'only' }] })
if (purpose === 'review-plan') answer({ score: ${score} })
else { ${judges} }
${codes}`,
    })
    expect(await project.looper('run', 'be judged')).toMatchObject({ code })
    expect(turns(project).filter((turn) => turn.includes('planner'))).toHaveLength(2)
    expect(found(project, 'plan.accepted')).toMatchObject(why === null ? [] : [{ why, score }])
    if (code === 1)
      expect(await project.status()).toMatchObject({
        status: 'failed',
        reason: expect.stringContaining(String(score)),
        tasks: [],
      })
  })

  test('more than five issues end the run, whatever the score says', async () => {
    const issues = Array.from({ length: 6 }, (_, n) => ({ severity: 'major', message: `point ${n}` }))
    const project = create({
      agent: `${listening}${one()}
if (purpose === 'review-plan') answer({ score: 95, approved: true, issues: ${JSON.stringify(issues)} })`,
    })
    const { code, stdout } = await project.looper('run', 'be judged')
    expect(code).toBe(1)
    expect(stdout).toContain('abort')
    expect(found(project, 'verdict.given')).toMatchObject([{ verdict: { level: 'abort', approved: false } }])
    expect(turns(project)).toHaveLength(2)
  })
})

describe.concurrent('A5, A7: the ladder and the goal', () => {
  test('attempts used up: split into T001.1 and T001.2, and what waited for T001 waits for both', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, attempts: 2, splitDepth: 1 } },
      agent: `${listening}
if (purpose === 'plan') answer({ tasks: [{ id: 'T001', title: 'too much' }, { id: 'T002', title: 'after', dependsOn: ['T001'] }] })
if (purpose === 'split') answer({ tasks: [{ id: 'a', title: 'half' }, { id: 'b', title: 'other half', dependsOn: ['a'] }] })
if (task === 'T001' && role === 'coder') answer({ status: 'complete' })
else { ${codes} }`,
    })
    const { code, stdout } = await project.looper('run', 'carry much')
    expect(code).toBe(0)
    expect(stdout).toContain('T001.1')
    expect(turns(project)).toContain('T001/split2 planner split')
    expect(received(project, 'T001/split2')).toMatch(/too much[^]*changed nothing/)
    const status = await project.status()
    expect(status).toMatchObject({ status: 'completed' })
    expect(status.tasks).toMatchObject([
      { id: 'T001', status: 'split', attempts: 2, evidence: [] },
      { id: 'T002', status: 'done', dependsOn: ['T001'] },
      { id: 'T001.1', status: 'done', parent: 'T001', dependsOn: [] },
      { id: 'T001.2', status: 'done', parent: 'T001', dependsOn: ['T001.1'] },
    ])
    const order = found(project, 'task.finished')
      .filter(({ status: end }) => end === 'done')
      .map(({ task }) => task)
    expect(order).toEqual(['T001.1', 'T001.2', 'T002'])
  })

  test('a failed task: the others go on, it is retried for the goal, and the run never ends completed', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, goalIterations: 2 } },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'bad' }, { id: 'T002', title: 'good' }, { id: 'T003', title: 'waits for bad', dependsOn: ['T001'] }] })
if (task === 'T001') process.exit(1)
${codes}`,
    })
    const { code, stdout, stderr } = await project.looper('run', 'half of it')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(stdout).not.toMatch(/\bcompleted\b/)
    const status = await project.status()
    expect(status).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('T001'),
      tasks: [{ status: 'failed', attempts: 3 }, { status: 'done' }, { status: 'todo', attempts: 0 }],
    })
    expect(turns(project).filter((turn) => turn.startsWith('T003'))).toEqual([])
    const report = project.read('.looper/runs/last/report.md')
    expect(report.split('\n')[0]).toContain('FAILED')
    expect(report).toContain('exited with code 1')
    expect(project.git('ls-tree', '--name-only', status.branch)).toContain('T002.txt')
  })

  test('the goal is not verified: exit 1 with the supervisor’s words, although all tasks are done', async () => {
    const project = create({
      config: { limits: strict },
      agent: `${listening}${one()}${codes}
if (purpose === 'verify-goal') answer({ score: 30, feedback: 'The bridge ends in the air.', missing: ['the far half'] })
else { ${judges} }`,
    })
    const { code, stdout } = await project.looper('run', 'build a bridge')
    expect(code).toBe(1)
    expect(stdout).toContain('The bridge ends in the air.')
    expect(await project.status()).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('The bridge ends in the air.'),
      tasks: [{ status: 'done' }],
    })
    expect(project.read('.looper/runs/last/report.md')).toContain('the far half')
  })

  test('more than half of four tasks failed: the run gives up at once', async () => {
    const project = create({
      config: { ...quick, parallel: 1, limits: { ...strict, goalIterations: 5 } },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [1, 2, 3, 4].map((n) => ({ id: 'T00' + n, title: 'x' })) })
if (role === 'coder') answer({ status: 'complete' })`,
    })
    expect(await project.looper('run', 'too bad')).toMatchObject({ code: 1 })
    expect(await project.status()).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('3 of 4'),
      tasks: [{}, {}, {}, { status: 'todo', attempts: 0 }],
    })
  })

  test('review: false asks only planner and coder', async () => {
    const project = create({ config: { ...quick, checks: ['test -e T001.txt'] }, agent: `${listening}${cooperative}` })
    expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0 })
    expect(turns(project).map((turn) => turn.split(' ')[1])).toEqual(['planner', 'coder', 'coder'])
    expect(found(project, 'verdict.given')).toEqual([])
    expect(found(project, 'plan.accepted')).toMatchObject([{ score: null, why: 'unreviewed' }])
  })
})
