import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { expect, test, vi } from 'vitest'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { checksum } from '../../src/journal/line.ts'
import { fileSnapshots } from '../../src/journal/snapshot.ts'
import type { Fact } from '../../src/model/event.ts'
import type { RunState } from '../../src/model/state.ts'
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
import { eventsSoFar } from '../kit/live.ts'

useForgedRun()

vi.setConfig({ testTimeout: 600_000 })

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
  openProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  const finished = { code: 2, stderr: expect.stringContaining('is completed: there is nothing to resume') }
  expect(await project.looper('resume')).toMatchObject(finished)
  expect((await project.looper('discard', '--yes')).code).toBe(0)
  expect(await project.looper('resume')).toMatchObject(finished)
})

test('what the snapshot says about an earlier apply is not believed', async () => {
  openProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
  expect((await project.looper('run', 'make two files')).code).toBe(0)
  const state = eventsSoFar(project).reduce(evolve, initialState())
  project.git('merge', '-q', state.branch)
  const applied = { commit: project.git('rev-parse', 'HEAD'), onto: 'main', at: state.lastAt }
  await fileSnapshots(join(project.root, '.looper/runs/last')).save({ ...state, applied })
  expect((await project.looper('apply')).code).toBe(0)
  expect(eventsSoFar(project).at(-1)).toMatchObject({ type: 'run.applied' })
})

test('a run whose final check left no log is not applied; with the log it is', async () => {
  openProject({ agent: agent(), config: { ...afterOne, parallel: 1, limits } })
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
