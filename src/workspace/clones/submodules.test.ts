import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  type Repository,
} from '../../../test/kit/repository.ts'

/** A repository with one submodule, `libs/inner lib`. */
function withSubmodule(): { repository: Repository; inner: Repository; pinned: string } {
  const source = makeRepository({ 'lib.txt': 'lib\n' })
  const repository = makeRepository()
  repository.git('submodule', '--quiet', 'add', '--name', 'inner', source.root, 'libs/inner lib')
  repository.commit('Add submodule')
  return {
    repository,
    inner: openRepository(join(repository.root, 'libs/inner lib')),
    pinned: source.git('rev-parse', 'HEAD'),
  }
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
  const step = { kind: 'merge', tree: after, landAnyway: true } as const
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
  const step = { kind: 'merge', tree: found.tree, landAnyway: true } as const
  const landed = await worktrees.integrate({ ...merge, base, step })
  const kept = 'refs/looper/001-demo/T001/a1'
  expect(landed).toMatchObject({ status: 'landed', submodules: [{ path: 'libs/inner lib', commit, kept }] })
  expect(inner.git('rev-parse', kept)).toBe(commit)
  await worktrees.clean()
  expect(repository.git('ls-tree', 'looper/001-demo', 'libs/')).toContain(commit)
  expect(inner.git('cat-file', '-t', commit)).toBe('commit')
})

test('such a commit is kept by an engine that was started again before the merge', async () => {
  const { repository, inner } = withSubmodule()
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
  theirs.write('more.txt', 'more\n')
  const commit = theirs.commit('More')
  const { tree } = await worktrees.inspect({ ...inspect, base })
  const again = await makeWorktrees(repository)
  const merged = await again.integrate({ ...merge, base, step: { kind: 'merge', tree, landAnyway: false } })
  expect(merged).toMatchObject({ status: 'merged', submodules: [{ path: 'libs/inner lib', commit }] })
  expect(inner.git('cat-file', '-t', commit)).toBe('commit')
})

test("a commit that a remote branch of the checkout's copy holds is not reported", async () => {
  const { repository, inner, pinned } = withSubmodule()
  inner.write('more.txt', 'more\n')
  const commit = inner.commit('More')
  inner.git('update-ref', 'refs/remotes/origin/more', commit)
  inner.git('checkout', '--quiet', pinned)
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  openRepository(join(worktrees.path('T001'), 'libs/inner lib')).git('checkout', '--quiet', commit)
  const { tree, files } = await worktrees.inspect({ ...inspect, base })
  expect(files).toEqual(['libs/inner lib'])
  const landed = await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree, landAnyway: true } })
  expect(landed).toEqual({ kind: 'integrate', status: 'landed', commit: expect.any(String) })
})

test('a submodule that the agent adds stays one', async () => {
  const repository = makeRepository()
  const source = makeRepository({ 'lib.txt': 'lib\n' })
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare)
  openRepository(worktrees.path('T001')).git(
    '-c',
    'protocol.file.allow=always',
    'submodule',
    '--quiet',
    'add',
    source.root,
    'added',
  )
  const found = await worktrees.inspect({ ...inspect, base })
  expect(found.files).toEqual(['.gitmodules', 'added'])
  expect(repository.git('ls-tree', found.tree, 'added')).toMatch(/^160000 commit/)
})

describe('edits that are in no commit', () => {
  const outside = { ...inspect, outside: true } as const

  test("are named, and kept in the checkout's copy when the workspace is handed on", async () => {
    const { repository, inner, pinned } = withSubmodule()
    const worktrees = await makeWorktrees(repository)
    const { base } = await worktrees.prepare(prepare)
    const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
    expect((await worktrees.inspect({ ...outside, base })).outside).toEqual([])
    theirs.write('lib.txt', 'edited\n')
    theirs.write('new.txt', 'new\n')
    expect((await worktrees.inspect({ ...outside, base })).outside).toEqual([
      { kind: 'submodule', path: 'libs/inner lib' },
    ])
    await worktrees.prepare({ ...prepare, id: 'T001/a2/prepare' })
    expect(theirs.read('lib.txt')).toBe('lib\n')
    expect(existsSync(join(theirs.root, 'new.txt'))).toBe(false)
    const kept = inner.git('for-each-ref', '--format=%(refname)', 'refs/looper').split('\n')
    expect(kept).toEqual([expect.stringMatching(/^refs\/looper\/001-demo\/T001\/a1-left-/)])
    expect(inner.git('show', `${kept[0]}:lib.txt`, `${kept[0]}:new.txt`)).toBe('edited\nnew')
    expect(inner.git('rev-parse', `${kept[0]}^`)).toBe(pinned)
    expect(inner.git('rev-parse', 'HEAD')).toBe(pinned)
  })

  test('on top of a commit of the agent are kept with it', async () => {
    const { repository, inner } = withSubmodule()
    const worktrees = await makeWorktrees(repository)
    await worktrees.prepare(prepare)
    const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
    theirs.write('one.txt', '1\n')
    const commit = theirs.commit('One')
    theirs.write('two.txt', '2\n')
    await worktrees.clean()
    const [kept] = inner.git('for-each-ref', '--format=%(refname)', 'refs/looper').split('\n')
    expect(inner.git('rev-parse', `${kept}^`)).toBe(commit)
    expect(inner.git('show', `${kept}:two.txt`)).toBe('2')
  })

  test('are kept before a conflict is put into the workspace', async () => {
    const { repository, inner } = withSubmodule()
    const worktrees = await makeWorktrees(repository)
    const { base } = await worktrees.prepare(prepare)
    await worktrees.prepare({ ...prepare, id: 'T002/a1/prepare', workspace: 'T002' })
    for (const task of ['T001', 'T002']) openRepository(worktrees.path(task)).write('a.txt', `${task}\n`)
    openRepository(join(worktrees.path('T002'), 'libs/inner lib')).write('lib.txt', 'edited\n')
    const step = { kind: 'merge', tree: null, landAnyway: true } as const
    await worktrees.integrate({ ...merge, base, step })
    expect(
      await worktrees.integrate({ ...merge, id: 'T002/a1/merge0', workspace: 'T002', task: 'T002', base, step }),
    ).toMatchObject({ status: 'conflict' })
    expect(inner.git('for-each-ref', '--format=%(refname)', 'refs/looper')).toMatch(
      /^refs\/looper\/001-demo\/T002\/a1-left-/,
    )
  })

  test("a submodule is a clone of its own: nothing done there reaches the user's", async () => {
    const { repository, inner } = withSubmodule()
    const before = [fingerprint(inner), inner.git('config', '--list', '--local')]
    const worktrees = await makeWorktrees(repository)
    await worktrees.prepare(prepare)
    const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
    theirs.git('branch', 'mine')
    theirs.git('config', 'user.name', 'Mallory')
    theirs.write('lib.txt', 'stashed\n')
    theirs.git('stash', '--quiet')
    expect([fingerprint(inner), inner.git('config', '--list', '--local')]).toEqual(before)
  })

  test('a path of .gitmodules that leads out of the workspace is none', async () => {
    const { repository } = withSubmodule()
    const worktrees = await makeWorktrees(repository)
    const { base } = await worktrees.prepare(prepare)
    const tree = openRepository(worktrees.path('T001'))
    tree.write(
      '.gitmodules',
      '[submodule "inner"]\n\tpath = ../victim\n\turl = x\n[submodule "../../x"]\n\tpath = libs/inner lib\n',
    )
    mkdirSync(join(tree.root, '../victim'))
    writeFileSync(join(tree.root, '../victim/precious'), 'precious')
    expect((await worktrees.inspect({ ...outside, base })).files).toEqual(['.gitmodules'])
    await worktrees.prepare({ ...prepare, id: 'T001/a2/prepare' })
    expect(readFileSync(join(tree.root, '../victim/precious'), 'utf8')).toBe('precious')
  })
})

