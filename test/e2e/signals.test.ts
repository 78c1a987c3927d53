/**
 * People stop, pause, abort and steer runs: the run does what was asked, whichever process runs it, and nothing survives
 * that should not.
 */
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import {
  eventsSoFar,
  follow,
  go,
  held,
  isRunning,
  landed,
  lives,
  notes,
  noting,
  pidOf,
  removeAll,
  shellIdentity,
  starts,
  survivors,
  until,
  type Process,
} from '../kit/live.ts'
import { cooperative, createProject, type Project } from '../kit/project.ts'

const branch = 'looper/001-make-two-files'
const quick = { review: false, checks: ['true'] }

let project: Project
afterEach(() => removeAll(project))

const begin = (): Process => follow(project.start('run', 'make two files'))

/** Its first coder waits until the test lets it go on; `before` is what else it does first. */
const waiting = (before = ''): string => `${noting}
if (task === 'T001' && !may('coder')) { ${before}; write('half.txt', 'half'); await hold('coder'); fs.rmSync('half.txt') }
${cooperative}`

const onSignals = (...signals: string[]): string =>
  signals.map((signal) => `process.on('${signal}', () => note('signals', '${signal}'))`).join(';')

async function completes(): Promise<void> {
  go(project, 'coder')
  expect(await project.looper('resume')).toMatchObject({ code: 0, stderr: '' })
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
  expect(project.git('ls-tree', '-r', '--name-only', branch).split('\n')).toEqual(['README.md', 'T001.txt', 'T002.txt'])
  expect(survivors(project)).toEqual([])
}

