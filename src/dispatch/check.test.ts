import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { CheckWork } from '../model/work.ts'
import { runApart } from '../platform/run-apart.ts'
import { createFixture, passed, type Fixture } from '../../test/kit/dispatch.ts'
import type { RunCheck } from './check.ts'
import type { ConfirmCheck } from './confirm-check.ts'
import type { LocalDispatchOptions } from './local.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const work = (shell: string): CheckWork => ({
  kind: 'check',
  id: 'T001/a1/check/test',
  workspace: 'T001',
  task: 'T001',
  name: 'test',
  run: { shell },
  timeoutMs: 60_000,
  tree: null,
})

const runCheck: RunCheck = async ({ work: { run }, cwd, mark }, signal) => {
  const { exitCode, durationMs, started, stdout } = await runApart({
    argv: ['sh', '-c', 'shell' in run ? run.shell : ''],
    cwd,
    env: process.env,
    ownHome: false,
    mark,
    signal,
  })
  return { ...passed, exitCode, durationMs, started, tail: stdout }
}

function start(shell: string, run: RunCheck = runCheck, more: Pick<LocalDispatchOptions, 'confirm'> = {}) {
  const dispatch = fixture.create({ runCheck: run, ...more })
  const request = { work: work(shell), starts: 1, cwd: fixture.cwd }
  dispatch.ensure(request)
  dispatch.ensure(request)
  return dispatch
}

test('a check runs in its workspace, once, with the mark', async () => {
  const dispatch = start('pwd; echo "$LOOPER_MARK"; exit 3')
  expect(dispatch.inspect([work('').id]).get(work('').id)).toMatchObject({ state: 'running', usage: { costUsd: 0 } })
  expect(await fixture.settled(dispatch, work('').id)).toMatchObject({
    state: 'done',
    outcome: { kind: 'check', exitCode: 3, tail: `${fixture.cwd}\n${fixture.key}:${work('').id}:1\n` },
  })
})

test('processes that a check left running are ended', async () => {
  const dispatch = start('setsid sleep 60 >/dev/null 2>&1 & exit 0')
  expect(await fixture.settled(dispatch, work('').id)).toMatchObject({ state: 'done', outcome: { exitCode: 0 } })
  expect(fixture.alive()).toEqual([])
})

test.each(['gracefully', 'now'] as const)('a check cancelled %s is lost, and over', async (how) => {
  const dispatch = start('touch up; setsid sleep 60 & sleep 60')
  await expect.poll(() => existsSync(join(fixture.cwd, 'up')), { timeout: 120_000 }).toBe(true)
  dispatch.cancel(work('').id, how)
  expect(await fixture.settled(dispatch, work('').id)).toEqual({ state: 'lost', why: 'cancelled' })
  expect(fixture.alive()).toEqual([])
})

test('a check whose workspace is gone is lost, and does not fail', async () => {
  rmdirSync(fixture.cwd)
  expect(await fixture.settled(start('true'), work('').id)).toEqual({
    state: 'lost',
    why: `the workspace ${fixture.cwd} is gone`,
  })
})

test('a check that cannot be tried has not passed', async () => {
  const dispatch = start('true', () => Promise.reject(new Error('no \u001B[31mroom')))
  expect(await fixture.settled(dispatch, work('').id)).toMatchObject({
    state: 'done',
    outcome: { exitCode: null, started: false, tail: 'no room' },
  })
})

/** Replaces the workspace like `renewed`: the former one is removed. */
const elsewhere =
  (folder: string): ConfirmCheck =>
  (_work, _outcome, again) => {
    rmdirSync(fixture.cwd)
    return again(folder)
  }

test('a check that cannot start in its new workspace has not passed; the former one being gone means nothing', async () => {
  const folder = `${fixture.cwd}-new`
  mkdirSync(folder)
  const notStarted: RunCheck = async (request, signal) =>
    request.cwd === folder ? { ...passed, exitCode: null, started: false } : runCheck(request, signal)
  const dispatch = start('true', notStarted, { confirm: elsewhere(folder) })
  expect(await fixture.settled(dispatch, work('').id)).toMatchObject({ state: 'done', outcome: { started: false } })
})

test('a check whose new workspace is gone is lost, and the report names that one', async () => {
  const dispatch = start('true', runCheck, { confirm: elsewhere(`${fixture.cwd}-new`) })
  expect(await fixture.settled(dispatch, work('').id)).toEqual({
    state: 'lost',
    why: `the workspace ${fixture.cwd}-new is gone`,
  })
})

test('a new workspace that cannot be made is reported as such', async () => {
  const confirm: ConfirmCheck = async () => {
    rmdirSync(fixture.cwd)
    throw new Error('no new workspace')
  }
  expect(await fixture.settled(start('true', runCheck, { confirm }), work('').id)).toMatchObject({
    state: 'done',
    outcome: { started: false, tail: 'no new workspace' },
  })
})

test('without a folder for temporary files it fails, and says what to do', async () => {
  const missing = join(fixture.cwd, 'gone')
  const run: RunCheck = (request, signal) => {
    vi.stubEnv('TMPDIR', missing)
    return runCheck(request, signal).finally(() => vi.unstubAllEnvs())
  }
  expect(await fixture.settled(start('true', run), work('').id)).toEqual({
    state: 'done',
    outcome: {
      kind: 'failure',
      code: 'ENVIRONMENT_IO',
      message: `the folder for temporary files does not exist: ${missing}`,
      hint: `Set TMPDIR to a folder that exists, or create ${missing}`,
    },
  })
})
