import { chmodSync, existsSync, writeFileSync } from 'node:fs'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { LooperError } from '../model/error.ts'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  type Repository,
  type Worktrees,
} from '../../test/kit/repository.ts'
import { inspect, land, merge, move, prepare, tip } from '../../test/kit/steps.ts'

afterEach(() => vi.unstubAllEnvs())

/** A git whose nth command is killed silently after this many milliseconds. */
function murderousGit(nth: number, afterMs: number): { wasKilled: () => boolean } {
  const bin = openRepository(temporaryFolder())
  const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
  bin.write(
    'git',
    [
      '#!/bin/sh',
      `n=1; while ! mkdir '${bin.root}'/command-$n 2>/dev/null; do n=$((n + 1)); done`,
      `if [ $n -eq ${nth} ]; then`,
      `  '${real}' "$@" <&0 & victim=$!`,
      `  sleep 0.00${afterMs}; kill -9 $victim 2>/dev/null; : > '${bin.root}/killed'; exit 137`,
      'fi',
      `exec '${real}' "$@"`,
      '',
    ].join('\n'),
  )
  chmodSync(join(bin.root, 'git'), 0o755)
  vi.stubEnv('PATH', `${bin.root}:${process.env['PATH']}`)
  return { wasKilled: () => existsSync(join(bin.root, 'killed')) }
}

/** Runs a step like an engine that was killed together with its git: a new engine repeats the step. */
async function untilDone<T>(engine: () => Promise<Worktrees>, step: (worktrees: Worktrees) => Promise<T>): Promise<T> {
  return step(await engine()).catch(async (error: unknown) => {
    if (!(error instanceof LooperError)) throw error
    return step(await engine())
  })
}

/** Runs two tasks; the second has to be merged. */
async function wholeRun(repository: Repository, base: string): Promise<void> {
  const engine = (): Promise<Worktrees> => makeWorktrees(repository, { base })
  for (const task of ['T001', 'T002']) await untilDone(engine, (worktrees) => prepare(worktrees, task))
  for (const task of ['T001', 'T002']) {
    writeFileSync(join((await engine()).path(task), `${task}.txt`), task)
    const { tree } = await untilDone(engine, (worktrees) => inspect(worktrees, task, base))
    const merged = await untilDone(engine, (worktrees) => merge(worktrees, task, base, tree))
    if (merged.status !== 'merged') continue
    await untilDone(engine, (worktrees) => move(worktrees, task, merged))
    expect(await untilDone(engine, (worktrees) => worktrees.restore(task, merged.tree))).toEqual([])
    await untilDone(engine, (worktrees) => land(worktrees, task, base, merged.commit, merged.onto))
  }
}

test.each(Array.from({ length: 28 }, (_, n) => n + 1))(
  'a run converges when git process %i is killed (A9)',
  async (nth) => {
    const repository = makeRepository()
    // Packed objects are left to git, so it is started for every step.
    repository.git('repack', '-a', '-d', '-q')
    repository.write('a.txt', 'uncommitted\n')
    const before = fingerprint(repository)
    const base = repository.git('rev-parse', 'HEAD')
    const { wasKilled } = murderousGit(nth, nth % 7)
    await wholeRun(repository, base)
    vi.unstubAllEnvs()
    expect(wasKilled()).toBe(true)
    expect(repository.git('ls-tree', '--name-only', tip(repository))).toBe('T001.txt\nT002.txt\na.txt\nsrc')
    expect(repository.git('log', '--format=%s', 'main..looper/001-demo')).toBe('Do T002\nDo T001')
    expect(fingerprint(repository)).toBe(before)
    repository.git('fsck', '--strict')
  },
)