describe('a signal', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGQUIT'] as const)(
    '%s: the agent is asked to stop, the run pauses, exit 130, resume completes it (A9)',
    async (signal) => {
      const usage = `say({ type: 'usage', inputTokens: 40, costUsd: 0.25 })`
      project = createProject({
        agent: waiting(`process.on('SIGINT', () => { note('signals', 'SIGINT'); ${usage}; process.exit(1) })`),
        config: quick,
      })
      const looper = begin()
      await held(project, 'coder')
      looper.kill(signal)
      const { code, stdout, stderr } = await looper.ended
      expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
      expect(stdout).toContain('stopping…')
      expect(stdout).toContain('looper resume')
      expect(notes(project, 'signals')).toEqual(['SIGINT'])
      expect(survivors(project)).toEqual([])
      expect(await project.status()).toMatchObject({
        status: 'paused',
        reason: 'stopped by the user',
        pause: { kind: 'user', hint: expect.stringContaining('looper resume') },
        tasks: [{ status: 'doing', attempts: 1 }, { status: 'todo' }],
        usage: { inputTokens: 40, costUsd: 0.25 },
      })
      await completes()
      expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T001/a1/implement', 'T002/a1/implement'])
      expect(await project.status()).toMatchObject({
        status: 'completed',
        reason: null,
        tasks: [{ attempts: 1 }, { attempts: 1 }],
      })
    },
  )

  test('SIGHUP by default: the run continues without its terminal, and can be watched and stopped', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGHUP')
    expect(await project.status()).toMatchObject({ status: 'running', pid: looper.pid })
    go(project, 'coder')
    const { code, stdout, stderr } = await looper.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('the run continues without it: looper attach 1 shows it\n')
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(survivors(project)).toEqual([])
  })

  test('G5: SIGHUP with onHangup stop: as SIGTERM', async () => {
    project = createProject({ agent: waiting(), config: { ...quick, onHangup: 'stop' } })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGHUP')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: 'stopped because its terminal was closed',
    })
    await completes()
  })

  test('while the agent ignores SIGTERM: it is killed in the end', async () => {
    project = createProject({ agent: waiting(onSignals('SIGINT', 'SIGTERM', 'SIGHUP')), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(notes(project, 'signals')).toEqual(['SIGINT', 'SIGTERM'])
    expect(survivors(project)).toEqual([])
    await completes()
  })

  test('twice: it does not wait for agents', async () => {
    project = createProject({ agent: waiting(onSignals('SIGINT', 'SIGTERM', 'SIGHUP')), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    await until('the first request', () => notes(project, 'signals').length > 0)
    looper.kill('SIGINT')
    const { code, stdout, stderr } = await looper.ended
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' })
    expect(stdout).toContain('stopping now')
    expect(notes(project, 'signals')).toEqual(['SIGINT'])
    expect(survivors(project)).toEqual([])
    expect(await project.status()).toMatchObject({ status: 'paused', reason: 'stopped by the user' })
    await completes()
  })

  test('during a check: the check ends, and is run again after the resume', async () => {
    project = createProject({ agent: `${noting}${cooperative}` })
    const [begun, may] = [join(project.notes, 'checks'), join(project.notes, 'coder.go')]
    project.configure({
      ...quick,
      checks: [`echo ${shellIdentity} >> '${begun}'; trap '' INT TERM; until test -e '${may}'; do sleep 0.02; done`],
    })
    const looper = begin()
    const [checking = ''] = await until('a check', () => {
      const found = notes(project, 'checks')
      return found.length > 0 && found
    })
    // The checks of the base run beside the planner.
    await until('the plan', () => eventsSoFar(project).some(({ type }) => type === 'plan.accepted'))
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(lives(checking)).toBe(false)
    expect(survivors(project)).toEqual([])
    await completes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('during the set-up of a worktree, twice: it ends too', async () => {
    project = createProject({ agent: `${noting}${cooperative}` })
    const [begun, may] = [join(project.notes, 'setups'), join(project.notes, 'coder.go')]
    project.configure({
      ...quick,
      workspace: { setup: [`echo ${shellIdentity} >> '${begun}'; until test -e '${may}'; do sleep 0.02; done`] },
    })
    const looper = begin()
    const [setting = ''] = await until('a set-up', () => {
      const found = notes(project, 'setups')
      return found.length > 0 && found
    })
    looper.kill('SIGINT')
    await until('its being heard', () => looper.stdout().includes('stopping…'))
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(lives(setting)).toBe(false)
    expect(survivors(project)).toEqual([])
    await completes()
  })

  test('at once after the start: paused, or nothing has begun', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await until('its first words', () => looper.stdout() !== '')
    looper.kill('SIGINT')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(survivors(project)).toEqual([])
    await completes()
  })
})

test('its output is closed: the run continues', async () => {
  project = createProject({ agent: waiting(), config: quick })
  const child = project.start('run', 'make two files')
  const looper = follow(child)
  await held(project, 'coder')
  child.stdout?.destroy()
  child.stderr?.destroy()
  go(project, 'coder')
  expect((await looper.ended).code).toBe(0)
  expect(landed(project, branch)).toEqual(['T001', 'T002'])
})

describe('from another process', () => {
  test('looper stop: as the signal does', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    expect(await project.looper('stop')).toMatchObject({ code: 0, stderr: '' })
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'paused', reason: 'stopped by the user' })
    expect(survivors(project)).toEqual([])
    expect(await project.looper('stop')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('001-make-two-files is not under way'),
    })
    await completes()
  })

  test('looper pause: turns under way come to their end first, and nothing new begins', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    expect(await project.looper('pause')).toMatchObject({ code: 0, stderr: '' })
    await until('the request', () => eventsSoFar(project).some(({ type }) => type === 'stop.requested'))
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(true)
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 130, stderr: '' })
    const events = eventsSoFar(project)
    expect(events.filter((event) => event.type === 'work.lost' && event.id.startsWith('T001'))).toEqual([])
    expect(events.some((event) => event.type === 'work.finished' && event.id === 'T001/a1/implement')).toBe(true)
    expect(await project.status()).toMatchObject({ status: 'paused', pause: { kind: 'user' } })
    await completes()
    expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
  })

  test('A8, looper abort: the run ends for good, exit 1, and cannot be resumed', async () => {
    project = createProject({ agent: waiting(onSignals('SIGHUP')), config: quick })
    const looper = begin()
    await held(project, 'coder')
    expect(await project.looper('abort')).toMatchObject({ code: 0, stderr: '' })
    expect(await looper.ended).toMatchObject({ code: 1, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'aborted', reason: 'aborted by the user' })
    expect(survivors(project)).toEqual([])
    expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('aborted') })
  })

  test('looper abort of a paused run: it ends, and nothing more can be asked of it', async () => {
    project = createProject({ agent: waiting(), config: quick })
    const looper = begin()
    await held(project, 'coder')
    looper.kill('SIGINT')
    await looper.ended
    expect(await project.looper('abort')).toMatchObject({ code: 0, stderr: '' })
    expect(await project.status()).toMatchObject({ status: 'aborted' })
    for (const words of [['resume'], ['abort'], ['task', 'add', 'x']]) {
      expect(await project.looper(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining('aborted') })
    }
  })
})

test('a run that was discarded after a task had landed is not gone on with', async () => {
  project = createProject({
    agent: `${noting} if (task === 'T002') await hold('second')\n${cooperative}`,
    config: quick,
  })
  const looper = begin()
  await held(project, 'second')
  looper.kill('SIGINT')
  await looper.ended
  expect(await project.looper('discard', '--yes')).toMatchObject({ code: 0, stderr: '' })
  go(project, 'second')
  expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining('was discarded') })
  expect(project.git('branch', '--list', 'looper/*')).toBe('')
})

test('an order without a name is for the run under way, not for the newest', async () => {
  project = createProject({ agent: waiting(), config: quick })
  const looper = begin()
  await held(project, 'coder')
  expect(await project.looper('fork', '1', '--at', '1')).toMatchObject({ code: 0, stderr: '' })
  expect(await project.looper('stop')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('001-make-two-files: paused (stopped by the user)'),
  })
  expect((await looper.ended).code).toBe(130)
  expect(await project.status('1')).toMatchObject({ status: 'paused' })
  expect(await project.looper('stop')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/002-.* is not under way/),
  })
})
