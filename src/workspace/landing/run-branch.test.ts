import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
} from '../../../test/kit/repository.ts'
import { inspect, merge, move, prepare, ready, tip } from '../../../test/kit/steps.ts'

afterEach(() => vi.unstubAllEnvs())

describe('the run branch', () => {
  test('a lock that a killed git left on the run branch does not stop it', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    writeFileSync(join(repository.root, '.git/refs/heads/looper/001-demo.lock'), '')
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
  })

  test('nor do those that it left in the work tree that is merged', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    for (const task of ['T001', 'T002']) at(task).write(`${task}.txt`, 'x\n')
    await merge(worktrees, 'T001', base)
    const gitDir = at('T002').git('rev-parse', '--absolute-git-dir')
    for (const name of ['HEAD.lock', 'index.lock']) writeFileSync(join(gitDir, name), '')
    const merged = await merge(worktrees, 'T002', base)
    if (merged.status !== 'merged') throw new Error(merged.status)
    await move(worktrees, 'T002', merged)
    expect(at('T002').git('rev-parse', 'HEAD')).toBe(tip(repository))
    expect(at('T002').git('status', '--porcelain')).toBe('A  T002.txt')
  })

  test('nor do those that it left on all refs of a landing', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    const refs = ['refs/heads/looper/001-demo', 'refs/looper/001-demo/tip', 'refs/looper/001-demo/T001/a1']
    for (const ref of refs) {
      mkdirSync(join(repository.root, '.git', ref, '..'), { recursive: true })
      writeFileSync(join(repository.root, '.git', `${ref}.lock`), '')
    }
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
    expect(repository.git('rev-parse', ...refs).split('\n')).toEqual([
      tip(repository),
      tip(repository),
      tip(repository),
    ])
  })

  test.each([
    ['deleted', 'update-ref -d refs/heads/looper/001-demo'],
    ['moved to a foreign commit', 'update-ref refs/heads/looper/001-demo stray'],
  ])('a branch that is %s while its next commit is made is put back, and goes on', async (_how, command) => {
    const repository = makeRepository()
    // A date set by the user makes git itself write the commit.
    vi.stubEnv('GIT_COMMITTER_DATE', '2026-01-01T00:00:00Z')
    repository.git('tag', 'stray', repository.git('commit-tree', 'HEAD^{tree}', '-m', 'stray'))
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    const bin = openRepository(temporaryFolder())
    const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim()
    bin.write(
      'git',
      `#!/bin/sh
case "$*" in *commit-tree*) [ -e '${bin.root}/met' ] || { : > '${bin.root}/met'; '${real}' ${command}; } ;; esac
exec '${real}' "$@"
`,
    )
    chmodSync(join(bin.root, 'git'), 0o755)
    vi.stubEnv('PATH', `${bin.root}:${process.env['PATH']}`)
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
    vi.unstubAllEnvs()
    expect(existsSync(join(bin.root, 'met'))).toBe(true)
    expect(repository.git('log', '--format=%s', 'main..looper/001-demo')).toBe('Do T001')
  })

  test('refuses to move the run branch while the user has it checked out', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    repository.git('checkout', '--quiet', 'looper/001-demo')
    const before = fingerprint(repository)
    const message = expect.stringContaining('is checked out in')
    await expect(merge(worktrees, 'T001', base)).rejects.toMatchObject({ code: 'WORKSPACE_GIT', message })
    expect(fingerprint(repository)).toBe(before)
    repository.git('checkout', '--quiet', 'main')
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
  })

  test('nor while it is checked out in another work tree of theirs', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    repository.git('worktree', 'add', '--quiet', '../look', 'looper/001-demo')
    await expect(merge(worktrees, 'T001', base)).rejects.toMatchObject({ code: 'WORKSPACE_GIT' })
    expect(tip(repository)).toBe(base)
  })

  test('an agent that pushes to the run branch itself lands nothing past the checks', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('sneaky.txt', 's\n')
    const sneaked = at('T001').commit('Sneaky')
    at('T001').git('push', '--quiet', repository.root, 'HEAD:looper/001-demo')
    at('T002').write('two.txt', '2\n')
    expect(await merge(worktrees, 'T002', base)).toMatchObject({ status: 'landed' })
    expect(repository.git('ls-tree', '--name-only', 'looper/001-demo')).toBe('a.txt\nsrc\ntwo.txt')
    expect(repository.git('rev-parse', `refs/looper/001-demo/strays/${sneaked}`)).toBe(sneaked)
    const found = await inspect(worktrees, 'T001', base)
    expect(found.files).toEqual(['sneaky.txt'])
    expect(await merge(worktrees, 'T001', base, found.tree)).toMatchObject({ status: 'merged' })
  })

  test('refs that were lost are made again from those that are left', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    await merge(worktrees, 'T001', base)
    const landed = tip(repository)
    repository.git('update-ref', '-d', 'refs/looper/001-demo/tip')
    expect((await prepare(worktrees, 'T001', 2)).base).toBe(landed)
    repository.git('branch', '-D', 'looper/001-demo')
    repository.git('pack-refs', '--all')
    expect((await prepare(worktrees, 'T001', 3)).base).toBe(landed)
    expect(tip(repository)).toBe(landed)
  })

  test('says what git says when a branch called looper is in the way', async () => {
    const repository = makeRepository()
    repository.git('branch', 'looper')
    const worktrees = await makeWorktrees(repository)
    const message = expect.stringContaining("'refs/heads/looper' exists")
    await expect(prepare(worktrees, 'T001')).rejects.toMatchObject({ code: 'WORKSPACE_GIT', message })
  })
})
