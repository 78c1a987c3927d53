import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, makeWorktrees, workspacesOf, type Repository } from '../../../test/kit/repository.ts'
import { inspect, merge, prepare, ready, tip } from '../../../test/kit/steps.ts'
import { leftSince, recordHeadLog, unreached } from './dropped-commits.ts'
import type { WorkTree } from './work-tree.ts'
import { findLeftovers, removeLeftovers } from '../landing/run-leftovers.ts'

const kept = ({ git }: Repository): string[] =>
  git('for-each-ref', '--format=%(refname:lstrip=3)', 'refs/looper/001-demo')
    .split('\n')
    .filter((ref) => ref !== 'tip')

const show = ({ git }: Repository, ref: string, path: string): string =>
  git('show', `refs/looper/001-demo/${ref}:${path}`)

test('changes of a failed attempt are kept once, when the next one begins', async () => {
  const repository = makeRepository({ '.gitignore': 'cache/\n', 'a.txt': 'a\n' })
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('a.txt', 'half done\n')
  at('T001').write('new/file.txt', 'n\n')
  at('T001').write('cache/x', 'x')
  await prepare(worktrees, 'T001', 2)
  expect(at('T001').git('status', '--porcelain')).toBe('')
  expect(kept(repository)).toEqual(['T001/a1-left'])
  expect(repository.git('ls-tree', '-r', '--name-only', 'refs/looper/001-demo/T001/a1-left')).toBe(
    '.gitignore\na.txt\nnew/file.txt',
  )
  const told = repository.git('log', '-1', '--format=%s %P', 'refs/looper/001-demo/T001/a1-left')
  expect(told).toBe(`What was left of T001/a1/prepare ${base}`)
  await prepare(worktrees, 'T001', 3)
  expect(kept(repository)).toEqual(['T001/a1-left'])
})

test('committed and uncommitted changes of the agent are kept', async () => {
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
  expect(repository.git('rev-parse', 'refs/looper/001-demo/T001/a1-left^', 'refs/looper/001-demo/T002/a1-left')).toBe(
    `${first}\n${own}`,
  )
  expect(show(repository, 'T001/a1-left', 'two.txt')).toBe('2')
})

test('landed changes are not kept, except for own commits with their messages', async () => {
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
  expect(kept(repository)).toEqual(['T001/a1', 'T002/a1', 'T002/a1-left', 'T002/a1-merged'])
  expect(repository.git('rev-parse', 'refs/looper/001-demo/T002/a1-left')).toBe(committed)
  await prepare(worktrees, 'T002', 2)
  expect(kept(repository)).toEqual(['T001/a1', 'T002/a1', 'T002/a1-left', 'T002/a1-merged'])
})