describe('secrets', () => {
  const isClean = (text: string): boolean => !text.includes('hunter2-hunter2')
  const refsOf = (inner: Repository): string => inner.git('for-each-ref', '--format=%(refname)', 'refs/looper')

  test('inspection keeps edits that are in no commit, and says where', async () => {
    const { repository, inner } = withSubmodule()
    const worktrees = await makeWorktrees(repository, { isClean })
    const { base } = await worktrees.prepare(prepare)
    expect((await worktrees.inspect({ ...inspect, base })).submodules).toBeUndefined()
    openRepository(join(worktrees.path('T001'), 'libs/inner lib')).write('lib.txt', 'edited\n')
    const { submodules, fileCount } = await worktrees.inspect({ ...inspect, base })
    const kept = expect.stringMatching(/^refs\/looper\/001-demo\/T001\/a1-left-/)
    expect(submodules).toEqual([{ kind: 'edits', path: 'libs/inner lib', kept }])
    expect(fileCount).toBe(0)
    expect(await worktrees.inspect({ ...inspect, base })).toMatchObject({ submodules })
    expect(inner.git('show', `${refsOf(inner)}:lib.txt`)).toBe('edited')
  })

  test('edits with the value of a secret are not kept, on no way', async () => {
    const { repository, inner } = withSubmodule()
    const worktrees = await makeWorktrees(repository, { isClean })
    const { base } = await worktrees.prepare(prepare)
    openRepository(join(worktrees.path('T001'), 'libs/inner lib')).write('key', 'hunter2-hunter2\n')
    const { submodules } = await worktrees.inspect({ ...inspect, base })
    expect(submodules).toEqual([{ kind: 'edits', path: 'libs/inner lib', kept: null }])
    await worktrees.prepare({ ...prepare, id: 'T001/a2/prepare' })
    await worktrees.clean()
    expect(refsOf(inner)).toBe('')
  })

  test('edits on top of a commit with one are kept without that commit', async () => {
    const { repository, inner, pinned } = withSubmodule()
    const worktrees = await makeWorktrees(repository, { isClean })
    const { base } = await worktrees.prepare(prepare)
    const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
    theirs.write('key', 'hunter2-hunter2\n')
    theirs.commit('Key')
    theirs.write('key', 'from the environment\n')
    await worktrees.inspect({ ...inspect, base })
    expect(inner.git('rev-parse', `${refsOf(inner)}^`)).toBe(pinned)
    expect(inner.git('show', `${refsOf(inner)}:key`)).toBe('from the environment')
  })

  test('commits with one are reported, and neither copied nor kept', async () => {
    const { repository, inner } = withSubmodule()
    const worktrees = await makeWorktrees(repository, { isClean })
    const { base } = await worktrees.prepare(prepare)
    const theirs = openRepository(join(worktrees.path('T001'), 'libs/inner lib'))
    theirs.write('key', 'hunter2-hunter2\n')
    theirs.commit('Key')
    theirs.write('key', 'gone\n')
    const commit = theirs.commit('Without')
    const { tree, submodules } = await worktrees.inspect({ ...inspect, base })
    expect(submodules).toEqual([{ kind: 'secret', path: 'libs/inner lib' }])
    await worktrees.integrate({ ...merge, base, step: { kind: 'merge', tree, landAnyway: true } })
    expect(refsOf(inner)).toBe('')
    const objects = inner.git('cat-file', '--batch-all-objects', '--batch-check=%(objectname)')
    expect(objects).not.toContain(commit)
  })
})
