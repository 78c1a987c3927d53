/**
 * Bounds that hold without an engine: after kill -9 of the engine its agents are still ended by their limits, and
 * resume goes on.
 */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  begin,
  misbehaving,
  openProject,
  project,
  quick,
  resumes,
  type Scene,
  turn,
  useBoundedRun,
} from '../kit/bounded-runs.ts'
import {
  eventsSoFar,
  follow,
  go,
  gone,
  held,
  isRunning,
  keepers,
  killHard,
  lives,
  notes,
  noting,
  pidOf,
  shellIdentity,
  survivors,
  until,
} from '../kit/live.ts'
import { cooperative, usualSandbox } from '../kit/project.ts'

useBoundedRun()

const endedFile = (): string => join(project.root, '.looper/runs/last/turns', turn.replaceAll('/', '.'), 'ended.json')
const endedWhy = (): unknown => (JSON.parse(readFileSync(endedFile(), 'utf8')) as { why: unknown }).why

/** The agent is ended by the keeper alone, and the keeper ends after it. */
async function endsByItself(): Promise<void> {
  await gone(pidOf(project, turn))
  await until('the end of the keeper', () => keepers(project).length === 0)
  expect(survivors(project)).toEqual([])
}

/** What the journal says about the end of the first coder's turn. */
const errorOf = (): unknown =>
  eventsSoFar(project).flatMap((event) =>
    event.type === 'work.finished'
    && event.id === turn
    && event.outcome.kind === 'turn'
    && event.outcome.status === 'error'
      ? event.outcome.error.kind
      : [],
  )

test('after kill -9 of the engine a check, which no engine can adopt, ends', async () => {
  openProject({ agent: `${noting}${cooperative}` })
  const begun = join(project.notes, 'checks')
  project.configure({
    ...quick,
    baseline: 'off',
    checks: [`echo ${shellIdentity} >> '${begun}'; trap '' INT TERM; while :; do sleep 0.05; done`],
  })
  const looper = follow(project.start('run', 'make two files'))
  const [checking = ''] = await until('a check', () => {
    const pids = notes(project, 'checks')
    return pids.length > 0 && pids
  })
  await killHard(looper)
  await until('the end of the check', () => !lives(checking))
  await until('the end of the keeper', () => keepers(project).length === 0)
  expect(survivors(project)).toEqual([])
})

const filling = `for (let i = 0; i < 40; i++) fs.appendFileSync('big', Buffer.alloc(1 << 20, 'x'))`

describe('F20: after kill -9 of the engine, an agent that', () => {
  test.each<[string, Scene, string, string]>([
    ['never ends', { agent: { timeoutMinutes: 0.05 } }, 'timeout', 'timeout'],
    ['says nothing any more', { agent: { stallSeconds: 2 } }, 'stalled', 'stalled'],
    [
      'floods its output',
      { misdeed: `const flood = Buffer.alloc(1 << 20, 'x'); for (;;) fs.writeSync(1, flood)` },
      'flooded',
      'bad_response',
    ],
    ['fills the disk', { misdeed: filling, config: { limits: { diskMb: 20 } } }, 'disk', 'bad_response'],
  ])('%s is ended by its bound, and resume classifies it', { timeout: 600_000 }, async (_, scene, why, kind) => {
    await killHard(await begin(scene))
    go(project, 'coder')
    await endsByItself()
    expect(endedWhy()).toBe(why)
    await resumes(...(why === 'disk' ? ['--disk-mb', 'none'] : []))
    expect(errorOf()).toEqual([kind])
  })
})

describe('spend', () => {
  const spending = `for (;;) { say({ type: 'usage', inputTokens: 10, costUsd: 1 }); await sleep(20) }`

  test(
    'after kill -9: the agent is ended, and resume records what it spent and pauses',
    { timeout: 600_000 },
    async () => {
      await killHard(await begin({ misdeed: spending, config: { limits: { costUsd: 5 } } }))
      go(project, 'coder')
      await endsByItself()
      expect(endedWhy()).toBe('overspent')
      expect(await project.looper('resume')).toMatchObject({
        code: 3,
        stdout: expect.stringContaining('the cost limit of $5 is reached'),
      })
      expect(errorOf()).toEqual(['budget'])
      expect((await project.status()).usage.costUsd).toBeGreaterThan(5)
      await resumes('--cost-usd', 'none')
    },
  )

  test('what was spent before the crash counts', { timeout: 600_000 }, async () => {
    const misdeed = `say({ type: 'usage', inputTokens: 10, costUsd: 1.5 })`
    openProject({ agent: `if (role === 'planner') say({ type: 'usage', costUsd: 4 })\n${misbehaving(misdeed)}` })
    project.configure({ ...quick, limits: { costUsd: 5 } })
    const looper = follow(project.start('run', 'make two files'))
    await held(project, 'coder')
    await killHard(looper)
    go(project, 'coder')
    await endsByItself()
    expect(endedWhy()).toBe('overspent')
  })

  test('with its engine alive, too', { timeout: 600_000 }, async () => {
    const looper = await begin({ misdeed: spending, config: { limits: { costUsd: 5 } } })
    go(project, 'coder')
    expect(await looper.ended).toMatchObject({ code: 3, stderr: '' })
    expect(errorOf()).toEqual(['budget'])
    expect(survivors(project)).toEqual([])
  })
})

