import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { endMarked, findMarked } from '../../platform/sweep.ts'
import { createRunRefs, type RunRefs } from './run-refs.ts'

interface Scene {
  repository: Repository
  refs: RunRefs
  base: string
  next: string
  /** The pids of processes that move refs. */
  writers: () => number[]
}

function open(guardMs: number): Scene {
  const repository = makeRepository()
  const commit = (...args: string[]): string => repository.git(...args).trim()
  const base = commit('rev-parse', 'HEAD')
  const next = commit('commit-tree', `${base}^{tree}`, '-p', base, '-m', 'next')
  const mark = `test:${repository.root}:1`
  const refs = createRunRefs({
    root: repository.root,
    commonDir: join(repository.root, '.git'),
    run: '001-demo',
    branch: 'looper/001-demo',
    base,
    worktrees: '/none',
    trees: new Map(),
    mark,
    guardMs,
  })
  const writers = (): number[] => findMarked(mark).map(({ pid }) => pid)
  onTestFinished(async () => {
    await endMarked(mark)
  })
  return { repository, refs, base, next, writers }
}

/** Makes the first git in PATH run the shell line before the real git. */
function wrapGit(line: string): void {
  const folder = temporaryFolder()
  const path = process.env['PATH'] ?? ''
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nPATH='${path}'\n${line}\nexec git "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  vi.stubEnv('PATH', `${folder}${delimiter}${path}`)
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
}

const tipOf = ({ repository }: Scene): string => repository.git('rev-parse', 'looper/001-demo').trim()

test('a git that hangs is ended, and a fresh one moves the branch', async () => {
  const scene = open(1_000)
  const { refs, base, next, writers } = scene
  await refs.tip('test:tip:1')
  await refs.move({ candidate: { ref: 'refs/looper/001-demo/T001/a1', commit: base } }, 'test:move:1')
  expect(writers()).toHaveLength(1)
  for (const pid of writers()) process.kill(pid, 'SIGSTOP')
  expect(await refs.move({ branch: { from: base, to: next } }, 'test:move:2')).toBe(true)
  expect(tipOf(scene)).toBe(next)
})

test('when the fresh one hangs as well, the move fails with the reason', async () => {
  const { refs, base, next } = open(300)
  await refs.tip('test:tip:1')
  wrapGit('case "$*" in *update-ref*) sleep 600;; esac')
  const move = refs.move({ branch: { from: base, to: next } }, 'test:move:1')
  await expect(move).rejects.toMatchObject({ code: 'WORKSPACE_GIT', message: expect.stringContaining('within 0.3 s') })
})

test('a git that moved the branch and was killed before it answered has moved it', async () => {
  const scene = open(2_000)
  const { refs, base, next } = scene
  await refs.tip('test:tip:1')
  // The answer of the writer is discarded, and the fresh git finds the branch already at its target.
  wrapGit('case "$*" in *update-ref*) git "$@" > /dev/null 2>&1; exit 1;; esac')
  expect(await refs.move({ branch: { from: base, to: next } }, 'test:move:1')).toBe(true)
  expect(tipOf(scene)).toBe(next)
})

/** Moves the refs of a transaction one by one, as git does, and stops after the first until the file `go` exists. */
const inHalves = (folder: string): string => `
case "$*" in *update-ref*)
  while read -r word ref to from; do
    case "$word" in
      update) git update-ref "$ref" "$to" $from; : > '${folder}/half'; until [ -e '${folder}/go' ]; do sleep 0.02; done;;
      commit) printf 'start: ok\\ncommit: ok\\n';;
    esac
  done
  exit 0;;
esac`

test('a read during a transaction waits for its end and undoes nothing', async () => {
  const scene = open(60_000)
  const { refs, base, next, repository } = scene
  await refs.tip('test:tip:1')
  const folder = temporaryFolder()
  wrapGit(inHalves(folder))
  const moved = refs.move({ branch: { from: base, to: next } }, 'test:move:1')
  await vi.waitFor(() => expect(existsSync(join(folder, 'half'))).toBe(true), { timeout: 120_000 })
  const read = refs.movableTip('test:tip:2')
  await sleep(300)
  writeFileSync(join(folder, 'go'), '')
  expect(await moved).toBe(true)
  expect(await read).toMatchObject({ commit: next })
  expect(tipOf(scene)).toBe(next)
  expect(repository.git('for-each-ref', 'refs/looper/001-demo/strays')).toBe('')
})

test('a branch and a kept tip that another process moves are put back, and its commit is kept', async () => {
  const scene = open(60_000)
  const { refs, base, next, repository } = scene
  await refs.tip('test:tip:1')
  expect(await refs.move({ branch: { from: base, to: next } }, 'test:move:1')).toBe(true)
  const stray = repository.git('commit-tree', `${base}^{tree}`, '-p', next, '-m', 'stray').trim()
  for (const ref of ['refs/heads/looper/001-demo', 'refs/looper/001-demo/tip']) repository.git('update-ref', ref, stray)
  expect(await refs.tip('test:tip:2')).toMatchObject({ commit: next })
  expect(tipOf(scene)).toBe(next)
  expect(repository.git('rev-parse', `refs/looper/001-demo/strays/${stray}`).trim()).toBe(stray)
})
