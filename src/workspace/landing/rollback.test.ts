import { expect, test } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  type Repository,
  type Worktrees,
} from '../../../test/kit/repository.ts'
import { merge, prepare, ready, tip } from '../../../test/kit/steps.ts'
import { findLeftovers, removeLeftovers } from './run-leftovers.ts'

const rollback = (worktrees: Worktrees, from: string, to: string) =>
  worktrees.rollback({ kind: 'rollback', id: 'wave1/rollback', from, to })

async function landed(repository: Repository, count: number) {
  const { worktrees, base, at } = await ready(repository, 'main')
  const commits = [base]
  for (let n = 1; n <= count; n++) {
    const prepared = await prepare(worktrees, `T00${n}`)
    at(`T00${n}`).write(`${n}.txt`, `${n}\n`)
    await merge(worktrees, `T00${n}`, prepared.base)
    commits.push(tip(repository))
  }
  return { worktrees, at, commits }
}

test('takes the branch back and keeps what it leaves; asked again it is done', async () => {
  const repository = makeRepository()
  const before = fingerprint(repository)
  const {
    worktrees,
    at,
    commits: [base = '', one = '', , three = ''],
  } = await landed(repository, 3)
  const done = { kind: 'rollback', status: 'done', kept: 'refs/looper/001-demo/set-aside/1' }
  expect(await rollback(worktrees, three, one)).toEqual(done)
  expect(tip(repository)).toBe(one)
  expect(repository.git('rev-parse', 'refs/looper/001-demo/tip', done.kept)).toBe(`${one}\n${three}`)
  for (const again of [worktrees, await makeWorktrees(repository, { base })])
    expect(await rollback(again, three, one)).toEqual(done)

  const prepared = await prepare(worktrees, 'T002', 2)
  expect(prepared.base).toBe(one)
  at('T002').write('2.txt', 'better\n')
  expect(await merge(worktrees, 'T002', one)).toMatchObject({ status: 'landed' })
  expect(repository.git('ls-tree', '--name-only', 'looper/001-demo')).toBe('1.txt\n2.txt\na.txt\nsrc')
  expect(await rollback(worktrees, three, one)).toEqual({ kind: 'rollback', status: 'moved', kept: null })
  expect(await rollback(worktrees, tip(repository), base)).toMatchObject({ kept: 'refs/looper/001-demo/set-aside/2' })
  expect(fingerprint(repository)).toBe(before)
})

test.each([
  ['an earlier', 0],
  ['a later', 2],
])('asked for %s commit after a rollback to another one was killed, it goes there instead', async (_name, wanted) => {
  const repository = makeRepository()
  const { worktrees, commits } = await landed(repository, 3)
  const [one = '', three = '', to = ''] = [commits[1], commits[3], commits[wanted]]
  await rollback(worktrees, three, one)
  const done = { kind: 'rollback', status: 'done', kept: 'refs/looper/001-demo/set-aside/1' }
  expect(await rollback(await makeWorktrees(repository, { base: commits[0] ?? '' }), three, to)).toEqual(done)
  expect(repository.git('rev-parse', 'looper/001-demo', 'refs/looper/001-demo/tip', done.kept)).toBe(
    `${to}\n${to}\n${three}`,
  )
  expect(repository.git('for-each-ref', '--format=%(refname)', 'refs/looper/001-demo/set-aside')).toBe(done.kept)
})

test('a landing that is not in the journal is kept with the rest', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    commits: [, one = '', two = '', three = ''],
  } = await landed(repository, 3)
  expect(await rollback(worktrees, two, one)).toEqual({
    kind: 'rollback',
    status: 'done',
    kept: 'refs/looper/001-demo/set-aside/1',
  })
  expect(repository.git('rev-parse', 'looper/001-demo', 'refs/looper/001-demo/set-aside/1')).toBe(`${one}\n${three}`)
})

