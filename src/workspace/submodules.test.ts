import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fingerprint, makeRepository, makeWorktrees, openRepository, type Repository } from '../../test/kit/repository.ts'

/** A repository with one submodule, `libs/inner lib`. */
function withSubmodule(): { repository: Repository; inner: Repository; pinned: string } {
  const source = makeRepository({ 'lib.txt': 'lib\n' })
  const repository = makeRepository()
  repository.git('submodule', '--quiet', 'add', '--name', 'inner', source.root, 'libs/inner lib')
  repository.commit('Add submodule')
  return { repository, inner: openRepository(join(repository.root, 'libs/inner lib')), pinned: source.git('rev-parse', 'HEAD') }
}

const prepare = { kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' } as const
const inspect = { kind: 'inspect', id: 'T001/a1/inspect0', workspace: 'T001', restore: null } as const
const merge = { kind: 'integrate', id: 'T001/a1/merge0', workspace: 'T001', task: 'T001', title: 'x' } as const

test('come from the checkout, without its remote, and are no change', async () => {
  const { repository, pinned } = withSubmodule()
  repository.git('config', 'submodule.inner.url', '/gone')
  const before = fingerprint(repository, ['.looper', 'libs'])
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  const tree = openRepository(worktrees.path('T001'))
  expect(tree.read('libs/inner lib/lib.txt')).toBe('lib\n')
  expect(await worktrees.inspect({ ...inspect, base })).toMatchObject({ fileCount: 0 })
  tree.write('x.txt', 'x\n')
  const { tree: after, files } = await worktrees.inspect({ ...inspect, base })
  expect(files).toEqual(['x.txt'])
  expect(repository.git('ls-tree', after, 'libs/')).toBe(`160000 commit ${pinned}\tlibs/inner lib`)
  const step = { kind: 'merge', tree: after, landAnyway: false } as const
  expect(await worktrees.integrate({ ...merge, base, step })).toMatchObject({ status: 'landed' })
  await worktrees.prepare({ ...prepare, id: 'T001/a2/prepare' })
  expect(tree.read('libs/inner lib/lib.txt')).toBe('lib\n')
  await worktrees.clean()
  expect(fingerprint(repository, ['.looper', 'libs'])).toBe(before)
})

test('not checked out by the user: nothing is fetched, nothing changes', async () => {
  const { repository, pinned } = withSubmodule()
  const clone = openRepository(join(repository.root, '../clone'))
  repository.git('clone', '--quiet', '.', clone.root)
  const worktrees = await makeWorktrees(clone)
  const { base } = await worktrees.prepare(prepare)
  expect(existsSync(join(worktrees.path('T001'), 'libs/inner lib/lib.txt'))).toBe(false)
  openRepository(worktrees.path('T001')).write('x.txt', 'x\n')
  const found = await worktrees.inspect({ ...inspect, base })
  expect(found.files).toEqual(['x.txt'])
  expect(clone.git('ls-tree', found.tree, 'libs/')).toContain(pinned)
})

test('a commit that the agent made inside one lands, and outlives the work tree', async () => {
  const { repository, inner } = withSubmodule()
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
  theirs.write('more.txt', 'more\n')
  const commit = theirs.commit('More')
  const found = await worktrees.inspect({ ...inspect, base })
  expect(found.files).toEqual(['libs/inner lib'])
  await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree: found.tree, landAnyway: false } })
  await worktrees.clean()
  expect(repository.git('ls-tree', 'looper/001-demo', 'libs/')).toContain(commit)
  expect(inner.git('cat-file', '-t', commit)).toBe('commit')
})

test('a submodule that the agent adds stays one', async () => {
  const repository = makeRepository()
  const source = makeRepository({ 'lib.txt': 'lib\n' })
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  openRepository(worktrees.path('T001')).git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', source.root, 'added')
  const found = await worktrees.inspect({ ...inspect, base })
  expect(found.files).toEqual(['.gitmodules', 'added'])
  expect(repository.git('ls-tree', found.tree, 'added')).toMatch(/^160000 commit/)
})
