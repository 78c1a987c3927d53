import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, makeWorktrees } from '../../../test/kit/repository.ts'
import { inspect, land, merge, move, prepare, ready, tip } from '../../../test/kit/steps.ts'

describe('integrate', () => {
  test('lands at once where nothing is to be checked, with trailers and the user as author', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('x.txt', 'x\n')
    const landed = await worktrees.integrate({
      kind: 'integrate',
      id: 'T001/a2/merge0',
      workspace: 'T001',
      task: 'T001',
      base,
      step: { kind: 'merge', tree: null, landAnyway: true },
      title: `Add "x"\u001b[31m red\nLooper-Work: fake\n${'and so on '.repeat(20)}`,
    })
    expect(landed).toEqual({ kind: 'integrate', status: 'landed', commit: tip(repository) })
    const [subject, ...body] = repository.git('log', '-1', '--format=%B', tip(repository)).split('\n')
    expect(subject).toMatch(/^Add "x" red Looper-Work: fake and so on/)
    expect(subject!.length).toBeLessThanOrEqual(72)
    expect(body.join('\n').trim()).toBe('Looper-Run: 001-demo\nLooper-Task: T001\nLooper-Work: T001/a2/0')
    expect(repository.git('log', '-1', '--format=%an <%ae> %P', tip(repository))).toBe(`Ada <ada@example.org> ${base}`)
    for (const ref of ['T001/a2', 'tip'])
      expect(repository.git('rev-parse', `refs/looper/001-demo/${ref}`)).toBe(tip(repository))
  })

  test('an empty change lands nothing', async () => {
    const repository = makeRepository()
    const { worktrees, base } = await ready(repository, 'T001')
    expect(await merge(worktrees, 'T001', base)).toEqual({ kind: 'integrate', status: 'landed', commit: null })
    expect(tip(repository)).toBe(base)
  })

  test('changes of both sides are merged, placed where asked, and landed in one linear history', async () => {
    const repository = makeRepository({ '.gitignore': 'cache/\n', 'a.txt': '1\n2\n3\n4\n5\n6\n7\n' })
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('a.txt', 'first\n2\n3\n4\n5\n6\n7\n')
    at('T001').write('one.txt', '1\n')
    at('T002').write('a.txt', '1\n2\n3\n4\n5\n6\nlast\n')
    at('T002').write('cache/kept', 'k')
    await merge(worktrees, 'T001', base)
    const onto = tip(repository)
    const { tree } = await inspect(worktrees, 'T002', base)
    at('T002').write('dropped-by-a-check.txt', 'x')
    const merged = await merge(worktrees, 'T002', base, tree)
    if (merged.status !== 'merged') throw new Error(merged.status)
    expect(merged.onto).toBe(onto)
    expect(tip(repository)).toBe(onto)
    expect(at('T002').read('a.txt')).toBe('1\n2\n3\n4\n5\n6\nlast\n')
    expect(await move(worktrees, 'T002', merged)).toEqual({ kind: 'integrate', status: 'placed' })
    expect(at('T002').read('a.txt')).toBe('first\n2\n3\n4\n5\n6\nlast\n')
    expect(at('T002').read('one.txt')).toBe('1\n')
    expect(at('T002').read('cache/kept')).toBe('k')
    expect(existsSync(join(at('T002').root, 'dropped-by-a-check.txt'))).toBe(false)
    expect(at('T002').git('diff', '--name-only', 'HEAD')).toBe('a.txt')
    expect(at('T002').git('rev-parse', 'HEAD')).toBe(onto)
    expect(await inspect(worktrees, 'T002', onto)).toMatchObject({ tree: merged.tree, files: ['a.txt'] })

    expect(await land(worktrees, 'T002', base, merged.commit, onto)).toEqual({
      kind: 'integrate',
      status: 'landed',
      commit: merged.commit,
    })
    expect(tip(repository)).toBe(merged.commit)
    expect(repository.git('log', '--format=%s', 'main..looper/001-demo')).toBe('Do T002\nDo T001')
    expect(repository.git('show', '--format=%P', '--no-patch', 'refs/looper/001-demo/T002/a1')).toBe(base)
  })

  test('a conflict names the files, lays both sides into the workspace, and moves nothing', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('a.txt', 'mine\n')
    at('T001').write('wei"rd\n.txt', '1\n')
    at('T001').write('landed.txt', 'x\n')
    at('T002').write('a.txt', 'yours\n')
    at('T002').write('wei"rd\n.txt', '2\n')
    await merge(worktrees, 'T001', base)
    const onto = tip(repository)
    const { tree } = await inspect(worktrees, 'T002', base)
    const conflict = await merge(worktrees, 'T002', base, tree)
    expect(conflict).toEqual({
      kind: 'integrate',
      status: 'conflict',
      onto,
      files: ['a.txt', 'wei"rd\n.txt'],
      tree: expect.stringMatching(/^[0-9a-f]{40}$/),
      theirs: repository.git('rev-parse', 'refs/looper/001-demo/T002/a1'),
    })
    // Merge again: a later second gives another commit, but the same conflict.
    const again = await merge(worktrees, 'T002', base, tree)
    expect(again).toMatchObject({ status: 'conflict', onto, files: ['a.txt', 'wei"rd\n.txt'] })
    expect(tip(repository)).toBe(onto)
    expect(repository.git('show', 'refs/looper/001-demo/T002/a1:a.txt')).toBe('yours')
    if (again.status !== 'conflict') throw new Error(again.status)
    expect(at('T002').git('rev-parse', 'HEAD')).toBe(onto)
    expect(at('T002').read('landed.txt')).toBe('x\n')
    expect(at('T002').read('a.txt')).toMatch(/^<{7} .+\nmine\n\|{7} .+\none\ntwo\nthree\n={7}\nyours\n>{7} .+\n$/)
    expect(await inspect(worktrees, 'T002', onto)).toMatchObject({ tree: again.tree, files: ['a.txt', 'wei"rd\n.txt'] })
  })

  test('a conflict that is resolved there lands, and what it was made of is kept', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('a.txt', 'mine\n')
    at('T002').write('a.txt', 'yours\n')
    await merge(worktrees, 'T001', base)
    const onto = tip(repository)
    expect(await merge(worktrees, 'T002', base)).toMatchObject({ status: 'conflict' })
    at('T002').write('a.txt', 'mine\nyours\n')
    expect(await merge(worktrees, 'T002', onto, null, '1')).toMatchObject({ status: 'landed' })
    expect(repository.git('show', 'looper/001-demo:a.txt')).toBe('mine\nyours')
    expect(repository.git('show', 'refs/looper/001-demo/T002/a1-merge0:a.txt')).toBe('yours')
  })

  test('conflicts without text are named as well: binary files, deletions, kinds of file', async () => {
    const repository = makeRepository({ binary: '\0one', 'deleted.txt': 'd\n', 'kind.txt': 'k\n' })
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('binary', '\0mine')
    at('T001').write('deleted.txt', 'changed\n')
    at('T002').write('binary', '\0yours')
    rmSync(join(at('T002').root, 'deleted.txt'))
    rmSync(join(at('T001').root, 'kind.txt'))
    symlinkSync('binary', join(at('T001').root, 'kind.txt'))
    at('T002').write('kind.txt', 'other\n')
    await merge(worktrees, 'T001', base)
    const conflict = await merge(worktrees, 'T002', base)
    if (conflict.status !== 'conflict') throw new Error(conflict.status)
    expect(conflict.files).toEqual(expect.arrayContaining(['binary', 'deleted.txt', 'kind.txt']))
    expect(await inspect(worktrees, 'T002', conflict.onto)).toMatchObject({ tree: conflict.tree })
    expect(at('T002').read('deleted.txt')).toBe('changed\n')
  })

  test('with nothing to check, a clean merge lands at once', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('one.txt', '1\n')
    at('T002').write('two.txt', '2\n')
    await merge(worktrees, 'T001', base)
    expect(await merge(worktrees, 'T002', base, null, '0', true)).toEqual({
      kind: 'integrate',
      status: 'landed',
      commit: tip(repository),
    })
    expect(repository.git('ls-tree', '--name-only', 'looper/001-demo')).toBe('a.txt\none.txt\nsrc\ntwo.txt')
  })

  test('a change that is already there lands nothing', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('same.txt', 's\n')
    at('T002').write('same.txt', 's\n')
    await merge(worktrees, 'T001', base)
    expect(await merge(worktrees, 'T002', base)).toEqual({ kind: 'integrate', status: 'landed', commit: null })
  })

  test('asked again after a crash, everything answers the same and lands once (A9)', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('one.txt', '1\n')
    at('T002').write('two.txt', '2\n')
    const first = await merge(worktrees, 'T001', base)
    expect(await merge(await makeWorktrees(repository), 'T001', base)).toEqual(first)
    const merged = await merge(worktrees, 'T002', base)
    const again = await merge(await makeWorktrees(repository), 'T002', base)
    if (merged.status !== 'merged' || again.status !== 'merged') throw new Error('not merged')
    expect(again).toMatchObject({ tree: merged.tree, onto: merged.onto })
    const landed = await land(worktrees, 'T002', base, merged.commit, merged.onto)
    expect(await land(await makeWorktrees(repository), 'T002', base, merged.commit, merged.onto)).toEqual(landed)
    expect(await merge(worktrees, 'T002', base)).toEqual(landed)
    await prepare(worktrees, 'T002')
    expect(await merge(worktrees, 'T002', tip(repository))).toEqual(landed)
    expect(repository.git('rev-list', '--count', 'main..looper/001-demo')).toBe('2')
  })

  test('a branch that moved between merge and land says so, and the next merge is clean', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002', 'T003')
    for (const task of ['T001', 'T002', 'T003']) at(task).write(`${task}.txt`, task)
    await merge(worktrees, 'T001', base)
    const two = await merge(worktrees, 'T002', base)
    const three = await merge(worktrees, 'T003', base)
    if (two.status !== 'merged' || three.status !== 'merged') throw new Error('not merged')
    await land(worktrees, 'T002', base, two.commit, two.onto)
    expect(await land(worktrees, 'T003', base, three.commit, three.onto)).toEqual({
      kind: 'integrate',
      status: 'moved',
    })
    const again = await merge(worktrees, 'T003', base, null, '0.1')
    if (again.status !== 'merged') throw new Error(again.status)
    expect(await land(worktrees, 'T003', base, again.commit, again.onto, '0.1')).toMatchObject({ status: 'landed' })
    expect(repository.git('ls-tree', '--name-only', 'looper/001-demo')).toBe('T001.txt\nT002.txt\nT003.txt\na.txt\nsrc')
  })

  test('a commit that git pruned before the merge is made again from the files', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    const { tree } = await inspect(worktrees, 'T001', base)
    repository.git('gc', '--quiet', '--prune=now')
    expect(() => repository.git('cat-file', '-e', tree)).toThrow()
    expect(await inspect(worktrees, 'T001', base)).toMatchObject({ tree, files: ['one.txt'] })
    repository.git('gc', '--quiet', '--prune=now')
    expect(await worktrees.restore('T001', tree)).toEqual([])
    repository.git('gc', '--quiet', '--prune=now')
    expect(await merge(worktrees, 'T001', base, tree)).toMatchObject({ status: 'landed' })
    expect(repository.git('show', 'looper/001-demo:one.txt')).toBe('1')
  })

  test('a candidate that waits to land is kept by a ref', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    for (const task of ['T001', 'T002']) at(task).write(`${task}.txt`, 'x\n')
    await merge(worktrees, 'T001', base)
    const two = await merge(worktrees, 'T002', base)
    if (two.status !== 'merged') throw new Error(two.status)
    repository.git('gc', '--quiet', '--prune=now')
    expect(await land(worktrees, 'T002', base, two.commit, two.onto)).toMatchObject({ status: 'landed' })
  })

  test('so is the tree of an overlay', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('one.txt', '1\n')
    const { tree } = await inspect(worktrees, 'T001', base)
    const files = [{ path: 'two.txt', content: '2\n' }]
    const laid = await worktrees.overlay({ id: 'T001/a1/overlay0', base, tree, paths: ['one.txt'], files })
    repository.git('gc', '--quiet', '--prune=now')
    expect(repository.git('ls-tree', '--name-only', laid)).toBe('a.txt\none.txt\nsrc\ntwo.txt')
  })

  test('a merge that git pruned before it landed is made again', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    for (const task of ['T001', 'T002']) at(task).write(`${task}.txt`, 'x\n')
    await merge(worktrees, 'T001', base)
    const two = await merge(worktrees, 'T002', base)
    if (two.status !== 'merged') throw new Error(two.status)
    // The git process that moves refs caches what it has read, so it is closed.
    await worktrees.close()
    repository.git('update-ref', '-d', 'refs/looper/001-demo/T002/a1-merged')
    repository.git('gc', '--quiet', '--prune=now')
    expect(await land(worktrees, 'T002', base, two.commit, two.onto)).toEqual({ kind: 'integrate', status: 'moved' })
    const again = await merge(worktrees, 'T002', base, null, '0.1')
    if (again.status !== 'merged') throw new Error(again.status)
    expect(await land(worktrees, 'T002', base, again.commit, again.onto, '0.1')).toMatchObject({ status: 'landed' })
  })
})
