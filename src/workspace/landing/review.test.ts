import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { applyRun } from './apply-run.ts'
import { diffRun, discardRun } from './review.ts'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  workspacesOf,
  type Repository,
} from '../../../test/kit/repository.ts'

const start = { 'a.txt': '1\n2\n3\n4\n5\n6\n7\n8\n', 'b.txt': 'b\n', '.gitignore': '.env\n' }
const which = { run: '001-demo', branch: 'looper/001-demo' }

/** A finished run of one task that changed `files`. */
async function finishedRun(repository: Repository, files: Record<string, string>) {
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' })
  const tree = openRepository(worktrees.path('T001'))
  for (const [path, content] of Object.entries(files)) {
    tree.write(path, content)
    tree.git('add', '--force', path)
  }
  const step = { kind: 'merge', tree: null, landAnyway: true } as const
  await worktrees.integrate({
    kind: 'integrate',
    id: 'T001/a1/merge0',
    workspace: 'T001',
    task: 'T001',
    title: 'Work',
    base,
    step,
  })
  return { ...which, base: base ?? '' }
}

describe('diff', () => {
  test('shows what the run changed, whole or in short, also when only the kept tip is left', async () => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, { 'b.txt': 'changed\n', 'new ü.txt': 'n\n' })
    repository.write('b.txt', 'elsewhere\n')
    repository.commit('On main')
    expect(String(await diffRun(repository.root, run.base, run.branch, { stat: false, exact: false }))).toContain(
      '-b\n+changed',
    )
    repository.git('branch', '-D', run.branch)
    const short = String(await diffRun(repository.root, run.base, run.branch, { stat: true, exact: false }))
    expect(short).toContain('2 files changed, 2 insertions(+), 1 deletion(-)')
    expect(short).toContain('create mode 100644 new ü.txt')
  })

  test('a run without a branch is an error that says so', async () => {
    const repository = makeRepository(start)
    await expect(diffRun(repository.root, 'HEAD', 'looper/none', { stat: true, exact: true })).rejects.toMatchObject({
      code: 'WORKSPACE_APPLY',
    })
  })
})

