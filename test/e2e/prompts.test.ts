/**
 * What agents are told and what their answers lead to: feedback that arrives, and policies that no answer can talk
 * round.
 */
import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { beside, listening, noted, projects, received, turns } from '../kit/outside.ts'
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
const failed = (project: Project): unknown[] => found(project, 'attempt.failed').map(({ failure }) => failure)

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

describe.concurrent('A4: an attempt', () => {
  test('criteria reach coder, tester and verifier; the verifier gets the diff, the checks’ results and the tester’s words', async () => {
    const project = create({
      config: { checks: ['echo the check speaks'], limits: strict },
      agent: `${listening}
${one(", description: 'Paint the fence.', criteria: ['the fence is green', 'no drop on the lawn']")}
if (role === 'coder') { write('fence.txt', 'a coat of green'); answer({ status: 'complete', summary: 'painted it with a brush' }) }
if (role === 'tester') answer({ status: 'passed', total: 3, passed: 3, summary: 'touched it with a finger' })
if (role === 'supervisor') answer({ score: 80 })`,
    })
    expect(await project.looper('run', 'a nice garden')).toMatchObject({ code: 0 })
    for (const turn of ['T001/a1/implement', 'T001/a1/test0', 'T001/a1/verify0']) {
      for (const said of ['the fence is green', 'no drop on the lawn', 'Paint the fence.', 'a nice garden'])
        expect(received(project, turn)).toContain(said)
    }
    const verifier = received(project, 'T001/a1/verify0')
    for (const said of [
      '+a coat of green',
      'fence.txt',
      'echo the check speaks',
      'painted it with a brush',
      'touched it with a finger',
    ])
      expect(verifier).toContain(said)
    expect(received(project, 'gate/g1/verify')).toContain('the fence is green')
  })

  test('a red check: its output is in the prompt of the fix, and the fix completes the same attempt', async () => {
    const project = create({
      config: { ...quick, checks: ['cat said.txt; test -e T001.fixed'], limits: { ...strict, fixCycles: 3 } },
      agent: `${listening}${one(", criteria: ['it is fixed']")}
if (purpose === 'implement') { write('said.txt', 'AssertionError: expected 4 walruses, got 3\\n'); answer({ status: 'complete' }) }
if (purpose === 'fix' && env.LOOPER_TURN.endsWith('fix2')) write('T001.fixed', '')
if (purpose === 'fix') { fs.appendFileSync('said.txt', 'seen in ' + env.LOOPER_TURN + '\\n'); answer({ status: 'complete' }) }`,
    })
    const { code, stdout } = await project.looper('run', 'fix')
    expect(code).toBe(0)
    expect(stdout).toContain('exit 1')
    expect(turns(project)).toEqual([
      'plan/r0 planner plan',
      'T001/a1/implement coder implement',
      'T001/a1/fix1 coder fix',
      'T001/a1/fix2 coder fix',
    ])
    expect(received(project, 'T001/a1/fix1')).toContain('expected 4 walruses, got 3')
    expect(received(project, 'T001/a1/fix1')).toContain('it is fixed')
    expect(received(project, 'T001/a1/fix2')).toContain('seen in T001/a1/fix1')
    expect(await project.status()).toMatchObject({ tasks: [{ status: 'done', attempts: 1, fixCycles: 2 }] })
  })

  test('fixes used up: the next attempt starts clean and knows the last failure; fixCycles 0 means none', async () => {
    const project = create({
      config: {
        ...quick,
        baseline: 'off',
        checks: ['cat said.txt; false'],
        limits: { ...strict, attempts: 2, fixCycles: 1 },
      },
      agent: `${listening}${one()}
note('files', env.LOOPER_TURN + ' ' + fs.readdirSync('.').filter((name) => name !== '.git').toSorted())
if (role === 'coder') { write('said.txt', 'boom ' + env.LOOPER_TURN); answer({ status: 'complete' }) }`,
    })
    const { code } = await project.looper('run', 'fail')
    expect(code).toBe(1)
    expect(turns(project).map((turn) => turn.split(' ')[0])).toEqual([
      'plan/r0',
      'T001/a1/implement',
      'T001/a1/fix1',
      'T001/a2/implement',
      'T001/a2/fix1',
    ])
    expect(received(project, 'T001/a2/implement')).toContain('boom T001/a1/fix1')
    expect(noted(project, 'files')).toContain('T001/a2/implement README.md')
    expect(await project.status()).toMatchObject({
      status: 'failed',
      tasks: [{ status: 'failed', attempts: 2, evidence: [] }],
    })
  })

  test('a tester’s failures are fixed, with their names and errors in the prompt; zero tests are no pass', async () => {
    const project = create({
      config: { limits: { ...strict, fixCycles: 2 } },
      agent: `${listening}${one()}${codes}
if (role === 'tester' && env.LOOPER_TURN.endsWith('test0')) answer({ status: 'passed', total: 2, passed: 1, failed: 1, failures: [{ name: 'adds up', file: 'sum.test.js', error: '3 is not 4' }] })
else if (role === 'tester' && env.LOOPER_TURN.endsWith('test1')) answer({ status: 'passed', total: 0 })
else { ${judges} }`,
    })
    expect(await project.looper('run', 'test it')).toMatchObject({ code: 0 })
    for (const said of ['adds up', 'sum.test.js', '3 is not 4'])
      expect(received(project, 'T001/a1/fix1')).toContain(said)
    expect(received(project, 'T001/a1/fix2')).toMatch(/no test/i)
    expect(await project.status()).toMatchObject({ tasks: [{ attempts: 1, fixCycles: 2 }] })
  })

  test('a check that runs zero tests is no pass', async () => {
    const project = create({
      config: { ...quick, baseline: 'off', checks: ['echo "ran 0 tests"; echo "# tests 0"; echo "# pass 0"'] },
      agent: `${one()}${codes}`,
    })
    const { code, stdout } = await project.looper('run', 'test nothing')
    expect(code).toBe(3)
    expect(stdout).toMatch(/no test/)
    expect(await project.status()).toMatchObject({ status: 'paused', tasks: [{ evidence: [] }] })
    expect(project.events().filter(({ type }) => type === 'task.finished')).toEqual([])
  })

  test('a rejecting supervisor: approved: true with a low score is a rejection; the next coder reads all of it', async () => {
    const project = create({
      config: { limits: { ...strict, attempts: 2 } },
      agent: `${listening}${one()}${codes}
if (purpose === 'verify-task' && attempt === 1) answer({ score: 45, approved: true, level: 'none', summary: 'crooked', feedback: 'Straighten the mast.', issues: [{ severity: 'critical', message: 'It leans.' }], missing: ['a plumb line'] })
else { ${judges} }`,
    })
    const { code, stdout } = await project.looper('run', 'build a mast')
    expect(code).toBe(0)
    expect(stdout).toContain('45')
    for (const said of ['crooked', 'Straighten the mast.', 'It leans.', 'a plumb line', '45'])
      expect(received(project, 'T001/a2/implement')).toContain(said)
    expect(received(project, 'T001/a2/verify0')).toContain('Straighten the mast.')
    expect(found(project, 'verdict.given').filter(({ subject }) => subject.kind === 'task')).toMatchObject([
      { verdict: { level: 'correct', approved: false } },
      { verdict: { level: 'none', approved: true } },
    ])
    expect(await project.status()).toMatchObject({ tasks: [{ attempts: 2, status: 'done' }] })
  })

  test('a score of 100 does not overrule a red check, neither for a task nor at the gate', async () => {
    const generous = `${listening}${one()}${codes}if (role === 'tester') answer({ status: 'passed', total: 1 })\nif (role === 'supervisor') answer({ score: 100, approved: true })\n`
    const red = create({ config: { baseline: 'off', checks: ['exit 3'], limits: strict }, agent: generous })
    expect(await red.looper('run', 'be red')).toMatchObject({ code: 1 })
    expect(await red.status()).toMatchObject({
      status: 'failed',
      tasks: [{ status: 'failed', reason: expect.stringContaining('exit 3'), evidence: [] }],
    })

    // Nothing landed, so the gate has to look at the whole itself.
    const gate = create({
      config: { checks: ['test -e T001.txt'], limits: strict },
      agent: `if (role === 'coder') process.exit(1)\n${generous}`,
    })
    expect(await gate.looper('run', 'be red at the gate')).toMatchObject({ code: 1 })
    expect(await gate.looper('task', 'skip', 'T001')).toMatchObject({ code: 0 })
    expect(await gate.looper('resume')).toMatchObject({ code: 1, stdout: expect.stringContaining('exit 1') })
    expect(await gate.status()).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('test -e T001.txt'),
      tasks: [{ status: 'cancelled' }],
    })
    expect(turns(gate).at(-1)).not.toContain('verify-goal')
  })

  test('an agent that says complete and changed nothing is not done', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, attempts: 2 } },
      agent: `${listening}${one()}
if (role === 'coder') answer({ status: 'complete', summary: 'all done, honestly', files: ['x.txt'] })`,
    })
    expect(await project.looper('run', 'do nothing')).toMatchObject({ code: 1 })
    expect(failed(project)).toMatchObject([{ kind: 'no-change' }, { kind: 'no-change' }])
    expect(received(project, 'T001/a2/implement')).toContain('changed nothing')
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