test('a landing that was rolled back can land again', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    at,
    commits: [base = '', one = ''],
  } = await landed(repository, 1)
  await rollback(worktrees, one, base)
  for (const task of ['T001', 'T002']) {
    await prepare(worktrees, task)
    at(task).write(`${task.at(-1)}.txt`, '1\n')
  }
  await merge(worktrees, 'T002', base)
  expect(await merge(worktrees, 'T001', base, null, '0', true)).toEqual({
    kind: 'integrate',
    status: 'landed',
    commit: tip(repository),
  })
  expect(repository.git('show', 'looper/001-demo:1.txt')).toBe('1')
})

test('refuses while a person has the branch checked out, and to go where the run never was', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    commits: [base = '', one = ''],
  } = await landed(repository, 1)
  const elsewhere = repository.commit('Elsewhere')
  const message = expect.stringContaining('no commit of this run')
  await expect(rollback(worktrees, one, elsewhere)).rejects.toMatchObject({ code: 'WORKSPACE_GIT', message })
  await expect(rollback(worktrees, one, 'no-such-thing')).rejects.toMatchObject({ code: 'WORKSPACE_GIT' })
  repository.git('checkout', '--quiet', 'looper/001-demo')
  await expect(rollback(worktrees, one, base)).rejects.toMatchObject({
    message: expect.stringContaining('is checked out in'),
  })
  expect(tip(repository)).toBe(one)
  expect(await rollback(worktrees, one, one)).toEqual({ kind: 'rollback', status: 'done', kept: null })
})

test('a checkpoint is a tag that says what passes, and is made once', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    commits: [, one = ''],
  } = await landed(repository, 1)
  const checkpoint = (passing: string[]) =>
    worktrees.checkpoint({ kind: 'checkpoint', id: 'wave1/checkpoint', name: 'C1', commit: one, passing })
  const ref = 'refs/looper/001-demo/checkpoints/C1'
  expect(await checkpoint(['unit', 'T001: it\u001b[31m works\nLooper-Run: fake'])).toEqual({ kind: 'checkpoint', ref })
  expect(repository.git('rev-parse', `${ref}^{commit}`)).toBe(one)
  const [, ...message] = repository.git('cat-file', 'tag', ref).split('\n\n')
  expect(message).toEqual([
    'Checkpoint C1',
    'Passing:\n- unit\n- T001: it works Looper-Run: fake',
    'Looper-Run: 001-demo',
  ])
  const made = repository.git('rev-parse', ref)
  await checkpoint(['unit', 'T001: it\u001b[31m works\nLooper-Run: fake'])
  expect(repository.git('rev-parse', ref)).toBe(made)
  await checkpoint([])
  expect(repository.git('cat-file', 'tag', ref)).toContain('Nothing was checked.')
  expect(repository.git('tag', '--list')).toBe('')
})

test('refs of rollbacks and checkpoints are removed with the run', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    commits: [base = '', one = ''],
  } = await landed(repository, 1)
  await worktrees.checkpoint({ kind: 'checkpoint', id: 'wave1/checkpoint', name: 'C1', commit: one, passing: ['unit'] })
  await rollback(worktrees, one, base)
  const left = await findLeftovers(repository.root, { run: '001-demo', branch: 'looper/001-demo', base })
  expect(left.refs.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['refs/looper/001-demo/checkpoints/C1', 'refs/looper/001-demo/set-aside/1']),
  )
  await removeLeftovers(repository.root, '001-demo', left.refs)
  expect(repository.git('for-each-ref', 'refs/looper')).toBe('')
})

test('a workspace can be put at any commit of the run', async () => {
  const repository = makeRepository()
  const {
    worktrees,
    at,
    commits: [base = '', one = '', two = ''],
  } = await landed(repository, 2)
  for (const commit of [one, base, two]) {
    const prepared = await worktrees.prepare({
      kind: 'prepare',
      id: `wave1/look/${commit}`,
      workspace: 'main',
      at: commit,
    })
    expect(prepared).toEqual({ kind: 'prepare', base: commit, tree: repository.git('rev-parse', `${commit}^{tree}`) })
    expect(at('main').git('rev-parse', 'HEAD')).toBe(commit)
    expect(at('main').git('status', '--porcelain')).toBe('')
  }
  expect(tip(repository)).toBe(two)
})
