/** The demo, played once from end to end on a machine whose user has everything set that could spoil it. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { StartedRun } from '../src/api/runs.ts'
import { createFollower } from '../src/app/follow/follow.ts'
import { demo } from '../src/app/upkeep/demo.ts'
import type { Event } from '../src/model/event.ts'
import type { RunState, TaskState } from '../src/model/state.ts'
import { runKey } from '../src/platform/mark.ts'
import { findMarked } from '../src/platform/sweep.ts'

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'demo-test-')))
const events: Event[] = []
const told: string[] = []
let state: RunState
let repository: string
let dir: string

const write = (path: string, content: string): string => {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content, { mode: 0o755 })
  return path
}

/**
 * A git that signs, refuses commits, rewrites line endings and ignores tests; a Looper and an npm with settings of
 * their own.
 */
function spoil(): { env: NodeJS.ProcessEnv; home: string } {
  const home = join(scratch, 'home')
  const config = write(
    join(home, 'gitconfig'),
    [
      '[commit]',
      'gpgSign = true',
      '[gpg]',
      'program = false',
      '[core]',
      `hooksPath = ${join(home, 'hooks')}`,
      'autocrlf = true',
      `excludesFile = ${write(join(home, 'ignore'), '*.test.js\n')}`,
      '[init]',
      `templateDir = ${join(home, 'template')}`,
      'defaultBranch = trunk',
      '',
    ].join('\n'),
  )
  for (const hook of ['hooks/pre-commit', 'template/hooks/pre-commit']) write(join(home, hook), '#!/bin/sh\nexit 1\n')
  write(join(home, '.config', 'looper', 'config.json'), '{ "review": false, "parallel": 1 }')
  vi.stubEnv('TMPDIR', scratch)
  vi.stubEnv('GIT_CONFIG_GLOBAL', config)
  const settings = {
    LOOPER_PARALLEL: '1',
    LOOPER_AGENT: 'unknown',
    XDG_CONFIG_HOME: join(home, '.config'),
    NODE_OPTIONS: '--no-such-option',
    npm_config_script_shell: 'false',
  }
  return { env: { ...process.env, ...settings }, home }
}

async function keep(run: StartedRun): Promise<void> {
  for await (const { event } of run.follow()) events.push(event)
}

beforeAll(async () => {
  let following = Promise.resolve()
  const packageFolder = join(scratch, "it's installed & here")
  symlinkSync(resolve(import.meta.dirname, '..'), packageFolder)
  const finished = await demo({ ...spoil(), packageFolder, version: '0.0.0' }, createFollower(), {
    onStart: (run) => void (following = keep(run)),
    onTorn() {},
    onTrouble() {},
    onRepository: (path, goal) => void told.push(path, goal),
  })
  ;({ state, repository, dir } = finished)
  await following
})

afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(scratch, { recursive: true, force: true })
})

const of = <T extends Event['type']>(type: T): Event<T>[] => events.filter((event) => event.type === type) as never
const task = (id: string): TaskState => state.tasks[id] as TaskState
const git = (...args: string[]): string => execFileSync('git', args, { cwd: repository, encoding: 'utf8' }).trim()
const placeOf = (found: Event | undefined): number => (found ? events.indexOf(found) : -1)

test('it completes, and every task that stayed in the plan is proven by the real tests', () => {
  expect(state).toMatchObject({ status: 'completed', reason: null })
  const leaves = state.order.map(task).filter(({ status }) => status !== 'split')
  expect(
    leaves.map(({ id, status, evidence }) => [
      id,
      status,
      evidence.map(({ check, exitCode }) => `${check} ${exitCode}`),
    ]),
  ).toEqual(['T001', 'T002', 'T004', 'T003.1', 'T003.2'].map((id) => [id, 'done', ['test 0']]))
  expect(of('check.finished').every(({ tests }) => (tests ?? 0) > 8)).toBe(true)
})

test('the folder is reported before the demo starts, and is kept', () => {
  expect(told).toEqual([repository, state.goal])
  expect(dir).toBe(join(repository, '.looper', 'runs', state.run))
  expect(basename(repository)).toMatch(/^looper-demo-/)
})

