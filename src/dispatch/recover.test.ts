import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { LeftWork } from './dispatch.ts'
import type { CheckWork, TurnWork } from '../model/work.ts'
import { markOf, markVariable } from '../platform/mark.ts'
import { createFixture, passed, shell, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import { readProcess, writeProcess } from './turn-folder.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const complete = `printf '{"status":"complete"}' > "$LOOPER_RESULT_FILE"`
/** Waits for the file `go` in the workspace, then answers. */
const waiting = shell(
  `echo '{"type":"usage","costUsd":1}'; echo x >> starts.txt; while [ ! -e go ]; do sleep 0.02; done; ${complete}`,
)

const left = (agent = 'mine', change: Partial<TurnWork> = {}): LeftWork => {
  const { work, starts, cwd } = fixture.request(agent, change)
  return { work, starts, cwd }
}
const inWorkspace = (name: string): string => join(fixture.cwd, name)
const exists = (name: string) => expect.poll(() => existsSync(inWorkspace(name)), { timeout: 120_000 }).toBe(true)

/** Starts a turn and drops the dispatch, as if its engine had died. */
async function startAndForget(agent = waiting): Promise<void> {
  const dispatch = fixture.create({ agents: { mine: agent } })
  dispatch.ensure(fixture.request('mine'))
  await exists('starts.txt')
  dispatch.close()
}

describe('a turn that still runs', () => {
  test('is adopted, not started again, and its usage counts once', async () => {
    await startAndForget()
    const dispatch = fixture.create({ agents: { mine: waiting } })
    await dispatch.recover([left()])
    dispatch.ensure(fixture.request('mine'))
    await expect
      .poll(() => dispatch.inspect([turnId]).get(turnId), { timeout: 120_000 })
      .toEqual({ state: 'running', usage: { inputTokens: 0, outputTokens: 0, costUsd: 1 } })
    writeFileSync(inWorkspace('go'), '')
    expect(await fixture.settled(dispatch)).toMatchObject({
      state: 'done',
      outcome: { status: 'ok', usage: { costUsd: 1 } },
    })
    expect(readFileSync(inWorkspace('starts.txt'), 'utf8')).toBe('x\n')
    expect(fixture.alive()).toEqual([])
  })

  test('is found by its mark when the old engine died before it wrote down which process it is', async () => {
    await startAndForget()
    await expect.poll(() => readProcess(fixture.folder()), { timeout: 120_000 }).not.toBeNull()
    const { pid } = readProcess(fixture.folder())!
    rmSync(fixture.folder().process)
    const dispatch = fixture.create({ agents: { mine: waiting } })
    // A keeper does not know the workspace, and measures the disk there.
    await dispatch.recover([{ ...left(), cwd: '' }])
    expect(readProcess(fixture.folder())).toMatchObject({ pid, cwd: realpathSync(fixture.cwd) })
    writeFileSync(inWorkspace('go'), '')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'done', outcome: { status: 'ok' } })
  })

  test('can be cancelled, with what it started', async () => {
    await startAndForget(shell(`setsid sleep 60 & ${waiting.command?.[2]}`))
    const dispatch = fixture.create({ agents: { mine: waiting } })
    await dispatch.recover([left()])
    expect(fixture.alive().length).toBeGreaterThan(1)
    dispatch.cancel(turnId, 'gracefully')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(fixture.alive()).toEqual([])
  })

  test('and is deaf to every polite signal can be cancelled all the same', async () => {
    await startAndForget(shell(`trap '' INT TERM HUP; ${waiting.command?.[2]}`))
    const dispatch = fixture.create({ agents: { mine: waiting } })
    await dispatch.recover([left()])
    dispatch.cancel(turnId, 'gracefully')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(fixture.alive()).toEqual([])
  })

  test('has the rest of its time, not all of it again', async () => {
    await startAndForget()
    await expect.poll(() => readProcess(fixture.folder()), { timeout: 120_000 }).not.toBeNull()
    const record = readProcess(fixture.folder())!
    const hour = 3_600_000
    const steady = record.steadyMs === undefined ? {} : { steadyMs: record.steadyMs - hour }
    writeProcess(fixture.folder(), { ...record, startedAt: new Date(Date.now() - hour).toISOString(), ...steady })
    const dispatch = fixture.create({ agents: { mine: { ...waiting, timeoutMinutes: 30 } } })
    await dispatch.recover([left()])
    const state = await fixture.settled(dispatch)
    expect(state).toMatchObject({ state: 'done', outcome: { status: 'error', error: { kind: 'timeout' } } })
    expect(state.state === 'done' && state.outcome.kind !== 'failure' && state.outcome.durationMs).toBeGreaterThan(
      3_500_000,
    )
  })

  test('loses none of it when the clock was set ahead meanwhile', async () => {
    const pinged = shell(`while [ ! -e ping ]; do sleep 0.02; done; ${waiting.command?.[2]}`)
    const agents = { mine: { ...pinged, timeoutMinutes: 30 } }
    fixture.create({ agents }).ensure(fixture.request('mine'))
    await expect.poll(() => readProcess(fixture.folder()), { timeout: 120_000 }).not.toBeNull()
    const record = readProcess(fixture.folder())!
    writeProcess(fixture.folder(), { ...record, startedAt: new Date(Date.now() - 4 * 3_600_000).toISOString() })
    const dispatch = fixture.create({ agents })
    await dispatch.recover([left()])
    writeFileSync(inWorkspace('ping'), '')
    // The output is read in the same poll in which the time is checked.
    await expect
      .poll(() => dispatch.inspect([turnId]).get(turnId), { timeout: 120_000 })
      .toMatchObject({ usage: { costUsd: 1 } })
    writeFileSync(inWorkspace('go'), '')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'done', outcome: { status: 'ok' } })
  })

  test('and then ends without an answer has crashed', async () => {
    const silent = shell('echo x >> starts.txt; while [ ! -e go ]; do sleep 0.02; done')
    await startAndForget(silent)
    const dispatch = fixture.create({ agents: { mine: silent } })
    await dispatch.recover([left()])
    writeFileSync(inWorkspace('go'), '')
    expect(await fixture.settled(dispatch)).toMatchObject({
      state: 'done',
      outcome: { status: 'error', error: { kind: 'crash' } },
    })
  })
})

