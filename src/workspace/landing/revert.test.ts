import { expect, test } from 'vitest'
import { makeRepository, makeWorktrees, type Repository, type Worktrees } from '../../../test/kit/repository.ts'
import { land, merge, prepare, ready, tip } from '../../../test/kit/steps.ts'

const revert = (worktrees: Worktrees, commit: string, round = '1') =>
  worktrees.integrate({
    kind: 'integrate',
    id: `wave1/revert${round}`,
    workspace: 'main',
    task: 'T001',
    title: 'the check "unit" went red with it',
    base: null,
    step: { kind: 'revert', commit },
  })

const landRevert = (worktrees: Worktrees, commit: string, onto: string, round = '1') =>
  worktrees.integrate({
    kind: 'integrate',
    id: `wave1/land${round}`,
    workspace: 'main',
    task: 'T001',
    title: '',
    base: null,
    step: { kind: 'land', commit, onto },
  })

/** Lands one task after the other, each with these files. */
async function landed(repository: Repository, ...tasks: Record<string, string>[]) {
  const { worktrees, at } = await ready(repository, 'main')
  const commits: string[] = []
  for (const [index, files] of tasks.entries()) {
    const task = `T00${index + 1}`
    const { base } = await prepare(worktrees, task)
    for (const [path, content] of Object.entries(files)) at(task).write(path, content)
    await merge(worktrees, task, base)
    commits.push(tip(repository))
  }
  return { worktrees, at, commits }
}

const lines = (...changed: [number, string][]): string =>
  Array.from({ length: 9 }, (_, n) => `${new Map(changed).get(n + 1) ?? n + 1}\n`).join('')

test('takes one change back and leaves those after it; it lands like a merge (F15)', async () => {
  const repository = makeRepository({ 'a.txt': lines() })
  const {
    worktrees,
    commits: [culprit = '', , last = ''],
  } = await landed(
    repository,
    { 'a.txt': lines([1, 'bad']), 'new.txt': 'bad\n' },
    { 'a.txt': lines([1, 'bad'], [9, 'good']) },
    { 'b.txt': 'b\n' },
  )
  const reverted = await revert(worktrees, culprit)
  if (reverted.status !== 'merged') throw new Error(reverted.status)
  expect(reverted.onto).toBe(last)
  expect(tip(repository)).toBe(last)
  expect(repository.git('show', `${reverted.tree}:a.txt`)).toBe(lines([9, 'good']).trim())
  const outcome = await landRevert(worktrees, reverted.commit, reverted.onto)
  expect(outcome).toEqual({ kind: 'integrate', status: 'landed', commit: reverted.commit })
  expect(repository.git('ls-tree', '--name-only', 'looper/001-demo')).toBe('a.txt\nb.txt')
  expect(repository.git('log', '-1', '--format=%B', tip(repository)).trim()).toBe(
    [
      'Revert "Do T001"',
      '',
      `This takes back ${culprit}.`,
      '',
      'the check "unit" went red with it',
      '',
      'Looper-Run: 001-demo',
      'Looper-Task: T001',
      'Looper-Work: wave1/1',
      `Looper-Reverts: ${culprit}`,
    ].join('\n'),
  )
  for (const again of [worktrees, await makeWorktrees(repository)]) {
    expect(await landRevert(again, reverted.commit, reverted.onto)).toEqual(outcome)
    expect(await revert(again, culprit)).toEqual(outcome)
    expect(await revert(again, culprit, '2')).toEqual({ kind: 'integrate', status: 'landed', commit: null })
  }
})

test('says where later changes build on it, and moves nothing', async () => {
  const repository = makeRepository({ 'a.txt': lines() })
  const {
    worktrees,
    commits: [culprit = '', last = ''],
  } = await landed(repository, { 'a.txt': lines([1, 'bad']) }, { 'a.txt': lines([1, 'built on it']) })
  const conflict = await revert(worktrees, culprit)
  expect(conflict).toMatchObject({ status: 'conflict', onto: last, files: ['a.txt'] })
  expect(tip(repository)).toBe(last)
})

test('a branch that moved meanwhile is reported by landing', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    at,
    commits: [culprit = ''],
  } = await landed(repository, { 'bad.txt': 'bad\n' })
  const reverted = await revert(worktrees, culprit)
  if (reverted.status !== 'merged') throw new Error(reverted.status)
  const { base } = await prepare(worktrees, 'T009')
  at('T009').write('c.txt', 'c\n')
  await merge(worktrees, 'T009', base)
  expect(await landRevert(worktrees, reverted.commit, reverted.onto)).toEqual({ kind: 'integrate', status: 'moved' })
  const again = await revert(worktrees, culprit, '1.1')
  if (again.status !== 'merged') throw new Error(again.status)
  expect(await land(worktrees, 'T001', again.onto, again.commit, again.onto)).toMatchObject({ status: 'landed' })
  expect(repository.git('ls-tree', '--name-only', 'looper/001-demo')).toBe('a.txt\nc.txt\nsrc')
})

test('a commit that is not on the branch cannot be reverted', async () => {
  const repository = makeRepository()
  const { worktrees } = await landed(repository, { 'x.txt': 'x\n' })
  const elsewhere = repository.commit('Elsewhere')
  expect(await revert(worktrees, elsewhere)).toEqual({ kind: 'integrate', status: 'landed', commit: null })
})