test('the plan is approved with a score in the eighties', () => {
  expect(of('plan.accepted')).toMatchObject([{ why: 'approved', score: 86 }])
})

test('three attempts are under way at once; the fourth task waits for the other three', () => {
  const started = of('task.started').map((event) => [event.task, placeOf(event)] as const)
  const firstEnd = Math.min(...[...of('attempt.failed'), ...of('task.finished')].map(placeOf))
  expect(started.filter(([, index]) => index < firstEnd).map(([id]) => id)).toEqual(['T001', 'T002', 'T003'])
  const landed = of('task.finished')
    .filter(({ task: id }) => id !== 'T004')
    .map(placeOf)
  expect(started.find(([id]) => id === 'T004')?.[1]).toBeGreaterThan(Math.max(...landed))
})

test('a bug that the tests catch is fixed within the attempt', () => {
  const [red, green] = of('check.finished').filter((event) => event.task === 'T001')
  expect(red).toMatchObject({
    passed: false,
    exitCode: 1,
    round: 0,
    tail: expect.stringContaining('not a duration: "500ms"'),
  })
  expect(green).toMatchObject({ passed: true, round: 1 })
  expect(task('T001')).toMatchObject({ attempts: 1, fixCycles: 1 })
})

test('work that the supervisor rejects is done again', () => {
  const verdicts = of('verdict.given')
    .filter(({ subject }) => subject.kind === 'task' && subject.task === 'T002')
    .map(({ verdict }) => verdict)
  expect(verdicts).toMatchObject([{ score: 42, approved: false }, { approved: true }])
  expect(task('T002')).toMatchObject({ attempts: 2, fixCycles: 0 })
})

test('a task that fails its attempts is split in two', () => {
  expect(
    of('attempt.failed')
      .filter((event) => event.task === 'T003')
      .map(({ failure, next }) => [failure.kind, next]),
  ).toEqual([
    ['check', 'retry'],
    ['no-change', 'split'],
  ])
  expect(task('T003')).toMatchObject({ status: 'split', children: ['T003.1', 'T003.2'] })
})

test('the new tests of every task are proof', () => {
  const last = new Map(of('proof.given').map(({ task: id, proved }) => [id, proved]))
  expect([...last].filter(([, proved]) => !proved)).toEqual([])
  expect(last.size).toBeGreaterThan(3)
})

/** A check of a merged change is called off when another change lands first: then the same attempt is merged again. */
function isOvertaken(id: string): boolean {
  const check = of('work.started').find(({ work }) => work.id === id && work.kind === 'check')
  const attempt = /^T[\d.]+\/a\d+\/(?=check)/.exec(id)?.[0]
  return (
    attempt !== undefined
    && of('work.started').some(
      ({ seq, work }) =>
        check !== undefined
        && seq > check.seq
        && work.kind === 'integrate'
        && work.step.kind === 'merge'
        && work.id.startsWith(attempt),
    )
  )
}

test('nothing is lost or paused on the way, and money is counted', () => {
  // A probe of the run branch is called off when its attempt goes on without it.
  const isCalledOff = (id: string): boolean => id.startsWith('limit/') || /\/probe\/\d+$/.test(id) || isOvertaken(id)
  expect(of('work.lost').filter(({ id }) => !isCalledOff(id))).toEqual([])
  expect(of('run.paused')).toEqual([])
  expect(of('outside.changed')).toEqual([])
  expect(state.usage.costUsd).toBeGreaterThan(0.1)
  expect(state.usage.inputTokens).toBeGreaterThan(10_000)
})

test('the checkout stays as it was, and the run branch has the work', () => {
  expect(git('branch', '--show-current')).toBe('main')
  expect(git('rev-parse', 'HEAD')).toBe(state.base.commit)
  expect(git('status', '--porcelain')).toBe('')
  expect(git('show', `${state.branch}:src/parse.js`)).toContain('(?![a-z])')
  expect(git('ls-tree', '--name-only', `${state.branch}:test`).split('\n')).toContain('approximate.test.js')
  expect(git('worktree', 'list').split('\n')).toHaveLength(1)
})

test('no process is left', () => {
  expect(findMarked(runKey(dir))).toEqual([])
})
