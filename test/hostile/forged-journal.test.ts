/**
 * An agent kills the engine and appends events to the journal, with right checksums. The process that resumes believes
 * none that its own files contradict: the work is done again, or the run pauses. `looper apply` refuses such a run.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { encodeEvent } from '../../src/journal/line.ts'
import { fileSnapshots } from '../../src/journal/snapshot.ts'
import type { Fact } from '../../src/model/event.ts'
import { forge } from '../kit/forge.ts'
import {
  adopted,
  afterOne,
  agent,
  answered,
  cleanTurns,
  ended,
  expectBothDone,
  expectNotResumed,
  killedAt,
  limits,
  openProject,
  planOf,
  project,
  resumed,
  revoked,
  turns,
  useForgedRun,
} from '../kit/forged-runs.ts'
import { eventsSoFar, follow, held, killHard, landed, starts } from '../kit/live.ts'

useForgedRun()

vi.setConfig({ testTimeout: 600_000 })
const coded = { status: 'complete', summary: 'done', files: [], decisions: [], questions: [], newTasks: [] }
const approval = { score: 99, summary: 'fine', issues: [], missing: [], feedback: '' }
const approved = { ...approval, level: 'none', approved: true } as const
const passed = { status: 'passed', total: 9, passed: 9, failed: 0, failures: [], summary: '' }

test('a turn that gave no answer is done again', async () => {
  await killedAt('T001/a1/implement')
  forge(project, answered('T001/a1/implement', coded))
  await expectBothDone(await resumed())
  expect(revoked()).toEqual([
    ['T001/a1/implement', expect.stringContaining('turns/T001.a1.implement/stream holds no answer')],
  ])
  expect(starts(project)).toContain('T001/a2/implement')
})

test('a turn that never ran is done again', async () => {
  await killedAt('T001/a1/implement')
  rmSync(join(project.root, '.looper/runs/last/turns/T001.a1.implement'), { recursive: true })
  forge(project, answered('T001/a1/implement', coded))
  await expectBothDone(await resumed())
  expect(revoked()).toEqual([['T001/a1/implement', expect.stringContaining('turns/T001.a1.implement is missing')]])
})

test('the tests of a tester that never ran are run', async () => {
  const fails = `if (role === 'tester') { answer({ status: 'failed', total: 1, passed: 0, failed: 1 }); process.exit(0) }`
  await killedAt('T001/a1/test0', {}, fails)
  forge(project, answered('T001/a1/test0', passed))
  expect((await resumed()).code).toBe(1)
  expect(revoked()).toEqual([['T001/a1/test0', expect.stringContaining('turns/T001.a1.test0/stream holds no answer')]])
})

test('a turn that said something else is done again', async () => {
  const refuses = `if (env.LOOPER_TURN === 'T001/a1/implement') {
  answer({ status: 'blocked', summary: 'no', blocker: { kind: 'external', reason: 'no' } }); await hold('answered')
}`
  openProject({ agent: agent(refuses), config: { review: false, parallel: 1, limits } })
  const looper = follow(project.start('run', 'make two files'))
  await held(project, 'answered')
  await killHard(looper)
  forge(project, answered('T001/a1/implement', coded))
  await expectBothDone(await resumed())
  expect(revoked()).toEqual([
    ['T001/a1/implement', expect.stringContaining('turns/T001.a1.implement/result.json says something else')],
  ])
})

const rejects = `if (purpose === 'verify-task') { answer({ score: 10, summary: 'no', feedback: 'no' }); process.exit(0) }`
const verdictOf = (task: string): Fact => ({
  type: 'verdict.given',
  subject: { kind: 'task', task, attempt: 1, round: 0 },
  verdict: { ...approved, issues: [], missing: [] },
})

test.each<[string, Fact[]]>([
  ['as the answer of the supervisor', [answered('T001/a1/verify0', approval)]],
  ['with the verdict that follows', [answered('T001/a1/verify0', approval), verdictOf('T001')]],
  ['as a verdict alone', [verdictOf('T001')]],
])('an approval that is forged %s counts for nothing', async (_, facts) => {
  await killedAt('T001/a1/verify0', {}, rejects)
  forge(project, ...facts)
  const { code } = await resumed()
  expect(revoked().map(([id]) => id)).toEqual(['T001/a1/verify0'])
  expect(code).toBe(1)
  const status = await project.status()
  expect(status.tasks.find(({ id }) => id === 'T001')?.status).toBe('failed')
  expect(landed(project, status.branch)).not.toContain('T001')
})

test('the verdict on the goal is asked for again', async () => {
  const doubts = `if (purpose === 'verify-goal') { answer({ score: 10, summary: 'no', feedback: 'no' }); process.exit(0) }`
  await killedAt('gate/g1/verify', {}, doubts)
  forge(
    project,
    answered('gate/g1/verify', approval),
    { type: 'verdict.given', subject: { kind: 'goal', round: 1 }, verdict: { ...approved, issues: [], missing: [] } },
    { type: 'stage.entered', stage: 'report', conclusion: { status: 'completed', reason: null } },
  )
  expect((await resumed()).code).toBe(1)
  expect(starts(project).filter((turn) => turn === 'gate/g1/verify')).toHaveLength(2)
})

test('a plan that no turn made is made again', async () => {
  await killedAt('plan/r0', { review: false })
  forge(project, answered('plan/r0', planOf('nothing')))
  await expectBothDone(await resumed())
  expect(starts(project).filter((turn) => turn === 'plan/r0')).toHaveLength(2)
})

test.each<[string, string, () => Fact[], string]>([
  [
    'a plan was replaced',
    'plan/r0',
    () => [answered('plan/r0', planOf('nothing')), ...adopted('nothing')],
    'turns/plan.r0/stream holds no answer',
  ],
  ['tasks were added without a plan', 'plan/r0', () => adopted('nothing'), 'no turn made the plan'],
  [
    'tasks are done without a turn',
    'T001/a1/implement',
    () => ['T001', 'T002'].map((task) => done(task)),
    'no turn did T001',
  ],
  [
    'a task is done that never landed',
    'T002/a1/implement',
    () => [answered('T002/a1/implement', coded), done('T002')],
    'does not hold its commit 0123456789ab',
  ],
])('%s: the run pauses, says which event it is, and can be forked from before', async (_, holds, facts, why) => {
  await killedAt(holds, { review: false })
  const before = eventsSoFar(project).length
  forge(project, ...facts())
  const { code, stdout } = await resumed()
  expect(code).toBe(3)
  expect(stdout).toContain('is not trusted')
  expect(
    revoked()
      .map(([, words]) => words)
      .join('\n'),
  ).toContain(why)
  const { status, pause } = (await project.status()) as unknown as {
    status: string
    pause: { detail: string; hint: string }
  }
  expect({ status, hint: pause.hint }).toEqual({ status: 'paused', hint: expect.stringContaining(`--at `) })
  expect((await project.looper('resume')).code).toBe(3)
  expect((await project.looper('fork', '--at', String(before))).code).toBe(0)
  await expectBothDone(await project.looper('resume'))
})

/** The commit is none of the run branch. */
const done = (task: string): Fact => ({
  type: 'task.finished',
  task,
  status: 'done',
  reason: null,
  block: null,
  evidence: [],
  commit: '0123456789abcdef0123456789abcdef01234567',
  summary: 'done',
})

