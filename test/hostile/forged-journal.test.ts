/**
 * An agent kills the engine and appends events to the journal, with right checksums. The process that resumes believes
 * none that its own files contradict: the work is done again, or the run pauses. `looper apply` refuses such a run.
 */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { checksum, encodeEvent } from '../../src/journal/line.ts'
import { fileSnapshots } from '../../src/journal/snapshot.ts'
import type { Fact } from '../../src/model/event.ts'
import type { RunState } from '../../src/model/state.ts'
import { noUsage } from '../../src/model/usage.ts'
import { endMarked } from '../../src/platform/sweep.ts'
import { forge } from '../kit/forge.ts'
import { eventsSoFar, follow, go, held, keyOf, killHard, landed, noting, removeAll, starts } from '../kit/live.ts'
import { createProject, type Ended, type Project } from '../kit/project.ts'

vi.setConfig({ testTimeout: 600_000 })

let project: Project
afterEach(() => removeAll(project))

const limits = { attempts: 2, fixCycles: 0, splitDepth: 0, goalIterations: 0, planRevisions: 0 }

/** Holds at the turn that is named, before its answer, until the test lets it go. */
const agent = (body = ''): string => `${noting}
if (env.LOOPER_TURN === env.HOLDS && !may('turn')) await hold('turn')
${body}
if (role === 'planner') answer({ status: 'plan', tasks: [{ id: 'T001', title: 'one' }, { id: 'T002', title: 'two' }] })
if (role === 'supervisor') answer({ score: 90, summary: 'fine' })
if (role === 'tester') answer({ status: 'passed', total: 1, passed: 1, failed: 0 })
if (role === 'coder') { write(task + '.txt', task); answer({ status: 'complete', summary: 'made ' + task }) }
`

/** A run whose engine was killed while the turn `holds` was under way. */
async function killedAt(holds: string, config: Record<string, unknown> = {}, body = ''): Promise<void> {
  project = createProject({
    agent: `env.HOLDS = '${holds}'\n${agent(body)}`,
    config: { review: true, parallel: 1, limits, ...config },
  })
  const looper = follow(project.start('run', 'make two files'))
  await held(project, 'turn')
  await killHard(looper)
  await endMarked(`${keyOf(project)}:`, { graceMs: 0 })
}

async function resumed(): Promise<Ended> {
  go(project, 'turn')
  return project.looper('resume')
}

const turns = (): string => join(project.root, '.looper/runs/last/turns')
const cleanTurns = (): Promise<Ended> => project.looper('clean', '--turns', '--keep', '0', '--yes')

const answered = (id: string, result: unknown): Fact => ({
  type: 'work.finished',
  id,
  outcome: { kind: 'turn', status: 'ok', result, usage: noUsage, durationMs: 1, sessionId: null, edited: [] },
})
const coded = { status: 'complete', summary: 'done', files: [], decisions: [], questions: [], newTasks: [] }
const approval = { score: 99, summary: 'fine', issues: [], missing: [], feedback: '' }
const approved = { ...approval, level: 'none', approved: true } as const
const passed = { status: 'passed', total: 9, passed: 9, failed: 0, failures: [], summary: '' }

const revoked = (): (readonly [string, string])[] =>
  eventsSoFar(project).flatMap((event) =>
    event.type === 'work.lost' && event.revokes !== undefined ? [[event.id, event.why] as const] : [],
  )

async function expectBothDone({ code, stderr }: Ended): Promise<void> {
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const { status, branch } = await project.status()
  expect({ status, landed: landed(project, branch).toSorted() }).toEqual({
    status: 'completed',
    landed: ['T001', 'T002'],
  })
}

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
  project = createProject({ agent: agent(refuses), config: { review: false, parallel: 1, limits } })
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

const planned = (title: string): Record<string, unknown> => ({
  id: 'T001',
  title,
  description: '',
  complexity: 'simple',
  type: null,
  dependsOn: [],
  criteria: [],
  checks: [],
  files: [],
  priority: null,
})
const planOf = (title: string): unknown => ({
  status: 'plan',
  tasks: [planned(title)],
  risks: [],
  assumptions: [],
  decisions: [],
  questions: [],
})
const added = (title: string): Fact =>
  ({
    type: 'task.added',
    origin: 'plan/r0',
    task: { ...planned(title), parent: null, depth: 0, priority: 1000 },
  }) as unknown as Fact
const adopted = (title: string): Fact[] => [
  { type: 'plan.accepted', revision: 0, score: null, why: 'unreviewed' },
  added(title),
  { type: 'stage.entered', stage: 'execute', conclusion: null },
]

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
const ended: Fact = { type: 'run.ended', status: 'completed', reason: null }
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

/** T001 has landed when the engine is killed, so that there is something to apply. */
const afterOne = { review: false, checks: [{ name: 'test', run: 'true' }] }

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

async function expectNotResumed(why: string): Promise<void> {
  const before = eventsSoFar(project).length
  const { code, stdout, stderr } = await resumed()
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(why)
  expect(stderr).toMatch(/is not trusted: .+ The run was not resumed\./)
  expect(stderr).toMatch(/Start again from before it: looper fork \S+ --at \d+/)
  expect(stderr).not.toContain('nothing to resume')
  expect(eventsSoFar(project)).toHaveLength(before)
}

test.each(['plan/r0', 'T001/a1/implement'])(
  'a run that is recorded as completed during %s, before anything landed, is found out by apply and resume',
  async (holds) => {
    await killedAt(holds, afterOne)
    const before = eventsSoFar(project).length
    forge(project, ended)
    const why = 'the run is recorded as completed, but its last stage did not end that way'
    for (const more of [[], ['--check']]) {
      const { code, stdout, stderr } = await project.looper('apply', ...more)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`Event ${before + 1} of the journal is not trusted: ${why}`)
    }
    await expectNotResumed(why)
    expect((await project.looper('fork', '--at', String(before))).code).toBe(0)
    await expectBothDone(await project.looper('resume'))
  },
)

