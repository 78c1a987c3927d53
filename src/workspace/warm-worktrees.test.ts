import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkOf, listing } from '../../test/kit/verification.ts'
import {
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  workspaceConfig,
  type Repository,
  type Worktrees,
} from '../../test/kit/repository.ts'
import { merge, move } from '../../test/kit/steps.ts'
import type { WorktreeOptions } from './worktree-options.ts'

const files = {
  '.gitignore': 'node_modules/\n',
  'package.json': '{"name":"app"}',
  'package-lock.json': '{"lockfileVersion":3,"packages":{}}',
  'a.txt': 'a\n',
}

/** An `npm` that installs one package, with the text of the lock file, and records where it ran. */
function fakeNpm() {
  const bin = openRepository(temporaryFolder())
  bin.write(
    'npm',
    `#!/bin/sh
echo "$PWD" >> '${bin.root}/runs'
[ "$1" = run ] && { echo "$2" > built.txt; exit 0; }
rm -rf node_modules && mkdir -p node_modules/left-pad && cat package.json package-lock.json > node_modules/left-pad/index.js
`,
  )
  chmodSync(join(bin.root, 'npm'), 0o755)
  const runs = (): string[] => (existsSync(join(bin.root, 'runs')) ? bin.read('runs').trim().split('\n') : [])
  return { env: { ...process.env, PATH: `${bin.root}:${process.env['PATH']}` }, runs }
}

function arrange(more: Partial<WorktreeOptions> = {}, repository: Repository = makeRepository(files)) {
  const { env, runs } = fakeNpm()
  const base = repository.git('rev-parse', 'HEAD')
  const open = (run = '001-demo', options: Partial<WorktreeOptions> = {}): Promise<Worktrees> =>
    makeWorktrees(repository, { setup: ['npm ci'], env, run, base, ...more, ...options })
  return { repository, base, runs, open }
}

const prepare = (worktrees: Worktrees, task: string, attempt = 1) =>
  worktrees.prepare({ kind: 'prepare', id: `${task}/a${attempt}/prepare`, workspace: task, task })

const installed = (worktrees: Worktrees, task: string): string =>
  readFileSync(join(worktrees.path(task), 'node_modules/left-pad/index.js'), 'utf8')

test('one set-up serves four workspaces, a check and the next run, and no agent was where it ran', async () => {
  const { base, runs, open } = arrange()
  const worktrees = await open()
  const tasks = ['T001', 'T002', 'T003', 'T004']
  const [{ path }] = await Promise.all([
    worktrees.verification(checkOf(base)),
    ...tasks.map((task) => prepare(worktrees, task)),
  ])
  expect(runs()).toHaveLength(1)
  expect(runs()[0]).toContain('.verify/')
  for (const task of tasks) expect(listing(worktrees.path(task))).toEqual(listing(path))
  const next = await open('002-demo')
  await prepare(next, 'T001')
  const { path: later } = await next.verification(checkOf(base))
  expect(listing(later)).toEqual(listing(path))
  expect(runs()).toHaveLength(1)
})

test('a planner gets no products and waits for none, and the coders find them', async () => {
  const { runs, open } = arrange()
  const worktrees = await open()
  await worktrees.prepare({ kind: 'prepare', id: 'plan/prepare', workspace: 'main', setup: false })
  expect(readdirSync(worktrees.path('main')).toSorted()).toEqual(['.git', ...Object.keys(files)].toSorted())
  await expect.poll(() => runs().length, { timeout: 120_000 }).toBe(1)
  await Promise.all(['T001', 'T002'].map((task) => prepare(worktrees, task)))
  expect(installed(worktrees, 'T002')).toBe(files['package.json'] + files['package-lock.json'])
  expect(runs()).toHaveLength(1)
  await worktrees.prepare({ kind: 'prepare', id: 'gate/prepare', workspace: 'main' })
  expect(installed(worktrees, 'main')).toBe(installed(worktrees, 'T001'))
})

test('set-up runs again when a manifest changes, and not for an untracked lock file', async () => {
  const { repository, runs, open } = arrange()
  await prepare(await open(), 'T001')
  repository.write('package.json', '{"name":"app","version":"2.0.0"}')
  repository.commit('Release')
  const base = repository.git('rev-parse', 'HEAD')
  const next = await open('002-demo', { base, branch: 'looper/002-demo' })
  await prepare(next, 'T001')
  expect(runs()).toHaveLength(2)
  expect(installed(next, 'T001')).toContain('2.0.0')
  writeFileSync(join(next.path('T001'), 'yarn.lock'), 'left by a tool')
  await prepare(next, 'T001', 2)
  expect(runs()).toHaveLength(2)
})

test('what an agent does to its products reaches no other workspace', async () => {
  const { runs, open } = arrange()
  const worktrees = await open()
  await prepare(worktrees, 'T001')
  writeFileSync(join(worktrees.path('T001'), 'node_modules/left-pad/index.js'), 'hacked')
  await prepare(worktrees, 'T002')
  expect(installed(worktrees, 'T002')).not.toBe('hacked')
  worktrees.release('T001')
  await prepare(worktrees, 'T003')
  expect(installed(worktrees, 'T003')).toBe(installed(worktrees, 'T002'))
  expect(runs()).toHaveLength(1)
})

test('a workspace that moves to another lock file gets the products of that', async () => {
  const { base, runs, open } = arrange()
  const worktrees = await open()
  for (const task of ['T001', 'T002']) await prepare(worktrees, task)
  const [other, own] = ['T001', 'T002'].map((task) => openRepository(worktrees.path(task)))
  other?.write('package-lock.json', '{"lockfileVersion":3,"packages":{"b":{}}}')
  await merge(worktrees, 'T001', base)
  own?.write('b.txt', 'b\n')
  const merged = await merge(worktrees, 'T002', base)
  if (merged.status !== 'merged') throw new Error(merged.status)
  await worktrees.verification({ ...checkOf(merged.commit), tree: merged.tree })
  await move(worktrees, 'T002', merged)
  expect(installed(worktrees, 'T002')).toContain('"b":{}')
  expect(runs()).toHaveLength(2)
})

