import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, makeWorktrees, type Repository } from '../../test/kit/repository.ts'
import { inspect, merge, prepare, ready, tip } from '../../test/kit/steps.ts'
import { findLeftovers, removeLeftovers } from './run-leftovers.ts'

const kept = ({ git }: Repository): string[] =>
  git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/looper/001-demo').split('\n').filter((ref) => ref !== 'tip')

const show = ({ git }: Repository, ref: string, path: string): string => git('show', `refs/looper/001-demo/${ref}:${path}`)

test('what a failed attempt left is kept when the next one begins, once', async () => {
  const repository = makeRepository({ '.gitignore': 'cache/\n', 'a.txt': 'a\n' })
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('a.txt', 'half done\n')
  at('T001').write('new/file.txt', 'n\n')
  at('T001').write('cache/x', 'x')
  await prepare(worktrees, 'T001', 2)
  expect(at('T001').git('status', '--porcelain')).toBe('')
  expect(kept(repository)).toEqual(['T001/a1-left'])
  expect(repository.git('ls-tree', '-r', '--name-only', 'refs/looper/001-demo/T001/a1-left')).toBe('.gitignore\na.txt\nnew/file.txt')
  const told = repository.git('log', '-1', '--format=%s %P', 'refs/looper/001-demo/T001/a1-left')
  expect(told).toBe(`What was left of T001/a1/prepare ${base}`)
  await prepare(worktrees, 'T001', 3)
  expect(kept(repository)).toEqual(['T001/a1-left'])
})

test('what the agent committed is kept with what it had not', async () => {
  const repository = makeRepository()
  const { worktrees, at } = await ready(repository, 'T001', 'T002')
  at('T001').write('one.txt', '1\n')
  const first = at('T001').commit('One')
  at('T001').write('two.txt', '2\n')
  at('T002').git('checkout', '--quiet', '-b', 'own')
  at('T002').write('own.txt', 'o\n')
  const own = at('T002').commit('Own')
  at('T002').git('checkout', '--quiet', '--detach')
  at('T002').git('branch', '--quiet', '-D', 'own')
  for (const fresh of [worktrees, await makeWorktrees(repository)]) await prepare(fresh, 'T001', 2)
  await prepare(worktrees, 'T002', 2)
  expect(kept(repository)).toEqual(['T001/a1-left', 'T002/a1-left'])
  expect(repository.git('rev-parse', 'refs/looper/001-demo/T001/a1-left^', 'refs/looper/001-demo/T002/a1-left')).toBe(`${first}\n${own}`)
  expect(show(repository, 'T001/a1-left', 'two.txt')).toBe('2')
})

test('what has landed needs no keeping but for commits of its own, whose messages tell more than the landing', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  const one = at('T001')
  one.write('one.txt', '1\n')
  const { tree } = await inspect(worktrees, 'T001', base)
  await merge(worktrees, 'T001', base, tree)
  one.write('litter.txt', 'of a check')
  await prepare(worktrees, 'T001', 2)
  expect(kept(repository)).toEqual(['T001/a1'])
  at('T002').write('two.txt', '2\n')
  const committed = at('T002').commit('Two, and why')
  expect(await merge(worktrees, 'T002', base)).toMatchObject({ status: 'merged', onto: tip(repository) })
  expect(kept(repository)).toEqual(['T001/a1', 'T002/a1', 'T002/a1-left'])
  expect(repository.git('rev-parse', 'refs/looper/001-demo/T002/a1-left')).toBe(committed)
  await prepare(worktrees, 'T002', 2)
  expect(kept(repository)).toEqual(['T001/a1', 'T002/a1', 'T002/a1-left'])
})

test('what was handed in before a crash is not kept twice', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  at('T001').write('a.txt', 'mine\n')
  at('T002').write('a.txt', 'yours\n')
  await merge(worktrees, 'T001', base)
  await merge(worktrees, 'T002', base)
  const fresh = await makeWorktrees(repository)
  for (const task of ['T001', 'T002']) await prepare(fresh, task, 2)
  expect(kept(repository).filter((ref) => ref !== 'T002/a1-left')).toEqual(['T001/a1', 'T002/a1'])
})

test('cleaning up keeps what was never handed in, and `clean` of the run takes it away', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'main', 'T001', 'T002', 'T003')
  at('T001').write('one.txt', '1\n')
  at('T002').write('two.txt', '2\n')
  await merge(worktrees, 'T001', base)
  worktrees.path('main')
  worktrees.path('T003')
  rmSync(worktrees.path('T003'), { recursive: true })
  await worktrees.clean()
  expect(kept(repository)).toEqual(['T001/a1', 'T002/a1-left'])
  expect(show(repository, 'T002/a1-left', 'two.txt')).toBe('2')
  const { refs } = await findLeftovers(repository.root, { run: '001-demo', branch: 'looper/001-demo', base })
  await removeLeftovers(repository.root, '001-demo', refs)
  expect(kept(repository)).toEqual([''])
})

test('an index that cannot be read is no reason to lose the files', async () => {
  const repository = makeRepository()
  const { worktrees, at } = await ready(repository, 'T001')
  at('T001').write('one.txt', '1\n')
  writeFileSync(join(repository.root, '.looper/worktrees/001-demo/.state/w1.index'), 'rubbish')
  await prepare(worktrees, 'T001', 2)
  expect(show(repository, 'T001/a1-left', 'one.txt')).toBe('1')
})

test('what is beneath an overlay is kept, not the overlay', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  for (const task of ['T001', 'T002']) {
    at(task).write('code.txt', `${task}\n`)
    at(task).write('test.txt', 't\n')
    const { tree } = await inspect(worktrees, task, base)
    await worktrees.overlay({ kind: 'overlay', id: `${task}/a1/overlay`, workspace: task, base, tree, paths: ['test.txt'] })
    if (task === 'T002') await inspect(worktrees, task, base, tree)
  }
  at('T002').write('code.txt', 'more\n')
  const fresh = await makeWorktrees(repository)
  for (const task of ['T001', 'T002']) await prepare(fresh, task, 2)
  expect(show(repository, 'T001/a1-left', 'code.txt')).toBe('T001')
  expect(show(repository, 'T002/a1-left', 'code.txt')).toBe('more')
})

test('attempts side by side are kept with their task', async () => {
  const repository = makeRepository()
  const worktrees = await makeWorktrees(repository)
  for (const n of [1, 2]) {
    const workspace = n === 1 ? 'T001' : `T001~${n}`
    await worktrees.prepare({ kind: 'prepare', id: `T001/a${n}/prepare`, workspace })
    writeFileSync(join(worktrees.path(workspace), 'x.txt'), `${n}\n`)
  }
  worktrees.release('T001~2')
  await worktrees.clean()
  expect(kept(repository)).toEqual(['T001/a1-left', 'T001/a2-left'])
})
