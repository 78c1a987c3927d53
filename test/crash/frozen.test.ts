/**
 * An engine that is stopped (SIGSTOP, a debugger, a frozen container) still owns its run, and goes on as if nothing had
 * been.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, type TestContext } from 'vitest'
import { cooperative, createProject, type Project } from '../kit/project.ts'
import {
  eventsSoFar,
  follow,
  go,
  gone,
  held,
  isRunning,
  noting,
  pidOf,
  removeAll,
  starts,
  until,
  type Process,
} from '../kit/live.ts'
import { awake, fallAsleep, startWith, type Faults } from '../kit/faults.ts'
import { goal, smallProject, wrong } from './small-run.ts'

const run = '001-make-two-files'

function begin({ onTestFinished }: TestContext, project: Project, faults: Faults = {}): Process {
  const looper = follow(startWith(project, faults, 'run', goal))
  onTestFinished(async () => {
    if (isRunning(looper.pid)) looper.kill('SIGKILL')
    await looper.ended
    await removeAll(project)
  })
  return looper
}

async function completes(project: Project, looper: Process): Promise<void> {
  expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
  expect(await wrong(project)).toEqual([])
  expect(await project.status()).toMatchObject({
    status: 'completed',
    turns: 3,
    tasks: [{ attempts: 1 }, { attempts: 1 }],
  })
}

test('while an agent works: no other process gets the run, and the work of the agent counts', async (context) => {
  const project = createProject({
    agent: `${noting} if (task === 'T001') await hold('coder')\n${cooperative}`,
    config: { review: false },
  })
  const looper = begin(context, project)
  await held(project, 'coder')
  looper.kill('SIGSTOP')
  expect(await project.status()).toMatchObject({ status: 'running' })
  for (const words of [['resume'], ['discard', '--yes']]) {
    const refused = await project.looper(...words)
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(run) })
    expect(refused.stderr.trimEnd().split('\n')).toHaveLength(2)
  }
  go(project, 'coder')
  await gone(pidOf(project, 'T001/a1/implement'))
  expect(await project.looper('resume')).toMatchObject({ code: 2, stderr: expect.stringContaining(run) })
  expect(starts(project)).toHaveLength(2)
  const before = eventsSoFar(project)
  looper.kill('SIGCONT')
  await completes(project, looper)
  expect(eventsSoFar(project).slice(0, before.length)).toEqual(before)
})

test('`looper stop` continues it, and it stops', async (context) => {
  const project = createProject({
    agent: `${noting} if (task === 'T001') await hold('coder')\n${cooperative}`,
    config: { review: false },
  })
  const looper = begin(context, project)
  await held(project, 'coder')
  looper.kill('SIGSTOP')
  const told = await project.looper('stop')
  expect(told).toMatchObject({ code: 0, stderr: '' })
  expect(told.stdout).toContain(`${run}: its process ${looper.pid} was suspended and has been continued; paused`)
  expect(await looper.ended).toMatchObject({ code: 130 })
  expect(await project.status()).toMatchObject({ status: 'paused' })
  expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(false)
})

test('while it works in place: another run in the same checkout is refused by name', async (context) => {
  const config = { review: false, parallel: 1, workspace: { mode: 'in-place' } }
  const project = createProject({ agent: `${noting} if (task === 'T001') await hold('coder')\n${cooperative}`, config })
  const looper = begin(context, project)
  await held(project, 'coder')
  looper.kill('SIGSTOP')
  const refused = await project.looper('run', 'something else')
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(run) })
  expect(refused.stderr.trimEnd().split('\n')).toHaveLength(2)
  expect(await project.status()).toMatchObject({ id: run, status: 'running' })
  go(project, 'coder')
  looper.kill('SIGCONT')
  expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
  expect(starts(project)).toEqual(['plan/r0', 'T001/a1/implement', 'T002/a1/implement'])
})

/** Stops the engine that started it, once. */
const freeze = (before: string): string =>
  `if ${before} && test ! -e "$NOTES/frozen"; then : > "$NOTES/frozen"; kill -STOP $PPID; fi`
/** Then it is watched over. */
const writtenDown = 'until test -s "${LOOPER_RESULT_FILE%/*}/process.json"; do sleep 0.02; done'
const coder = 'test "$LOOPER_TASK" = T001'
const hour = { sleepMs: 3_600_000 }

/**
 * Much later by every clock: who counts this time ends the wrong one. It was stopped long enough for its timers to be
 * due before any news.
 */
async function thawLate(project: Project, looper: Process): Promise<void> {
  await until('the engine to stop', () => /\) T /.test(readFileSync(`/proc/${looper.pid}/stat`, 'latin1')))
  fallAsleep(project)
  await sleep(500)
  looper.kill('SIGCONT')
}

describe.concurrent('for longer than anything may take', () => {
  const limits = { stallSeconds: 1_800, timeoutMinutes: 30 }
  const configure = (project: Project, more: Record<string, unknown>, agent: Record<string, number> = {}): void => {
    const { agents, ...config } = JSON.parse(project.read('.looper/config.json')) as {
      agents: { quick: Record<string, unknown> }
    }
    project.configure({ ...config, agents: { quick: { ...agents.quick, ...agent } }, ...more })
  }

  test('an agent that was done meanwhile was in time', async (context) => {
    const project = smallProject({ meanwhile: `${writtenDown}; ${freeze(coder)}` })
    configure(project, {}, limits)
    const looper = begin(context, project, hour)
    await thawLate(project, looper)
    await completes(project, looper)
  })

  test('an agent that still works does not count as silent while the engine was frozen', async (context) => {
    const project = smallProject({
      meanwhile: `${writtenDown}; ${freeze(coder)}; ${coder} && until test -e "$NOTES/coder.go"; do sleep 0.02; done`,
    })
    configure(project, {}, { stallSeconds: 1_800, timeoutMinutes: 120 })
    const looper = begin(context, project, hour)
    await thawLate(project, looper)
    await awake(project)
    expect(isRunning(pidOf(project, 'T001/a1/implement'))).toBe(true)
    go(project, 'coder')
    await completes(project, looper)
  })

  test('a check that was over meanwhile was in time', async (context) => {
    const project = smallProject()
    const check = `NOTES='${project.notes}'; ${freeze('true')}`
    configure(project, { checks: [{ name: 'freeze', run: check, timeoutMinutes: 30 }], baseline: 'off' })
    const looper = begin(context, project, hour)
    await thawLate(project, looper)
    await completes(project, looper)
    // Of each task, and of the gate. The clock of the engine differs from that of the files now, so that files may look
    // changed and a check is confirmed by another run of it.
    const checks = eventsSoFar(project).filter((event) => event.type === 'work.started' && event.work.kind === 'check')
    expect(checks).toHaveLength(3)
  })
})
