/** Commits in submodules that the checkout has no copy of. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, makeWorktrees, openRepository, type Repository } from '../../../test/kit/repository.ts'

const prepare = { kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' } as const
const inspect = { kind: 'inspect', id: 'T001/a1/inspect0', workspace: 'T001', restore: null } as const
const merge = { kind: 'integrate', id: 'T001/a1/merge0', workspace: 'T001', task: 'T001', title: 'x' } as const

async function adding(work: (theirs: Repository) => void) {
  const repository = makeRepository()
  const source = makeRepository({ 'lib.txt': 'lib\n' })
  const worktrees = await makeWorktrees(repository, { isClean: (text) => !text.includes('hunter2') })
  const { base } = await worktrees.prepare(prepare)
  const tree = openRepository(worktrees.path('T001'))
  tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.root, 'added')
  const theirs = openRepository(join(tree.root, 'added'))
  work(theirs)
  const commit = theirs.git('rev-parse', 'HEAD')
  const { tree: after } = await worktrees.inspect({ ...inspect, base })
  const landed = await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree: after, landAnyway: true } })
  await worktrees.clean()
  return { repository, commit, landed }
}
const more = (theirs: Repository, text: string): void => {
  theirs.write('more.txt', text)
  theirs.commit('More')
}

test('a commit that its remote has is not reported', async () => {
  const { landed } = await adding(() => {})
  expect(landed).toEqual({ kind: 'integrate', status: 'landed', commit: expect.any(String) })
})

test('a commit that only the agent has is kept, and reported', async () => {
  const { repository, commit, landed } = await adding((theirs) => more(theirs, 'more\n'))
  const kept = `refs/looper/001-demo/T001/a1-submodule-${commit.slice(0, 12)}`
  expect(landed).toMatchObject({ submodules: [{ path: 'added', commit, kept, noCopy: true }] })
  expect(repository.git('show', `${kept}:more.txt`)).toBe('more')
  expect(repository.git('show', `${kept}:lib.txt`)).toBe('lib')
})

test('a commit with the value of a secret is reported, and not kept', async () => {
  const { repository, commit, landed } = await adding((theirs) => more(theirs, 'hunter2\n'))
  expect(landed).toMatchObject({ submodules: [{ path: 'added', commit, kept: null, noCopy: true }] })
  expect(repository.git('for-each-ref', 'refs/looper')).not.toContain('submodule')
  expect(() => repository.git('cat-file', '-e', commit)).toThrow()
})

test('nothing is copied from a repository outside the workspace', async () => {
  const other = makeRepository({ 'private.txt': 'private\n' })
  const { repository, commit, landed } = await adding((theirs) => {
    rmSync(join(theirs.root, '.git'))
    writeFileSync(join(theirs.root, '.git'), `gitdir: ${join(other.root, '.git')}\n`)
  })
  expect(landed).toMatchObject({ submodules: [{ path: 'added', commit, kept: null, noCopy: true }] })
  expect(() => repository.git('cat-file', '-e', commit)).toThrow()
})

test('a submodule that the user did not check out counts too', async () => {
  const source = makeRepository({ 'lib.txt': 'lib\n' })
  const origin = makeRepository()
  origin.git('submodule', '--quiet', 'add', source.root, 'inner')
  origin.commit('Add submodule')
  const repository = openRepository(join(origin.root, '../clone'))
  origin.git('clone', '--quiet', '.', repository.root)
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  const tree = openRepository(worktrees.path('T001'))
  tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  const theirs = openRepository(join(tree.root, 'inner'))
  more(theirs, 'more\n')
  const commit = theirs.git('rev-parse', 'HEAD')
  const { tree: after } = await worktrees.inspect({ ...inspect, base })
  const landed = await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree: after, landAnyway: true } })
  const kept = `refs/looper/001-demo/T001/a1-submodule-${commit.slice(0, 12)}`
  expect(landed).toMatchObject({ submodules: [{ path: 'inner', commit, kept, noCopy: true }] })
})

test.each(['never had', 'lost'])(
  'a submodule that %s its entry in .gitmodules, at a commit that no one has',
  async (how) => {
    const repository = makeRepository({ '.gitmodules': '[submodule "inner"]\n\tpath = inner\n\turl = ../inner\n' })
    repository.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},inner`)
    if (how === 'never had') repository.git('rm', '--quiet', '.gitmodules')
    repository.git('commit', '--quiet', '-m', 'Add a gitlink')
    const worktrees = await makeWorktrees(repository)
    const { base } = await worktrees.prepare(prepare)
    const tree = openRepository(worktrees.path('T001'))
    rmSync(join(tree.root, '.gitmodules'), { force: true })
    tree.git('init', '--quiet', 'inner')
    const commit = '2'.repeat(40)
    writeFileSync(join(tree.root, 'inner/.git/HEAD'), `${commit}\n`)
    const { tree: after, files } = await worktrees.inspect({ ...inspect, base })
    expect(files).toContain('inner')
    const landed = await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree: after, landAnyway: true } })
    expect(landed).toMatchObject({
      status: 'landed',
      submodules: [{ path: 'inner', commit, kept: null, noCopy: true }],
    })
  },
)
