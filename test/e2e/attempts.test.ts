import { describe, expect, test, vi } from 'vitest'
import type { Event } from '../../src/model/event.ts'
import { listening, noted, projects, received, turns } from '../kit/outside.ts'
import { type Project } from '../kit/project.ts'

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