describe.concurrent('questions, blocks and discoveries', () => {
  test('a coder’s question without a default parks its task, the rest goes on, and the answer reaches the next prompt', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'asks' }, { id: 'T002', title: 'goes on' }] })
if (task === 'T001' && !prompt.includes('use the blue one')) answer({ status: 'needs_clarification', questions: [{ text: 'Which paint?', options: ['the red one', 'the blue one'] }] })
else { ${codes} }`,
    })
    const asked = await project.looper('run', 'ask')
    expect(asked).toMatchObject({ code: 3, stderr: '' })
    expect(asked.stdout).toMatch(/Which paint\?[^]*looper answer Q1/)
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('Which paint?'),
      tasks: [{ status: 'blocked' }, { status: 'done' }],
      questions: [{ id: 'Q1', text: 'Which paint?', answer: null }],
    })
    expect(await project.looper('resume')).toMatchObject({ code: 3 })
    expect(await project.looper('answer', 'Q9', 'what')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Q9'),
    })
    expect(await project.looper('answer', 'Q1', 'use the blue one')).toMatchObject({ code: 0 })
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(received(project, 'T001/a2/implement')).toMatch(/Which paint\?[^]*use the blue one/)
    expect(await project.status()).toMatchObject({
      status: 'completed',
      questions: [{ id: 'Q1', answer: 'use the blue one' }],
      tasks: [{ status: 'done', attempts: 2 }, { attempts: 1 }],
    })
    expect(project.read('.looper/runs/last/report.md')).toContain('use the blue one')
  })

  test('a coder’s question with a default: its task goes on with it, and one asked beside the work is kept', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, attempts: 2 } },
      agent: `${listening}${one()}
