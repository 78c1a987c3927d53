/** Edits that are in no commit, in submodules that the checkout has no copy of. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, makeWorktrees, openRepository, type Repository } from '../../../test/kit/repository.ts'

const prepare = { kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' } as const
const inspect = { kind: 'inspect', id: 'T001/a1/inspect0', workspace: 'T001', restore: null } as const
const merge = { kind: 'integrate', id: 'T001/a1/merge0', workspace: 'T001', task: 'T001', title: 'x' } as const

const kept = expect.stringMatching(/^refs\/looper\/001-demo\/T001\/a1-submodule-left-[0-9a-f]{12}$/)
const refsOf = (repository: Repository): string[] =>
  repository
    .git('for-each-ref', '--format=%(refname)', 'refs/looper')
    .split('\n')
    .filter((ref) => ref.includes('submodule-left'))

/** A workspace of `repository`, and the agent's repository in it. */
async function workspaceOf(repository: Repository) {
  const worktrees = await makeWorktrees(repository, { isClean: (text) => !text.includes('hunter2') })
  const { base } = await worktrees.prepare(prepare)
  const look = () => worktrees.inspect({ ...inspect, base })
  const outside = async () => (await worktrees.inspect({ ...inspect, base, outside: true })).outside
  return { repository, worktrees, base, look, outside, tree: openRepository(worktrees.path('T001')) }
}

/** The agent has added the submodule `added`, with `lib.txt` and `sub/kept.txt`. */
async function adding() {
  const source = makeRepository({ 'lib.txt': 'lib\n', 'sub/kept.txt': 'kept\n', '.gitignore': '*.o\n' })
  const workspace = await workspaceOf(makeRepository())
  workspace.tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.root, 'added')
  return { ...workspace, source, theirs: openRepository(join(workspace.tree.root, 'added')) }
}

/** The user's checkout does not have the files of the submodule `inner`. */
async function notCheckedOut() {
  const origin = makeRepository()
  origin.git('submodule', '--quiet', 'add', makeRepository({ 'lib.txt': 'lib\n' }).root, 'inner')
  origin.commit('Add submodule')
  const repository = openRepository(join(origin.root, '../clone'))
  origin.git('clone', '--quiet', '.', repository.root)
  return workspaceOf(repository)
}

test('a submodule without edits is no work, and products that it ignores are none', async () => {
  const { look, theirs } = await adding()
  theirs.write('lib.o', 'product')
  expect((await look()).submodules).toBeUndefined()
})

test("edits are reported and kept in the user's repository, once", async () => {
  const { repository, worktrees, base, look, theirs } = await adding()
  theirs.write('lib.txt', 'edited\n')
  theirs.write('new.txt', 'new\n')
  const { tree, submodules } = await look()
  expect(submodules).toEqual([{ kind: 'edits', path: 'added', kept, noCopy: true }])
  expect((await look()).submodules).toEqual(submodules)
  await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree, landAnyway: true } })
  await worktrees.clean()
  const [ref, ...more] = refsOf(repository)
  expect(more).toEqual([])
  expect(repository.git('ls-tree', '-r', '--name-only', `${ref}`).split('\n')).toEqual([
    '.gitignore',
    'lib.txt',
    'new.txt',
    'sub/kept.txt',
  ])
  expect(repository.git('show', `${ref}:lib.txt`, `${ref}:new.txt`, `${ref}:sub/kept.txt`)).toBe('edited\nnew\nkept')
  repository.git('fsck', '--strict', '--connectivity-only')
})

test('edits that no inspection has seen are kept before the workspace is reset', async () => {
  const { repository, worktrees, look, theirs } = await adding()
  await look()
  theirs.write('lib.txt', 'edited\n')
  await worktrees.prepare({ ...prepare, id: 'T001/a2/prepare' })
  expect(existsSync(join(theirs.root, 'lib.txt'))).toBe(false)
  expect(repository.git('show', `${refsOf(repository)[0]}:lib.txt`)).toBe('edited')
})

test('files that are those of an earlier commit are kept too', async () => {
  const { repository, look, theirs } = await adding()
  theirs.write('lib.txt', 'later\n')
  theirs.commit('Later')
  theirs.git('checkout', '--quiet', 'HEAD~1', '--', '.')
  expect((await look()).submodules).toEqual([{ kind: 'edits', path: 'added', kept, noCopy: true }])
  expect(repository.git('show', `${refsOf(repository)[0]}:lib.txt`)).toBe('lib')
})

test.each(['edits', 'a commit below them'])('%s with the value of a secret: reported, and not kept', async (where) => {
  const { repository, look, theirs } = await adding()
  theirs.write('key', 'hunter2\n')
  if (where !== 'edits') theirs.commit('Key')
  theirs.write('lib.txt', 'edited\n')
  expect((await look()).submodules).toEqual([{ kind: 'edits', path: 'added', kept: null, noCopy: true }])
  expect(refsOf(repository)).toEqual([])
})

test.each(['initialized', 'only written to'])('a submodule that the user did not check out, %s', async (how) => {
  const { repository, look, tree } = await notCheckedOut()
  expect((await look()).submodules).toBeUndefined()
  if (how === 'initialized') tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  expect((await look()).submodules).toBeUndefined()
  tree.write('inner/new.txt', 'new\n')
  expect((await look()).submodules).toEqual([{ kind: 'edits', path: 'inner', kept, noCopy: true }])
  expect(repository.git('show', `${refsOf(repository)[0]}:new.txt`)).toBe('new')
})