test('commands that do more than install run in each workspace, after the products are there', async () => {
  const { base, runs, open } = arrange({ setup: ['npm ci', 'npm run build'] })
  const worktrees = await open()
  await Promise.all(['T001', 'T002'].map((task) => prepare(worktrees, task)))
  const { path } = await worktrees.verification(checkOf(base))
  for (const folder of [path, worktrees.path('T001'), worktrees.path('T002')]) {
    expect(readFileSync(join(folder, 'built.txt'), 'utf8')).toBe('build\n')
    expect(existsSync(join(folder, 'node_modules/left-pad/index.js'))).toBe(true)
  }
  expect(runs().length - new Set(runs()).size).toBe(1)
})

test('an install that runs scripts of the tree is shared at the base only', async () => {
  const sources = { ...files, 'package.json': '{"scripts":{"prepare":"node build.js"}}' }
  const { repository, base, runs, open } = arrange({}, makeRepository(sources))
  const worktrees = await open()
  await Promise.all(['T001', 'T002'].map((task) => prepare(worktrees, task)))
  expect(runs()).toHaveLength(1)
  repository.write('a.txt', 'other\n')
  const later = repository.commit('Change a source')
  await worktrees.verification(checkOf(later, null, 'T001/a1/check0/one'))
  worktrees.verified('T001/a1/check0/one')
  expect(runs()).toHaveLength(2)
  const next = await open('002-demo', { base: later, branch: 'looper/002-demo' })
  await prepare(next, 'T001')
  expect(runs()).toHaveLength(3)
  await prepare(await open('003-demo', { base, branch: 'looper/003-demo' }), 'T001')
  expect(runs()).toHaveLength(3)
})

const archived = (archive: string): string[] =>
  execFileSync('tar', ['-tf', archive], { encoding: 'utf8' }).trim().split('\n')

test('copied files are not stored', async () => {
  const workspace = { ...workspaceConfig, copy: ['.env'] }
  const { repository, open } = arrange({ workspace })
  repository.write('.env', 'SECRET=1')
  const worktrees = await open()
  await prepare(worktrees, 'T001')
  expect(readFileSync(join(worktrees.path('T001'), '.env'), 'utf8')).toBe('SECRET=1')
  const store = join(repository.root, '../workspaces/.setup')
  const stored = Object.keys(listing(store)).flatMap((path) =>
    path.endsWith('.tar') ? archived(join(store, path)) : path,
  )
  expect(stored.some((path) => path.endsWith('left-pad/index.js'))).toBe(true)
  expect(stored.filter((path) => path.endsWith('.env'))).toEqual([])
})

test('nothing is stored when the user wants no cache', async () => {
  const { repository, runs, open } = arrange({ workspace: { ...workspaceConfig, cacheMb: 0 } })
  const worktrees = await open()
  await Promise.all(['T001', 'T002'].map((task) => prepare(worktrees, task)))
  expect(runs()).toHaveLength(2)
  expect(existsSync(join(repository.root, '../workspaces/.setup'))).toBe(false)
})

test('a set-up that fails fails for every workspace with its own reason', async () => {
  const { runs, open, repository } = arrange({ setup: ['npm ci'] })
  repository.git('rm', '--quiet', 'package-lock.json')
  const base = repository.commit('Remove the lock file')
  const worktrees = await open('001-demo', { base })
  const results = await Promise.allSettled(['T001', 'T002'].map((task) => prepare(worktrees, task)))
  for (const result of results)
    expect(result).toMatchObject({
      status: 'rejected',
      reason: { code: 'WORKSPACE_SETUP', message: expect.stringContaining('package-lock.json: No such file') },
    })
  // A workspace that asks after the failure tries again.
  expect([1, 2]).toContain(runs().length)
})

test('products that were damaged in the store reach no workspace', async () => {
  const { repository, base, runs, open } = arrange()
  const worktrees = await open()
  await prepare(worktrees, 'T001')
  const store = openRepository(join(repository.root, '../workspaces/.setup'))
  const entry = Object.keys(listing(store.root)).find((path) => /files\.tar$|left-pad\/index\.js$/.test(path)) ?? ''
  store.write(entry, 'hacked')
  const next = await open('002-demo')
  await prepare(next, 'T001')
  expect(installed(next, 'T001')).toBe(installed(worktrees, 'T001'))
  expect(runs()).toHaveLength(2)
  rmSync(join(store.root, entry))
  const { path } = await next.verification(checkOf(base))
  expect(existsSync(join(path, 'node_modules/left-pad/index.js'))).toBe(true)
})

test('a workspace with a ready copy keeps it, until an agent changes a file of it', async () => {
  const { open, runs } = arrange({ parallel: 2 })
  const worktrees = await open()
  await prepare(worktrees, 'T001')
  const file = join(worktrees.path('T001'), 'node_modules/left-pad/index.js')
  const [installed, { ino }] = [readFileSync(file, 'utf8'), lstatSync(file)]
  await prepare(worktrees, 'T001', 2)
  expect(lstatSync(file).ino).toBe(ino)
  writeFileSync(file, 'changed')
  await prepare(worktrees, 'T001', 3)
  expect(readFileSync(file, 'utf8')).toBe(installed)
  expect(lstatSync(file).ino).not.toBe(ino)
  expect(runs()).toHaveLength(1)
  await worktrees.clean()
})
