import { existsSync, linkSync, lstatSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  workspacesOf,
  type Repository,
  type Worktrees,
} from '../../../test/kit/repository.ts'
import { inspect, merge, prepare, ready, tip } from '../../../test/kit/steps.ts'
import { openLeases, type Lease } from './leases.ts'

const treesOf = (repository: Repository): string[] =>
  readdirSync(workspacesOf(repository))
    .filter((name) => name !== '.state')
    .toSorted()

const lease = (workspace: string, more: Partial<Lease> = {}): Lease => ({
  workspace,
  held: true,
  work: `${workspace}/a1/prepare`,
  head: 'a'.repeat(40),
  logged: 0,
  beneath: null,
  settled: false,
  ...more,
})

async function done(worktrees: Worktrees, task: string, file = `${task}.txt`): Promise<void> {
  const { base } = await prepare(worktrees, task)
  openRepository(worktrees.path(task)).write(file, `${task}\n`)
  expect(await merge(worktrees, task, base, null, '0', true)).toMatchObject({ status: 'landed' })
  worktrees.release(task)
}

describe('work trees are handed on', () => {
  test('one serves any number of tasks in turn, and none sees what another left', async () => {
    const repository = makeRepository({ '.gitignore': 'node_modules/\n', 'a.txt': 'a\n' })
    const worktrees = await makeWorktrees(repository)
    for (const task of ['T001', 'T002', 'T003']) {
      await prepare(worktrees, task)
      const tree = openRepository(worktrees.path(task))
      expect(tree.git('status', '--porcelain')).toBe('')
      expect(tree.git('rev-parse', 'HEAD')).toBe(tip(repository))
      tree.write('node_modules/x', task)
      await done(worktrees, task)
      tree.write('litter.txt', task)
      tree.write('nested/repository/file.txt', task)
      openRepository(join(tree.root, 'nested/repository')).git('init', '--quiet')
    }
    expect(treesOf(repository)).toEqual(['w1'])
    const files = ['.gitignore', 'T001.txt', 'T002.txt', 'T003.txt', 'a.txt']
    expect(repository.git('ls-tree', '--name-only', 'looper/001-demo').split('\n')).toEqual(files)
    await worktrees.clean()
    expect(existsSync(workspacesOf(repository))).toBe(false)
  })

  test('set-up is not done again while the lock file is the same', async () => {
    const repository = makeRepository({ '.gitignore': 'node_modules/\n', 'package-lock.json': '1\n' })
    const worktrees = await makeWorktrees(repository, {
      setup: ['mkdir -p node_modules && echo run >> ../.state/runs'],
    })
    const log = (): string => readFileSync(join(workspacesOf(repository), '.state/runs'), 'utf8')
    await done(worktrees, 'T001')
    await done(worktrees, 'T002', 'package-lock.json')
    expect(log()).toBe('run\n')
    await done(worktrees, 'T003')
    expect(log()).toBe('run\nrun\n')
    expect(treesOf(repository)).toEqual(['w1'])
  })

  test('one that is in use never is', async () => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('mine.txt', 'm\n')
    await done(worktrees, 'T002')
    await done(worktrees, 'T003')
    await Promise.all([prepare(worktrees, 'T004'), prepare(worktrees, 'T005')])
    const [mine, ...others] = ['T001', 'T004', 'T005'].map((task) => basename(worktrees.path(task)))
    expect([mine, ...others.toSorted()]).toEqual(['w1', 'w2', 'w3'])
    expect(at('T001').read('mine.txt')).toBe('m\n')
  })

  test('after the process died, everybody finds their own, and what was free is free', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'main', 'T001')
    await done(worktrees, 'T002')
    await prepare(worktrees, 'T003')
    at('T003').write('under way.txt', 'x\n')
    at('T001').write('one.txt', '1\n')
    const fresh = await makeWorktrees(repository, { base })
    for (const task of ['main', 'T001', 'T003']) expect(fresh.path(task)).toBe(worktrees.path(task))
    expect((await inspect(fresh, 'T001', base)).files).toEqual(['one.txt'])
    expect((await inspect(fresh, 'T003', tip(repository))).files).toEqual(['under way.txt'])
    fresh.release('T003')
    await done(fresh, 'T004')
    expect(treesOf(repository)).toEqual(['w1', 'w2', 'w3'])
    expect(repository.git('show', 'refs/looper/001-demo/T003/a1-left:under way.txt')).toBe('x')
  })

  test('a task that is opened again gets a clean one', async () => {
    const repository = makeRepository()
    const worktrees = await makeWorktrees(repository)
    await done(worktrees, 'T001')
    await prepare(worktrees, 'T002')
    expect((await prepare(worktrees, 'T001', 2)).base).toBe(tip(repository))
    expect(worktrees.path('T001')).not.toBe(worktrees.path('T002'))
  })

  test('a workspace whose lease ended, or has not begun, shows nothing of others', async () => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001')
    at('T001').write('x.txt', 'x\n')
    worktrees.release('T001')
    expect(await inspect(worktrees, 'T002', tip(repository))).toMatchObject({ fileCount: 0 })
    expect(at('T002').root).toMatch(/w1$/)
    expect(await inspect(worktrees, 'T001', tip(repository))).toMatchObject({ fileCount: 0 })
    worktrees.release('T002')
    expect(await inspect(worktrees, 'T002', tip(repository))).toMatchObject({ fileCount: 0 })
    expect(repository.git('show', 'refs/looper/001-demo/T001/a1-left:x.txt')).toBe('x')
  })
})