test.each(['.git', 'objects', 'alternates'])('no object is read through %s from outside the workspace', async (way) => {
  const other = makeRepository({ 'private.txt': 'private\n' })
  const { repository, worktrees, base, look, tree, theirs } = await adding()
  const [theirDir, otherDir] = [join(tree.root, '.git/modules/added'), join(other.root, '.git')]
  if (way === '.git') writeFileSync(join(theirs.root, '.git'), `gitdir: ${otherDir}\n`)
  else writeFileSync(join(theirDir, 'HEAD'), `${other.git('rev-parse', 'HEAD')}\n`)
  if (way === 'alternates') writeFileSync(join(theirDir, 'objects/info/alternates'), join(otherDir, 'objects'))
  if (way === 'objects') {
    rmSync(join(theirDir, 'objects'), { recursive: true })
    symlinkSync(join(otherDir, 'objects'), join(theirDir, 'objects'))
  }
  // The files are there, whatever their commit is.
  const { tree: after, submodules } = await look()
  expect(submodules).toEqual([{ kind: 'edits', path: 'added', kept, noCopy: true }])
  await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree: after, landAnyway: true } })
  expect(repository.git('show', `${refsOf(repository)[0]}:lib.txt`)).toBe('lib')
  expect(() => repository.git('cat-file', '-e', other.git('rev-parse', 'HEAD:private.txt'))).toThrow()
})

test.each(['without a commit', 'with a commit'])('files of a repository in it, %s, are reported', async (how) => {
  const { repository, look, theirs } = await adding()
  theirs.git('init', '--quiet', 'nested')
  const nested = openRepository(join(theirs.root, 'nested'))
  nested.write('new.txt', 'new\n')
  if (how === 'with a commit') nested.commit('New')
  expect((await look()).submodules).toEqual([{ kind: 'edits', path: 'added', kept: null, noCopy: true }])
  expect(refsOf(repository)).toEqual([])
})

test('a pipe in place of an object of the agent does not stop Looper', async () => {
  const { look, tree, theirs } = await adding()
  const head = theirs.git('rev-parse', 'HEAD')
  const object = join(tree.root, '.git/modules/added/objects', head.slice(0, 2), head.slice(2))
  rmSync(object)
  execFileSync('mkfifo', [object])
  const { submodules } = await look()
  expect(submodules).toEqual([{ kind: 'edits', path: 'added', kept, noCopy: true }])
})

test.each(['without a copy', 'with a copy'])('edits in a submodule of a submodule %s are kept', async (how) => {
  const middle = makeRepository({ 'middle.txt': 'middle\n' })
  middle.git('submodule', '--quiet', 'add', makeRepository({ 'lib.txt': 'lib\n' }).root, 'deep')
  middle.commit('Add submodule')
  const user = makeRepository()
  user.git('submodule', '--quiet', 'add', middle.root, 'inner')
  user.commit('Add submodule')
  const repository = how === 'with a copy' ? user : openRepository(join(user.root, '../clone'))
  if (how === 'without a copy') user.git('clone', '--quiet', '.', repository.root)
  const { look, tree } = await workspaceOf(repository)
  const start = how === 'with a copy' ? openRepository(join(tree.root, 'inner')) : tree
  start.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init', '--recursive')
  expect((await look()).submodules).toBeUndefined()
  tree.write('inner/deep/lib.txt', 'edited\n')
  expect((await look()).submodules).toEqual([{ kind: 'edits', path: 'inner/deep', kept, noCopy: true }])
  expect(repository.git('show', `${refsOf(repository)[0]}:lib.txt`)).toBe('edited')
})

test('the fix prompt learns of edits, and of files that no other workspace has', async () => {
  const { outside, theirs } = await adding()
  expect(await outside()).toEqual([{ kind: 'not-fetched', path: 'added' }])
  theirs.write('lib.txt', 'edited\n')
  expect(await outside()).toEqual([
    { kind: 'submodule', path: 'added' },
    { kind: 'not-fetched', path: 'added' },
  ])
})

async function withCopy() {
  const repository = makeRepository()
  repository.git('submodule', '--quiet', 'add', makeRepository({ 'lib.txt': 'lib\n' }).root, 'inner')
  repository.commit('Add submodule')
  return workspaceOf(repository)
}

test('edits on a commit of a clone that the agent made itself, beside the copy, are kept', async () => {
  const { repository, look, tree } = await withCopy()
  rmSync(join(tree.root, 'inner'), { recursive: true })
  tree.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'update', '--init')
  const theirs = openRepository(join(tree.root, 'inner'))
  theirs.write('more.txt', 'more\n')
  theirs.commit('More')
  expect((await look()).submodules).toBeUndefined()
  theirs.write('lib.txt', 'edited\n')
  expect((await look()).submodules).toEqual([{ kind: 'edits', path: 'inner', kept, noCopy: true }])
  expect(repository.git('show', `${refsOf(repository)[0]}:lib.txt`)).toBe('edited')
})

test("edits in a submodule whose .git is gone are kept in the checkout's copy", async () => {
  const { look, tree } = await withCopy()
  const folder = join(tree.root, 'inner')
  tree.write('inner/lib.txt', 'edited\n')
  rmSync(join(folder, '.git'), { recursive: true })
  const { submodules } = await look()
  expect(submodules).toEqual([{ kind: 'edits', path: 'inner', kept: expect.stringContaining('/a1-left-') }])
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  expect((await look()).submodules).toBeUndefined()
})