describe('what an agent committed and left again', () => {
  const read = ({ git }: Repository, ref: string, format: string): string =>
    git('log', '-1', `--format=${format}`, `refs/looper/001-demo/${ref}`)
  const amend = (repo: Repository): string => {
    repo.git('commit', '--quiet', '--all', '--amend', '--no-edit', '--allow-empty')
    return repo.git('rev-parse', 'HEAD')
  }

  test('amended away: kept when it lands, once, and what is on the branch is not', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', 'first\n')
    const first = at('T001').commit('One')
    at('T001').write('one.txt', 'second\n')
    const second = amend(at('T001'))
    await merge(worktrees, 'T001', base)
    expect(kept(repository)).toEqual(['T001/a1', 'T001/a1-dropped', 'T001/a1-left'])
    expect(read(repository, 'T001/a1-dropped', '%H')).toBe(first)
    expect(read(repository, 'T001/a1-left', '%H')).toBe(second)
    for (const fresh of [worktrees, await makeWorktrees(repository)]) await prepare(fresh, 'T001', 2)
    expect(kept(repository)).toEqual(['T001/a1', 'T001/a1-dropped', 'T001/a1-left'])
  })

  test('reset and rebased away, several times over: kept under one ref when the attempt is left', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    const repo = at('T001')
    const left: string[] = []
    for (const name of ['one', 'two', 'three']) {
      repo.write(`${name}.txt`, 'x\n')
      repo.commit(`Begin ${name}`)
      repo.write(`${name}.txt`, 'y\n')
      left.push(repo.commit(`End ${name}`))
      repo.git('reset', '--quiet', '--hard', base)
    }
    repo.git('checkout', '--quiet', '-b', 'side')
    repo.write('side.txt', 'x\n')
    left.push(repo.commit('Side'))
    repo.git('checkout', '--quiet', '--detach', base)
    repo.git('branch', '--quiet', '-D', 'side')
    await prepare(worktrees, 'T001', 2)
    expect(kept(repository)).toEqual(['T001/a1-dropped'])
    expect(read(repository, 'T001/a1-dropped', '%P').split(' ').toSorted()).toEqual(left.toSorted())
    expect(repository.git('log', '--format=%s', 'refs/looper/001-demo/T001/a1-dropped')).toContain('Begin two')
    const again = at('T001')
    again.write('a.txt', 'again\n')
    const first = again.commit('Again')
    again.write('a.txt', 'and again\n')
    amend(again)
    await prepare(worktrees, 'T001', 3)
    expect(kept(repository)).toEqual(['T001/a1-dropped', 'T001/a2-dropped', 'T001/a2-left'])
    expect(read(repository, 'T001/a2-dropped', '%H')).toBe(first)
  })

  test('kept also where the log names commits that git cannot read', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    const repo = at('T001')
    const left = ['one', 'two', 'three'].map((name) => {
      const [begun, ended] = [repo.commit(`Begin ${name}`), repo.commit(`End ${name}`)]
      repo.git('reset', '--quiet', '--hard', begun)
      repo.git('reset', '--quiet', '--hard', base)
      repo.write(
        '.git-input',
        `tree ${repo.git('rev-parse', 'HEAD^{tree}')}\nparent ${'a'.repeat(40)}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\n${name}\n`,
      )
      repo.git('update-ref', '--no-deref', 'HEAD', repo.git('hash-object', '-t', 'commit', '-w', '.git-input'))
      repo.git('update-ref', '--no-deref', 'HEAD', base)
      return ended
    })
    rmSync(join(repo.root, '.git-input'))
    await prepare(worktrees, 'T001', 2)
    expect(kept(repository)).toEqual(['T001/a1-dropped'])
    expect(read(repository, 'T001/a1-dropped', '%P').split(' ').toSorted()).toEqual(left.toSorted())
  })

  test('git that lists nothing at all is an error, not nothing to keep', async () => {
    const { root, git } = makeRepository()
    const head = git('rev-parse', 'HEAD')
    const ask = (): Promise<string[]> => unreached([head], head, 'refs/looper/001-demo', { cwd: root, mark: 'test' })
    expect(await ask()).toEqual([])
    writeFileSync(join(root, '.git/packed-refs'), 'rubbish\n')
    await expect(ask()).rejects.toMatchObject({ code: 'WORKSPACE_GIT' })
  })

  test('an invalid log keeps nothing and is no error', async () => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001')
    at('T001').git('commit', '--quiet', '--allow-empty', '-m', 'x')
    at('T001').git('reset', '--quiet', '--hard', 'HEAD~')
    const log = join(at('T001').root, '.git/logs/HEAD')
    rmSync(log)
    const line = (id: string): string => `${id} ${'b'.repeat(40)} Ada <a@b> 1 +0000\treset: moving\n`
    appendFileSync(
      log,
      `nonsense\n\u0000\n${line('a'.repeat(40))}${line(repository.git('rev-parse', 'HEAD^{tree}'))}${line('--all')}`,
    )
    expect(await prepare(worktrees, 'T001', 2)).toMatchObject({ kind: 'prepare' })
    rmSync(log, { force: true })
    expect(await prepare(worktrees, 'T001', 3)).toMatchObject({ kind: 'prepare' })
    expect(kept(repository)).toEqual([])
  })
})

test('who commits and leaves nothing costs no git', async () => {
  const repository = makeRepository()
  const { at } = await ready(repository, 'T001')
  const repo = { gitDir: at('T001').git('rev-parse', '--absolute-git-dir') } as WorkTree
  const logged = recordHeadLog(repo)
  for (const name of ['one', 'two']) at('T001').commit(name)
  expect(await leftSince(repo, logged)).toEqual([])
  at('T001').git('reset', '--quiet', '--hard', 'HEAD~1')
  expect(await leftSince(repo, logged)).toEqual([at('T001').git('rev-parse', 'HEAD@{1}')])
})

test('changes recorded before a crash are not kept twice', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  at('T001').write('a.txt', 'mine\n')
  at('T002').write('a.txt', 'yours\n')
  await merge(worktrees, 'T001', base)
  await merge(worktrees, 'T002', base)
  const fresh = await makeWorktrees(repository)
  for (const task of ['T001', 'T002']) await prepare(fresh, task, 2)
  expect(kept(repository).filter((ref) => ref !== 'T002/a1-left')).toEqual(['T001/a1', 'T002/a1', 'T002/a1-merge0'])
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
  writeFileSync(join(workspacesOf(repository), '.state/w1.index'), 'rubbish')
  await prepare(worktrees, 'T001', 2)
  expect(show(repository, 'T001/a1-left', 'one.txt')).toBe('1')
})

test('an overlay leaves the workspace as it is', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
  for (const task of ['T001', 'T002']) {
    at(task).write('code.txt', `${task}\n`)
    at(task).write('test.txt', 't\n')
    const { tree } = await inspect(worktrees, task, base)
    await worktrees.overlay({ id: `${task}/a1/overlay`, base, tree, paths: ['test.txt'], files: [] })
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