describe('leases', () => {
  test('the work tree that was freed last is taken first, unless the task had one before', async () => {
    const leases = openLeases(temporaryFolder())
    for (const task of ['T1', 'T2', 'T3']) leases.record(leases.acquire(task), lease(task))
    for (const task of ['T2', 'T1', 'T3']) leases.release(task)
    expect([leases.acquire('T2'), leases.acquire('T4'), leases.acquire('T5'), leases.acquire('T6')]).toEqual([
      'w2',
      'w3',
      'w1',
      'w4',
    ])
  })

  test('two never share one, whatever the files say', async () => {
    const folder = temporaryFolder()
    const leases = openLeases(folder)
    for (const task of ['T1', 'T2', 'T3']) leases.record(leases.acquire(task), lease(task))
    writeFileSync(join(folder, '.state/w2.lease'), JSON.stringify(lease('T1')))
    writeFileSync(join(folder, '.state/w3.lease'), '{"workspace":')
    writeFileSync(join(folder, '.state/..w9.lease'), JSON.stringify(lease('T9')))
    const again = openLeases(folder)
    expect(again.names()).toEqual(['w1', 'w2'])
    const taken = ['T1', 'T2', 'T3', 'T9'].map((task) => again.acquire(task))
    expect(taken).toEqual(['w1', 'w2', 'w3', 'w4'])
  })

  test('one that was abandoned is given to none, also after a crash', () => {
    const folder = temporaryFolder()
    const leases = openLeases(folder)
    for (const task of ['T1', 'T2']) leases.record(leases.acquire(task), lease(task))
    leases.abandon('T2')
    expect(leases.acquire('T2')).toBe('w3')
    leases.record('w3', lease('T2'))
    const again = openLeases(folder)
    expect(again.names()).toEqual(['w1', 'w3'])
    expect([again.acquire('T2'), again.acquire('T4')]).toEqual(['w3', 'w4'])
  })

  test('only one that is free is known to be untouched', async () => {
    const folder = temporaryFolder()
    const leases = openLeases(folder)
    leases.record(leases.acquire('T1'), lease('T1', { settled: true }))
    leases.record(leases.acquire('T2'), lease('T2', { settled: true }))
    leases.release('T2')
    const again = openLeases(folder)
    expect([again.lease('w1')?.settled, again.lease('w2')?.settled]).toEqual([false, true])
  })
})

test('a note is written over the last one, and never through what leads elsewhere', () => {
  const folder = temporaryFolder()
  const [file, elsewhere] = [join(folder, '.state/w1.lease'), join(folder, 'elsewhere')]
  const leases = openLeases(folder)
  const name = leases.acquire('T1')
  const noted = (task: string) => {
    leases.record(name, lease(task))
    expect(openLeases(folder).lease(name)).toMatchObject({ workspace: task })
  }
  noted('T1')
  const { ino } = lstatSync(file)
  noted('T2')
  expect(lstatSync(file).ino).toBe(ino)
  for (const link of [linkSync, symlinkSync]) {
    const before = 'x'.repeat(512)
    writeFileSync(elsewhere, before)
    rmSync(file)
    link(elsewhere, file)
    noted('T3')
    expect(readFileSync(elsewhere, 'utf8')).toBe(before)
    rmSync(elsewhere)
  }
  noted(`T${'9'.repeat(600)}`)
  noted('T4')
})