describe('apply', () => {
  test('fast-forwards and leaves unrelated uncommitted work alone', async () => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, { 'b.txt': 'run\n', 'dir/new.txt': 'n\n' })
    repository.write('a.txt', 'my own\n')
    repository.write('untracked.txt', 'u\n')
    repository.write('staged.txt', 's\n')
    repository.git('add', 'staged.txt')
    const commit = repository.git('rev-parse', run.branch)
    expect(await applyRun(repository.root, run)).toEqual({
      status: 'applied',
      commit,
      onto: 'main',
      tip: commit,
      moved: false,
      merged: false,
      made: 0,
      files: 2,
    })
    expect(repository.git('rev-parse', 'main')).toBe(commit)
    expect(repository.git('status', '--porcelain')).toBe(' M a.txt\nA  staged.txt\n?? untracked.txt')
    expect([repository.read('b.txt'), repository.read('dir/new.txt'), repository.read('a.txt')]).toEqual([
      'run\n',
      'n\n',
      'my own\n',
    ])
    expect(repository.git('rev-parse', 'ORIG_HEAD')).toBe(run.base)
    expect(await applyRun(repository.root, run)).toMatchObject({ status: 'already', files: 0 })
  })

  test('merges when the branch has moved on', async () => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, { 'a.txt': 'run\n2\n3\n4\n5\n6\n7\n8\n' })
    repository.write('a.txt', '1\n2\n3\n4\n5\n6\n7\nmain\n')
    const main = repository.commit('On main')
    expect(await applyRun(repository.root, run)).toMatchObject({ status: 'applied', merged: true, files: 1 })
    expect(repository.read('a.txt')).toBe('run\n2\n3\n4\n5\n6\n7\nmain\n')
    const landed = repository.git('rev-parse', run.branch)
    expect(repository.git('log', '-1', '--format=%s %P')).toBe(`Merge branch 'looper/001-demo' ${main} ${landed}`)
    expect(repository.git('status', '--porcelain')).toBe('')
    expect(repository.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
  })

  test('touched files that only look changed are no obstacle', async () => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, { 'b.txt': 'run\n' })
    repository.write('b.txt', 'b\n')
    expect(await applyRun(repository.root, run)).toMatchObject({ status: 'applied' })
  })

  const refusals: [what: string, prepare: (repository: Repository) => void, message: string][] = [
    ['a modified file would be overwritten', ({ write }) => write('b.txt', 'mine\n'), 'would be overwritten: b.txt.'],
    [
      'a staged file would be overwritten',
      ({ write, git }) => {
        write('b.txt', 'mine\n')
        git('add', 'b.txt')
      },
      'overwritten: b.txt.',
    ],
    ['an untracked file is in the way', ({ write }) => write('new.txt', 'mine\n'), 'overwritten: new.txt. Nothing'],
    [
      'HEAD is detached',
      ({ git }) => git('checkout', '-q', '--detach'),
      'started from main, and no branch is checked out',
    ],
    ['an ignored file is in the way', ({ write }) => write('.env', 'SECRET\n'), 'overwritten: .env.'],
    [
      'the branches conflict',
      ({ write, commit }) => {
        write('b.txt', 'main\n')
        commit('On main')
      },
      'conflicts with your branch in b',
    ],
    [
      'a merge is under way',
      ({ root, git }) => writeFileSync(join(root, '.git/MERGE_HEAD'), git('rev-parse', 'HEAD')),
      'in the middle',
    ],
  ]

  test.each(refusals)('refuses and touches nothing when %s', async (_what, spoil, message) => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, { 'b.txt': 'run\n', 'new.txt': 'n\n', '.env': 'run\n' })
    spoil(repository)
    repository.git('status')
    const before = fingerprint(repository)
    const verified: string[] = []
    const verify = async ({ commit }: { commit: string }): Promise<void> => void verified.push(commit)
    const refused = applyRun(repository.root, { ...run, started: 'main' }, { verify })
    await expect(refused).rejects.toMatchObject({ code: 'WORKSPACE_APPLY', message: expect.stringContaining(message) })
    await expect(refused).rejects.toHaveProperty('hint', expect.stringMatching(/`/))
    expect(fingerprint(repository)).toBe(before)
    // Checks take long, so what refuses the result anyway is found before they run.
    expect(verified).toEqual([])
  })

  test('another branch than the one it started from only where the user asks for it', async () => {
    const repository = makeRepository(start)
    const run = { ...(await finishedRun(repository, { 'b.txt': 'run\n' })), started: 'main' }
    repository.git('switch', '-q', '-c', 'other')
    await expect(applyRun(repository.root, { ...run, onlyThere: true })).rejects.toMatchObject({
      message: 'The run started from main, and other is checked out now. Nothing was applied.',
      hint: '`looper apply 001-demo` applies it to other; `git switch main` goes back first.',
    })
    expect(await applyRun(repository.root, run)).toMatchObject({ status: 'applied', onto: 'other' })
  })

  test('a detached HEAD is moved where the run started from one', async () => {
    const repository = makeRepository(start)
    const run = { ...(await finishedRun(repository, { 'b.txt': 'run\n' })), started: null }
    repository.git('checkout', '-q', '--detach')
    const applied = await applyRun(repository.root, { ...run, onlyThere: true })
    expect(applied).toMatchObject({ status: 'applied', onto: null })
  })

  test.each(['merge', 'squash', 'rebase'] as const)(
    'changes that the branch has already make no commit (%s)',
    async (style) => {
      const repository = makeRepository(start)
      const run = await finishedRun(repository, { 'b.txt': 'run\n' })
      repository.write('b.txt', 'run\n')
      const same = repository.commit('The same change')
      expect(await applyRun(repository.root, { ...run, style })).toMatchObject({ status: 'already', commit: same })
      expect(repository.git('rev-parse', 'HEAD')).toBe(same)
    },
  )

  test('a rebase that conflicts proposes a merge only where it has no conflict', async () => {
    const conflict = async (later: string | null): Promise<string> => {
      const repository = makeRepository(start)
      const run = await finishedRun(repository, { 'b.txt': 'run\n' })
      if (later !== null) {
        repository.git('switch', '-q', run.branch)
        repository.write('b.txt', later)
        repository.commit('Another change')
        repository.git('switch', '-q', 'main')
      }
      repository.write('b.txt', 'main\n')
      repository.commit('On main')
      const refused: unknown = await applyRun(repository.root, { ...run, style: 'rebase' }).catch(
        (error: unknown) => error,
      )
      return (refused as { hint: string }).hint
    }
    expect(await conflict(null)).toBe('Run `git merge looper/001-demo` and resolve it by hand.')
    expect(await conflict('main\n')).toBe('A merge has no conflict: looper apply 001-demo --merge')
  })

  test('a run that landed nothing has nothing to apply', async () => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, {})
    expect(await applyRun(repository.root, run)).toMatchObject({ status: 'nothing' })
  })
})

describe('discard', () => {
  test('removes work trees, branch and refs of this run only, and is repeatable', async () => {
    const repository = makeRepository(start)
    const before = fingerprint(repository)
    const run = await finishedRun(repository, { 'b.txt': 'run\n' })
    const other = await makeWorktrees(repository, { run: '001-demo2', branch: 'looper/001-demo2' })
    await other.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' })
    const tip = repository.git('rev-parse', run.branch)
    const { refs, commit } = await discardRun(repository.root, run)
    expect(refs.toSorted()).toEqual([
      'refs/heads/looper/001-demo',
      'refs/looper/001-demo/T001/a1',
      'refs/looper/001-demo/tip',
    ])
    expect(commit).toBe(tip)
    expect(await discardRun(repository.root, run)).toEqual({ refs: [], commit: null })
    const left = ['refs/heads/looper/001-demo2', 'refs/heads/main', 'refs/looper/001-demo2/tip']
    expect(repository.git('for-each-ref', '--format=%(refname)').split('\n')).toEqual(left)
    expect(existsSync(workspacesOf(repository))).toBe(false)
    expect(openRepository(other.path('T001')).git('rev-parse', '--show-toplevel')).toBe(other.path('T001'))
    expect(fingerprint(repository)).toBe(before)
  })

  test('refuses while the user has the branch checked out', async () => {
    const repository = makeRepository(start)
    const run = await finishedRun(repository, { 'b.txt': 'run\n' })
    repository.git('checkout', '--quiet', run.branch)
    const hint = expect.stringContaining('git switch')
    await expect(discardRun(repository.root, run)).rejects.toMatchObject({ code: 'WORKSPACE_APPLY', hint })
    expect(repository.git('rev-parse', run.branch)).not.toBe(run.base)
  })
})