if (role === 'coder' && attempt === 1) answer({ status: 'needs_clarification', questions: [{ text: 'Which paint?', default: 'the green one' }] })
else if (role === 'coder') { write('x.txt', 'x'); answer({ status: 'complete', questions: [{ text: 'And the door?', default: 'as it is' }, { text: 'And the roof?' }] }) }`,
    })
    expect(await project.looper('run', 'ask')).toMatchObject({ code: 0, stderr: '' })
    expect(received(project, 'T001/a2/implement')).toMatch(/Which paint\?[^]*the green one/)
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done', attempts: 2 }],
      questions: [
        { id: 'Q1', answer: 'the green one' },
        { id: 'Q2', text: 'And the door?', answer: 'as it is' },
        { id: 'Q3', answer: null },
      ],
    })
    expect(project.read('.looper/runs/last/report.md')).toMatch(/And the roof\?.*not answered/)
  })

  test('a planner’s questions: one with a default goes on with it, one without waits for a person', async () => {
    const agent = (question: string): string => `${listening}
if (purpose === 'plan') answer({ status: 'needs_clarification', questions: [${question}] })
if (purpose === 'revise') answer({ tasks: [{ id: 'T001', title: 'x' }] })
${codes}`
    const easy = create({ config: quick, agent: agent(`{ text: 'Which tide?', default: 'the ebb' }`) })
    expect(await easy.looper('run', 'sail')).toMatchObject({ code: 0 })
    expect(received(easy, 'plan/r1')).toMatch(/Which tide\?[^]*the ebb/)
    expect(await easy.status()).toMatchObject({ questions: [{ answer: 'the ebb' }] })

    const hard = create({ config: quick, agent: agent(`{ text: 'Which tide?' }`) })
    expect(await hard.looper('run', 'sail')).toMatchObject({ code: 3 })
    expect(await hard.looper('answer', 'Q1', 'the flood')).toMatchObject({ code: 0 })
    expect(await hard.looper('resume')).toMatchObject({ code: 0 })
    expect(received(hard, 'plan/r1')).toContain('the flood')
  })

  test('a question that blocks one task of the plan holds back only that one', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }], questions: [{ text: 'How high?', blocks: ['T002'] }] })
${codes}`,
    })
    expect(await project.looper('run', 'jump')).toMatchObject({ code: 3 })
    expect(await project.status()).toMatchObject({ tasks: [{ status: 'done' }, { status: 'blocked', attempts: 0 }] })
    await project.looper('answer', 'Q1', 'six feet')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(received(project, 'T002/a1/implement')).toContain('six feet')
  })

  test('a blocked task: the others finish, the run pauses with the blocker; after resume it is tried again', async () => {
    const project = create({
      config: quick,
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }, { id: 'T002', title: 'y' }] })
if (task === 'T001' && !fs.existsSync(path.join(env.NOTES, 'fixed'))) answer({ status: 'blocked', summary: 'stuck', blocker: { kind: 'external', reason: 'the sluice is shut' } })
else { ${codes} }`,
    })
    const { code, stdout } = await project.looper('run', 'row')
    expect(code).toBe(3)
    expect(stdout).toContain('the sluice is shut')
    expect(await project.status()).toMatchObject({
      status: 'paused',
      tasks: [{ status: 'blocked', block: 'external', reason: 'the sluice is shut' }, { status: 'done' }],
    })
    beside(project, 'notes/fixed', '')
    expect(await project.looper('resume')).toMatchObject({ code: 0 })
    expect(await project.status()).toMatchObject({
      status: 'completed',
      tasks: [{ status: 'done', attempts: 2 }, { attempts: 1 }],
    })
  })

  test('new tasks and decisions of a coder join the plan, and reach later prompts', async () => {
    const project = create({
      config: { ...quick, limits: { ...strict, splitDepth: 1 } },
      agent: `${listening}