test('everything else with the mark of the run is ended, what belongs to adopted turns is not', async () => {
  await startAndForget(shell(`setsid sleep 60 & echo $! > child.txt; ${waiting.command?.[2]}`))
  const stray = (mark: string) =>
    spawn('sh', ['-c', "trap '' TERM; echo up; while :; do sleep 0.02; done"], {
      env: { ...process.env, [markVariable]: mark },
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  const check: CheckWork = {
    kind: 'check',
    id: 'T001/a1/check/test',
    workspace: 'T001',
    task: 'T001',
    name: 'test',
    run: { shell: 'x' },
    timeoutMs: 1,
    tree: null,
  }
  const strays = [
    markOf(fixture.key, check.id, 1),
    `${fixture.key}:git`,
    markOf(fixture.key, turnId, 2),
    markOf(fixture.key, `${turnId}:1`, 1),
  ].map(stray)
  await Promise.all(strays.map((child) => once(child.stdout, 'data')))
  const ends = strays.map((child) => once(child, 'exit'))
  const dispatch = fixture.create({ agents: { mine: waiting } })
  await dispatch.recover([left(), { work: check, starts: 1, cwd: fixture.cwd }])
  await Promise.all(ends)
  expect(dispatch.inspect([turnId, check.id])).toMatchObject(
    new Map<string, object>([
      [turnId, { state: 'running' }],
      [check.id, { state: 'lost', why: 'the engine that did it is gone' }],
    ]),
  )
  expect(fixture.alive()).toContain(Number(readFileSync(inWorkspace('child.txt'), 'utf8')))
  writeFileSync(inWorkspace('go'), '')
  expect(await fixture.settled(dispatch)).toMatchObject({ state: 'done' })
})

test('an agent outlives the kill -9 of the process that started it, and is adopted', async () => {
  const built = join(fixture.runDir, 'built')
  mkdirSync(built)
  const bundle = await rolldown({ input: new URL('local.ts', import.meta.url).pathname, platform: 'node' })
  await bundle.write({ dir: built, entryFileNames: 'local.mjs' })
  const options = {
    runDir: fixture.runDir,
    key: fixture.key,
    agents: { mine: waiting },
    env: {},
    playerPath: '',
    mcpPath: '',
    driverPath: '',
  }
  writeFileSync(
    join(built, 'engine.mjs'),
    `import { createLocalDispatch } from './local.mjs'
const mask = Object.assign((text) => text, { secrets: [] })
const dispatch = createLocalDispatch({ ...${JSON.stringify(options)}, mask, env: process.env, runCheck: () => {} })
dispatch.ensure(${JSON.stringify(fixture.request('mine'))})
setInterval(() => {}, 1000)
`,
  )
  const engine = spawn(process.execPath, [join(built, 'engine.mjs')], { stdio: ['ignore', 'inherit', 'inherit'] })
  const ended = once(engine, 'exit')
  await exists('starts.txt')
  engine.kill('SIGKILL')
  await ended
  const dispatch = fixture.create({ agents: { mine: waiting } })
  await dispatch.recover([left()])
  expect(dispatch.inspect([turnId]).get(turnId)).toMatchObject({ state: 'running' })
  writeFileSync(inWorkspace('go'), '')
  expect(await fixture.settled(dispatch)).toMatchObject({
    state: 'done',
    outcome: { status: 'ok', usage: { costUsd: 1 } },
  })
  expect(readFileSync(inWorkspace('starts.txt'), 'utf8')).toBe('x\n')
})

test('recovering nothing is nothing', async () => {
  const dispatch = fixture.create({ runCheck: () => Promise.resolve(passed) })
  await dispatch.recover([])
  expect(dispatch.inspect([])).toEqual(new Map())
})