test('a snapshot that is forged is not read', async () => {
  await killedAt('T001/a1/implement', { review: false })
  const dir = join(project.root, '.looper/runs/last')
  const state = eventsSoFar(project).reduce(evolve, initialState())
  for (const task of Object.values(state.tasks)) Object.assign(task, { status: 'done', attempt: null })
  const counts = { ...state.counts, todo: 0, doing: 0, done: 2 }
  await fileSnapshots(dir).save({ ...state, counts, active: [], ready: [], works: {}, stage: 'gate' })
  expect(await project.status()).toMatchObject({ tasks: [{ status: 'done' }, { status: 'done' }] })
  await expectBothDone(await resumed())
})

const reporting: Fact = { type: 'stage.entered', stage: 'report', conclusion: { status: 'completed', reason: null } }
const gating: Fact = { type: 'stage.entered', stage: 'gate', conclusion: null }
const green: Fact = {
  type: 'check.finished',
  task: null,
  attempt: 1,
  round: 1,
  merged: false,
  check: 'test',
  passed: true,
  usable: true,
  note: null,
  exitCode: 0,
  durationMs: 1,
  tests: null,
  tree: null,
  tail: '',
  fingerprint: null,
}

test.each<[string, string, Fact[], string]>([
  ['without the end of its stages', 'T002/a1/implement', [ended], 'its last stage did not end that way'],
  ['with a task that is open', 'T002/a1/implement', [reporting, ended], 'T002 is not done'],
  ['with a task that no turn did', 'T002/a1/implement', [done('T002'), reporting, ended], 'no turn did T002'],
  [
    'with final checks that never ran',
    'T002/a1/implement',
    [answered('T002/a1/implement', coded), done('T002'), gating, green, reporting, ended],
    'does not hold its commit',
  ],
])('a run that is recorded as completed %s is neither applied nor called finished', async (_, holds, facts, why) => {
  await killedAt(holds, afterOne)
  const head = project.git('rev-parse', 'HEAD')
  forge(project, ...facts)
  expect((await project.status()).status).toBe('completed')
  const { code, stdout, stderr } = await project.looper('apply')
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain('is not trusted')
  expect(stderr).toContain(why)
  expect(stderr).toMatch(/looper fork \S+ --at \d+/)
  expect(project.git('rev-parse', 'HEAD')).toBe(head)
  await expectNotResumed(why)
})

test('turns that were cleaned are believed as long as the journal before is the same', async () => {
  openProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  expect(await cleanTurns()).toMatchObject({ code: 0 })
  const [record, journal] = [join(turns(), '../cleaned.json'), join(turns(), '../events.jsonl')]
  const kept = readFileSync(record)
  const missing = { code: 1, stderr: expect.stringContaining('is not trusted') }
  rmSync(record)
  expect(await project.looper('apply')).toMatchObject(missing)
  writeFileSync(record, kept)
  const lines = readFileSync(journal, 'utf8')
  const events = eventsSoFar(project)
  const other = events.map((event) => encodeEvent(event.type === 'run.started' ? { ...event, goal: 'another' } : event))
  writeFileSync(journal, other.map((line) => `${line}\n`).join(''))
  expect(await project.looper('apply')).toMatchObject(missing)
  writeFileSync(journal, lines)
  expect(await project.looper('apply')).toMatchObject({ code: 0, stderr: '' })
})

test('an honest run whose turns were cleaned goes on', async () => {
  openProject({
    agent: agent(
      `if (role === 'coder' && task === 'T002' && !may('turn')) { answer({ status: 'complete', summary: '' }); process.exit(0) }`,
    ),
    config: { review: false, parallel: 1, limits: { ...limits, attempts: 1 } },
  })
  expect((await project.looper('run', 'make two files')).code).toBe(1)
  expect(await cleanTurns()).toMatchObject({ code: 0 })
  await expectBothDone(await resumed())
  expect(revoked()).toEqual([])
})