if (role === 'planner') answer({ tasks: [{ id: 'T001', title: 'x' }], decisions: [{ title: 'Wood', choice: 'oak', context: 'it floats', alternatives: [{ option: 'iron', why: 'sinks' }] }] })
if (task === 'T001') { write('x.txt', 'x'); answer({ status: 'complete', newTasks: [{ title: 'caulk the seams', criteria: ['dry inside'] }, { id: 'last', title: 'paint', dependsOn: ['T001'] }], decisions: [{ title: 'Nails', choice: 'brass' }] }) }
else { ${codes} }`,
    })
    expect(await project.looper('run', 'build')).toMatchObject({ code: 0 })
    const status = await project.status()
    expect(status.tasks).toMatchObject([
      { id: 'T001' },
      { id: 'T002', title: 'caulk the seams', criteria: ['dry inside'], status: 'done' },
      { id: 'T003', title: 'paint', dependsOn: ['T001'], status: 'done' },
    ])
    for (const said of ['oak', 'brass', 'dry inside']) expect(received(project, 'T002/a1/implement')).toContain(said)
    expect(found(project, 'decision.recorded')).toMatchObject([
      { decision: { id: 'D1', choice: 'oak' } },
      { decision: { id: 'D2', task: 'T001', choice: 'brass' } },
    ])
  })

  test('the prompts of a project replace Looper’s own', async () => {
    const project = create({ config: quick, agent: `${listening}${one()}${codes}` })
    project.write('.looper/prompts/coder.implement.md', 'My own words for ${TASK}.\n\n${CONTEXT}\n\n${RESULT}\n')
    expect(await project.looper('run', 'own words')).toMatchObject({ code: 0 })
    expect(received(project, 'T001/a1/implement')).toMatch(/^My own words for T001\.\n/)
    project.write('.looper/prompts/coder.implement.md', 'My own ${WORDS}.')
    const { code, stderr } = await project.looper('run', 'own words')
    expect(code).toBe(2)
    expect(stderr).toContain('${WORDS}')
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
