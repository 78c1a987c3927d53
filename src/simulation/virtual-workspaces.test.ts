/** The virtual workspaces behave like the real ones where the core depends on it. */
import { expect, test } from 'vitest'
import type { IntegrateWork } from '../model/work.ts'
import { createRandom } from './random.ts'
import { createVirtualClock } from './virtual-clock.ts'
import { createVirtualGit } from './virtual-git.ts'
import { createVirtualWorkspaces } from './virtual-workspaces.ts'

function open() {
  const git = createVirtualGit({ a: '1', b: '1' })
  const clock = createVirtualClock()
  const workspaces = createVirtualWorkspaces(
    {
      git,
      clock,
      random: createRandom(1),
      inPlace: false,
      commits: true,
      isFull: () => false,
      onStep() {},
      onLanded() {},
    },
    { n: 1, alive: true },
  )
  const settle = async <T>(job: Promise<T>): Promise<T> => {
    let done = false
    void job
      .finally(() => {
        done = true
      })
      .catch(() => {})
    while (!done) {
      await new Promise((resolve) => {
        setImmediate(resolve)
      })
      clock.step()
    }
    return job
  }
  const integrate = (id: string, workspace: string, base: string | null, step: IntegrateWork['step']) =>
    settle(workspaces.integrate({ kind: 'integrate', id, workspace, task: workspace, title: '', base, step }))
  const land = async (task: string, files: Record<string, string>) => {
    const { base } = await settle(workspaces.prepare({ kind: 'prepare', id: `${task}/a1/prepare`, workspace: task }))
    git.place(task, { ...git.checkout(task), ...files })
    await integrate(`${task}/a1/merge0`, task, base, { kind: 'merge', tree: null, landAnyway: true })
    return git.tip()
  }
  return { git, workspaces, settle, integrate, land }
}

test('a landed change can be taken back, unless others build on it', async () => {
  const { git, integrate, land } = open()
  const one = await land('T1', { a: 'bad', c: 'new' })
  const two = await land('T2', { b: 'good' })
  const reverted = await integrate('wave1/revert1', 'main', null, { kind: 'revert', commit: one })
  if (reverted.status !== 'merged') throw new Error(reverted.status)
  expect(git.tip()).toBe(two)
  expect(git.filesOf(reverted.tree)).toEqual({ a: '1', b: 'good' })
  const landed = { kind: 'integrate', status: 'landed', commit: reverted.commit }
  expect(await integrate('wave1/land1', 'main', null, { kind: 'land', commit: reverted.commit, onto: two })).toEqual(
    landed,
  )
  expect(await integrate('wave1/revert1', 'main', null, { kind: 'revert', commit: one })).toEqual(landed)
  const three = await land('T3', { b: 'built on it' })
  expect(await integrate('wave1/revert2', 'main', null, { kind: 'revert', commit: two })).toMatchObject({
    status: 'conflict',
    onto: three,
    files: ['b'],
    tree: git.store(git.checkout('main') ?? {}),
  })
})

test('the branch goes back to where it was, once, and a workspace to any commit', async () => {
  const { git, workspaces, settle, land } = open()
  const one = await land('T1', { a: '2' })
  const two = await land('T2', { a: '3' })
  const rollback = () => settle(workspaces.rollback({ kind: 'rollback', id: 'wave1/rollback', from: two, to: one }))
  const done = { kind: 'rollback', status: 'done', kept: 'set-aside/1' }
  expect(await rollback()).toEqual(done)
  expect(await rollback()).toEqual(done)
  expect([git.tip(), git.refs.get('set-aside/1')]).toEqual([one, two])
  expect(await settle(workspaces.prepare({ kind: 'prepare', id: 'x', workspace: 'main', at: git.base }))).toMatchObject(
    { base: git.base },
  )
  const three = await land('T3', { a: '4' })
  expect(await rollback()).toEqual({ kind: 'rollback', status: 'moved', kept: null })
  const astray = settle(workspaces.rollback({ kind: 'rollback', id: 'x', from: three, to: two }))
  await expect(astray).rejects.toMatchObject({ code: 'WORKSPACE_GIT' })
})

test('some files of one tree are laid over another, and no workspace changes', async () => {
  const { git, workspaces, settle } = open()
  const tree = git.store({ a: '2', t: 'test' })
  const laid = await settle(workspaces.overlay({ id: 'x', base: git.base, tree, paths: ['t', 'b'], files: [] }))
  expect(git.filesOf(laid)).toEqual({ a: '1', t: 'test' })
  expect(git.checkout('T1')).toBeNull()
  expect(await workspaces.contents(git.base, tree, 100)).toEqual([
    { path: 'a', before: '1', after: '2' },
    { path: 'b', before: '1', after: null },
    { path: 't', before: null, after: 'test' },
  ])
})