describe('disk', () => {
  test(
    'with its engine alive a turn that fills it is ended, and the run pauses with exit 3',
    { timeout: 600_000 },
    async () => {
      const looper = await begin({ misdeed: filling, config: { limits: { diskMb: 20 } } })
      go(project, 'coder')
      const { code, stdout } = await looper.ended
      expect({ code, stdout }).toEqual({
        code: 3,
        stdout: expect.stringContaining('the limit of 20 MB on disk is reached'),
      })
      expect(errorOf()).toEqual(['bad_response'])
      expect(survivors(project)).toEqual([])
      await resumes('--disk-mb', '4000')
    },
  )
})

/** While its engine lives, a shell is in the keeper's place. */
const isShell = (pid: number): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('/bin/sh')

describe('a crashed run', () => {
  test('shows its agents in status and runs, and stop ends them with the keeper', async () => {
    await killHard(await begin({}))
    const agent = pidOf(project, turn)
    const status = await project.status()
    // In the sandbox, what Looper started is the sandbox.
    const pid = usualSandbox === 'off' ? agent : (status.agents[0]?.pid ?? 0)
    expect(isRunning(pid)).toBe(true)
    expect(status).toMatchObject({ status: 'crashed', agents: [{ turn, pid }] })
    const text = (await project.looper('status')).stdout
    expect(text).toContain(`1 agent still runs (${turn} pid ${pid}): the keeper enforces the limits`)
    expect(text).toContain('looper stop 1')
    expect((await project.looper('runs')).stdout).toContain('crashed · 1 agent still runs')
    expect((await project.looper('doctor')).stdout).toContain(`crashed; 1 agent still runs (${turn} pid ${pid})`)
    const stopped = await project.looper('stop')
    expect(stopped).toMatchObject({ code: 0, stderr: '' })
    expect(stopped.stdout).toContain(`ended 1 agent (${turn} pid ${pid})`)
    expect((await project.looper('doctor')).stdout).not.toContain('crashed')
    expect([pid, agent].filter(isRunning)).toEqual([])
    expect(survivors(project)).toEqual([])
    await until('the end of the keeper', () => keepers(project).length === 0)
    expect(await project.status()).toMatchObject({ status: 'crashed', agents: [] })
    expect(await project.looper('stop')).toMatchObject({ code: 2 })
  })

  test('says which turns were ended, and why', async () => {
    await killHard(await begin({ agent: { timeoutMinutes: 0.02 } }))
    await endsByItself()
    expect((await project.looper('status')).stdout).toContain(`ended by the keeper: ${turn} (timeout)`)
  })

  test('whose folder is deleted: the keeper ends its agents and itself', async () => {
    await killHard(await begin({}))
    await until('the keeper at work', () => keepers(project).some((pid) => !isShell(pid)))
    const pid = pidOf(project, turn)
    rmSync(join(project.root, '.looper'), { recursive: true })
    await gone(pid)
    await until('the end of the keeper', () => keepers(project).length === 0)
  })

  test('keeps its keeper when a person gives it orders', async () => {
    await killHard(await begin({}))
    const [keeper] = keepers(project)
    expect(await project.looper('task', 'add', 'one more')).toMatchObject({ code: 0 })
    expect(await project.looper('task', 'skip', 'T002')).toMatchObject({ code: 0 })
    expect(keepers(project)).toEqual([keeper])
    expect((await project.looper('status')).stdout).toContain('the keeper enforces the limits')
  })

  test('twice: the keeper of the second engine takes the place of the first', async () => {
    await killHard(await begin({ agent: { timeoutMinutes: 0.2 } }))
    const [first] = keepers(project)
    const second = follow(project.start('resume'))
    await until('another keeper', () => keepers(project).length === 1 && keepers(project)[0] !== first)
    await killHard(second)
    expect(isRunning(pidOf(project, turn))).toBe(true)
    await endsByItself()
    expect(endedWhy()).toBe('timeout')
    await resumes()
    expect(errorOf()).toEqual(['timeout'])
  })

  test('whose agent is stopped by the keeper while an engine comes back is classified all the same', async () => {
    const deaf = `for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => note('signals', signal))`
    await killHard(await begin({ misdeed: deaf, agent: { stallSeconds: 1 } }))
    go(project, 'coder')
    await until('the first signal', () => existsSync(endedFile()))
    await resumes()
    expect(errorOf()).toEqual(['stalled'])
  })
})

test('processes that dropped their mark do not survive their turn', async () => {
  const left = (more: string): string =>
    `setsid env -i sh -c 'echo ${shellIdentity} >> "$0/strays"; ${more} exec sleep 600' "$NOTES"`
  const shell = `${left('')} > /dev/null 2>&1 & (${left('cd /;')} &) & until test $(wc -l < "$NOTES/strays") = 2; do sleep 0.02; done`
  openProject({
    agent: `${noting}
import { execFileSync } from 'node:child_process'
fs.appendFileSync(path.join(env.NOTES, 'strays'), '')
if (task === 'T001') execFileSync('sh', ['-c', ${JSON.stringify(shell)}], { stdio: ['ignore', 'inherit', 'ignore'] })
${cooperative}`,
    config: quick,
  })
  expect(await project.looper('run', 'make two files')).toMatchObject({ code: 0, stderr: '' })
  const strays = notes(project, 'strays')
  expect(strays).toHaveLength(2)
  expect(strays.filter(lives)).toEqual([])
})