test('apply and resume detect a recorded abort that was not requested', async () => {
  await killedAt('T002/a1/implement', afterOne)
  const before = eventsSoFar(project).length
  forge(project, { type: 'run.ended', status: 'aborted', reason: 'aborted by the user' })
  const why = 'the run is recorded as aborted, but no request to abort it is recorded'
  expect(await project.looper('apply')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(why) })
  await expectNotResumed(why)
  expect((await project.looper('fork', '--at', String(before))).code).toBe(0)
  await expectBothDone(await project.looper('resume'))
})

test('of an honest run that was aborted there is nothing to resume', async () => {
  await killedAt('T002/a1/implement', afterOne)
  expect((await project.looper('abort')).code).toBe(0)
  expect(await project.looper('resume')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('is aborted: there is nothing to resume'),
  })
  expect(await project.looper('apply')).toMatchObject({ code: 0, stderr: '' })
})

/** The snapshot says that it covers all events, with the state that is given. */
async function forgeSnapshot(change: (state: RunState) => Partial<RunState>): Promise<void> {
  const dir = join(project.root, '.looper/runs/last')
  const state = eventsSoFar(project).reduce(evolve, initialState())
  await fileSnapshots(dir).save(Object.assign(state, change(state)))
}

test.each<[string, (state: RunState) => Partial<RunState>]>([
  ['aborted', () => ({ status: 'aborted' })],
  ['completed', () => ({ status: 'completed' })],
  ['another goal and base', ({ base }) => ({ goal: 'nothing', base: { ...base, commit: '0'.repeat(40) } })],
])('a snapshot that says %s does not keep a run from being resumed', async (_, change) => {
  await killedAt('T001/a1/implement', { review: false })
  await forgeSnapshot(change)
  await expectBothDone(await resumed())
})

test('a snapshot with the number of an event that does not exist does not keep a run from being resumed', async () => {
  await killedAt('T001/a1/implement', { review: false })
  await forgeSnapshot(() => ({}))
  const file = join(project.root, '.looper/runs/last/state.json')
  const [line = '', body = ''] = readFileSync(file, 'utf8')
    .replaceAll(/"seq":\d+/g, '"seq":9999')
    .split(/(?<=\n)/)
  const head = line.slice(0, line.indexOf(',"sum"'))
  writeFileSync(file, `${head},"sum":"${checksum(body, crc32(head))}",\n${body}`)
  await expectBothDone(await resumed())
})

test('of an honest run that is completed there is nothing to resume, discarded or not', async () => {
  project = createProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  const finished = { code: 2, stderr: expect.stringContaining('is completed: there is nothing to resume') }
  expect(await project.looper('resume')).toMatchObject(finished)
  expect((await project.looper('discard', '--yes')).code).toBe(0)
  expect(await project.looper('resume')).toMatchObject(finished)
})

test('what the snapshot says about an earlier apply is not believed', async () => {
  project = createProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  const state = eventsSoFar(project).reduce(evolve, initialState())
  project.git('merge', '-q', state.branch)
  const applied = { commit: project.git('rev-parse', 'HEAD'), onto: 'main', at: state.lastAt }
  await fileSnapshots(join(project.root, '.looper/runs/last')).save({ ...state, applied })
  expect((await project.looper('apply')).code).toBe(0)
  expect(eventsSoFar(project).at(-1)).toMatchObject({ type: 'run.applied' })
})

test('a run whose final check left no log is not applied; with the log it is', async () => {
  project = createProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  const log = join(project.root, '.looper/runs/last/checks/gate.g1.check.1.log')
  renameSync(log, `${log}.away`)
  const missing = expect.stringContaining('checks/gate.g1.check.1.log is missing')
  expect(await project.looper('apply')).toMatchObject({ code: 1, stderr: missing })
  renameSync(`${log}.away`, log)
  expect(await project.looper('apply')).toMatchObject({ code: 0, stderr: '' })
})

test('an honest run is applied when its turns were cleaned, and when it is not finished', async () => {
  await killedAt('T002/a1/implement', afterOne)
  expect(await project.looper('apply')).toMatchObject({ code: 0, stderr: '' })
  expect((await resumed()).code).toBe(0)
  expect(await cleanTurns()).toMatchObject({ code: 0 })
  expect(await project.looper('apply')).toMatchObject({ code: 0, stderr: '' })
  expect(project.git('show', 'HEAD:T002.txt')).toBe('T002')
})

test('a forged plan of a run that is recorded as ended is found out without the folders of its turns', async () => {
  await killedAt('plan/r0', { review: false })
  const failed: Fact = { type: 'run.ended', status: 'failed', reason: 'no' }
  forge(project, answered('plan/r0', planOf('nothing')), ...adopted('nothing'), failed)
  expect(await cleanTurns()).toMatchObject({ code: 1, stdout: expect.stringContaining('Its turns were not removed.') })
  expect(readdirSync(turns())).toContain('plan.r0')
  rmSync(turns(), { recursive: true })
  expect(await resumed()).toMatchObject({ code: 3, stdout: expect.stringContaining('is not trusted') })
  expect(revoked()).toEqual([['plan/r0', expect.stringContaining('turns/plan.r0 is missing')]])
})

test('turns that were cleaned are believed as long as the journal before is the same', async () => {
  project = createProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
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
  project = createProject({
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
