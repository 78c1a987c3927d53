import { describe, expect, test } from 'vitest'
import { begin, branch, openProject, project, quick, resumes, turn, useBoundedRun } from '../kit/bounded-runs.ts'
import {
  eventsSoFar,
  failures,
  follow,
  go,
  gone,
  held,
  keepers,
  killHard,
  killStranger,
  landed,
  noting,
  pidOf,
  survivors,
  until,
} from '../kit/live.ts'
import { cooperative } from '../kit/project.ts'

useBoundedRun()

describe('kill -9 of the keeper', () => {
  test('while its engine lives: another one takes its place, and the run is not hurt', async () => {
    const looper = await begin({ misdeed: 'process.exit(1)' })
    const [first = 0] = keepers(project)
    await killStranger(first)
    await until('another keeper', () => keepers(project).length === 1)
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 0, stderr: '' })
    expect(failures(project)).toEqual([])
    await until('the end of the keeper', () => keepers(project).length === 0)
  })

  test('and of the engine: status says that nothing bounds the agent, and resume takes it over', async () => {
    const looper = await begin({ misdeed: 'process.exit(1)' })
    process.kill(keepers(project)[0] ?? 0, 'SIGSTOP')
    await killHard(looper)
    await killStranger(keepers(project)[0] ?? 0)
    expect((await project.looper('status')).stdout).toContain('nothing enforces the limits')
    go(project, 'coder')
    await resumes()
  })
})

test('a keeper does not heed the signals of a terminal, and ends with its run', async () => {
  const looper = await begin({ misdeed: 'process.exit(1)' })
  const [keeper = 0] = keepers(project)
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.kill(keeper, signal)
  go(project, 'coder')
  expect((await looper.ended).code).toBe(0)
  await gone(keeper)
})

test('a run that never starts a turn has no keeper', async () => {
  openProject({ config: { ...quick, limits: { turns: 0 } } })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 3 })
  expect(keepers(project)).toEqual([])
})

describe('a terminal that is closed', () => {
  const begin = async (config: Record<string, unknown>): Promise<void> => {
    const agent = `${noting} if (task === 'T001') await hold('coder')\n${cooperative}`
    openProject({ agent, config: { ...quick, ...config } })
    const terminal = follow(project.startOnTerminal('run', 'make two files', '--yes'))
    await held(project, 'coder')
    await until('the run on the screen', () => terminal.stdout().includes('T001'))
    await killHard(terminal)
  }

  test('leaves the run going in the background, where it can be attached to', async () => {
    await begin({})
    const attached = follow(project.start('attach'))
    await until('what has happened', () => attached.stdout().includes('T001'))
    go(project, 'coder')
    expect(await attached.ended).toMatchObject({ code: 0, stderr: '' })
    expect(landed(project, branch)).toEqual(['T001', 'T002'])
    expect(survivors(project)).toEqual([])
    await until('the end of the keeper', () => keepers(project).length === 0)
  })

  test('stops the run where the configuration says so', async () => {
    await begin({ onHangup: 'stop' })
    await until('the pause', () => eventsSoFar(project).some(({ type }) => type === 'run.paused'))
    await gone(pidOf(project, turn))
    expect(await project.status()).toMatchObject({
      status: 'paused',
      reason: 'stopped because its terminal was closed',
    })
    go(project, 'coder')
    await resumes()
  })
})
