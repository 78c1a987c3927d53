import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createInPlace } from './in-place.ts'
import { ensureLooperFolder } from './looper-folder.ts'
import {
  fingerprint,
  makeRepository,
  openRepository,
  workspaceConfig,
  type Repository,
} from '../../test/kit/repository.ts'

async function open(repository: Repository, workspace: Partial<typeof workspaceConfig> = {}) {
  const runDir = join(await ensureLooperFolder(repository.root), 'runs/001-demo')
  mkdirSync(runDir, { recursive: true })
  const marks: string[] = []
  const workspaces = createInPlace({
    root: repository.root,
    runDir,
    run: '001-demo',
    workspace: { ...workspaceConfig, mode: 'in-place', ...workspace },
    mark: (workId) => {
      marks.push(workId)
      return `test:${workId}:1`
    },
  })
  const prepare = (task = 'T001') => workspaces.prepare({ kind: 'prepare', id: `${task}/a1/prepare`, workspace: task })
  const inspect = (base: string | null, task = 'T001', restore: string | null = null) =>
    workspaces.inspect({ kind: 'inspect', id: `${task}/a1/inspect0`, workspace: task, base, restore })
  const integrate = (base: string | null, tree: string | null, task = 'T001') =>
    workspaces.integrate({
      kind: 'integrate',
      id: `${task}/a1/merge0`,
      workspace: task,
      task,
      title: `Do ${task}`,
      base,
      step: { kind: 'merge', tree, landAnyway: false },
    })
  return { places: workspaces, prepare, inspect, integrate, marks }
}

const untouched = (repository: Repository): string => {
  const { index, refs, head, stash } = JSON.parse(fingerprint(repository))
  return JSON.stringify({ index, refs, head, stash })
}

test('looks without touching index, branch or files', async () => {
  const repository = makeRepository()
  repository.write('notes.md', 'mine\n')
  const { places: workspaces, prepare, inspect } = await open(repository)
  expect(workspaces.path('T001')).toBe(repository.root)
  const before = untouched(repository)
  const { base, tree } = await prepare()
  expect(base).toBe(repository.git('rev-parse', 'HEAD'))
  repository.write('a.txt', 'changed\n')
  const found = await inspect(tree)
  expect(found).toMatchObject({ files: ['a.txt'], fileCount: 1, insertions: 1, deletions: 3, restored: false })
  expect(await inspect(tree, 'T001', tree)).toEqual(found)
  expect(await workspaces.restore('T001', tree!)).toEqual(['a.txt'])
  expect(repository.read('a.txt')).toBe('changed\n')
  expect(await workspaces.diff('T001', tree!, 10_000)).toContain('+changed')
  await workspaces.clean()
  expect(untouched(repository)).toBe(before)
})

test('commits what the task changed and nothing else of the checkout', async () => {
  const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'to-do.json': '[]\n' })
  repository.write('notes.md', 'mine\n')
  repository.write('draft.md', 'mine\n')
  const { prepare, inspect, integrate } = await open(repository)
  const { base, tree } = await prepare()
  repository.write('a.txt', 'agent\n')
  repository.write('new.txt', 'agent\n')
  repository.write('draft.md', 'edited by the agent\n')
  repository.write('to-do.json', '[1]\n')
  const found = await inspect(tree)
  expect(found.files).toEqual(['a.txt', 'draft.md', 'new.txt'])
  const landed = await integrate(base, found.tree)
  expect(landed).toEqual({ kind: 'integrate', status: 'landed', commit: repository.git('rev-parse', 'main') })
  expect(repository.git('show', '--format=%s %P', '--name-status', 'HEAD')).toBe(
    `Do T001 ${base}\n\nM\ta.txt\nA\tdraft.md\nA\tnew.txt`,
  )
  expect(repository.git('status', '--porcelain')).toBe(' M to-do.json\n?? notes.md')
  expect(await integrate(base, found.tree)).toEqual(landed)
  expect(repository.git('rev-list', '--count', 'HEAD')).toBe('2')
})

test('files that the user staged meanwhile stay staged', async () => {
  const repository = makeRepository({ 'a.txt': 'a\n', 'b.txt': 'b\n' })
  const { prepare, inspect, integrate } = await open(repository)
  const { base, tree } = await prepare()
  repository.write('a.txt', 'agent\n')
  const found = await inspect(tree)
  repository.write('b.txt', 'user\n')
  repository.git('add', 'b.txt')
  await integrate(base, found.tree)
  expect(repository.git('status', '--porcelain')).toBe('M  b.txt')
})

test('works on a detached HEAD and from a clean checkout', async () => {
  const repository = makeRepository()
  repository.git('checkout', '--quiet', '--detach')
  const { prepare, integrate } = await open(repository)
  const { base, tree } = await prepare()
  expect(tree).toBe(repository.git('rev-parse', 'HEAD^{tree}'))
  repository.write('x.txt', 'x\n')
  const landed = await integrate(base, null)
  expect(landed).toMatchObject({ status: 'landed', commit: repository.git('rev-parse', 'HEAD') })
  expect(repository.git('rev-parse', 'main')).toBe(base)
  expect(repository.git('status', '--porcelain')).toBe('')
})

test("an empty change commits nothing; an agent's own commit is what landed", async () => {
  const repository = makeRepository()
  const { prepare, inspect, integrate } = await open(repository)
  const { base, tree } = await prepare()
  expect(await integrate(base, tree)).toMatchObject({ status: 'landed', commit: null })
  repository.write('x.txt', 'x\n')
  const own = repository.commit('By the agent')
  const found = await inspect(tree)
  expect(found.files).toEqual(['x.txt'])
  expect(await integrate(base, found.tree)).toMatchObject({ status: 'landed', commit: own })
})

test('with commit: false nothing is committed and git is not asked', async () => {
  const repository = makeRepository()
  const { places: workspaces, prepare, inspect, integrate, marks } = await open(repository, { commit: false })
  const first = await prepare('T001')
  repository.write('one.txt', '1\n')
  const found = await inspect(first.tree)
  marks.length = 0
  expect(await integrate(first.base, found.tree)).toEqual({ kind: 'integrate', status: 'landed', commit: null })
  expect(marks).toEqual([])
  const second = await prepare('T002')
  expect(second).toEqual({ kind: 'prepare', base: first.base, tree: found.tree })
  repository.write('two.txt', '2\n')
  expect((await inspect(second.tree, 'T002')).files).toEqual(['two.txt'])
  await workspaces.clean()
  expect(repository.git('status', '--porcelain')).toBe('?? one.txt\n?? two.txt')
})

test('repositories that lie in the checkout are left out', async () => {
  const repository = makeRepository()
  for (const name of ['with', 'without']) {
    mkdirSync(join(repository.root, name))
    openRepository(join(repository.root, name)).git('init', '--quiet')
    repository.write(`${name}/file.txt`, 'x\n')
  }
  openRepository(join(repository.root, 'with')).commit('inner')
  const { prepare, inspect } = await open(repository)
  const { tree } = await prepare()
  expect(tree).toBe(repository.git('rev-parse', 'HEAD^{tree}'))
  expect(await inspect(tree)).toMatchObject({ fileCount: 0 })
})

test('set-up runs only when configured, and once', async () => {
  const repository = makeRepository({ 'package-lock.json': '{}\n', '.gitignore': 'log\n' })
  const silent = await open(repository)
  await silent.prepare()
  expect(existsSync(join(repository.root, 'log'))).toBe(false)
  const { prepare } = await open(repository, { setup: ['echo run >> log'] })
  await prepare('T001')
  await prepare('T002')
  expect(repository.read('log')).toBe('run\n')
  const failing = await open(repository, { setup: ['exit 4'] })
  await expect(failing.prepare()).rejects.toMatchObject({ code: 'WORKSPACE_SETUP', details: { exitCode: 4 } })
})

test('asked again after a crash between commit and index, the index follows', async () => {
  const repository = makeRepository()
  const { prepare, inspect, integrate } = await open(repository)
  const { base, tree } = await prepare()
  repository.write('x.txt', 'x\n')
  const found = await inspect(tree)
  const oldIndex = repository.git('rev-parse', '--git-path', 'index')
  repository.git('update-index', '--refresh', '-q', '--really-refresh')
  const saved = repository.git('write-tree')
  const landed = await integrate(base, found.tree)
  repository.git('read-tree', saved)
  writeFileSync(join(repository.root, 'unrelated.txt'), 'u')
  expect(await integrate(base, found.tree)).toEqual(landed)
  expect(oldIndex).toBe('.git/index')
  expect(repository.git('status', '--porcelain')).toBe('?? unrelated.txt')
})

test("refuses, in a clear line, what would move the user's own branch or files", async () => {
  const repository = makeRepository()
  const base = repository.git('rev-parse', 'HEAD')
  const head = repository.commit('More')
  const { places: workspaces } = await open(repository)
  const before = fingerprint(repository)
  const asked = [
    () => workspaces.prepare({ kind: 'prepare', id: 'wave1/look', workspace: 'main', at: base }),
    () => workspaces.rollback({ kind: 'rollback', id: 'wave1/rollback', from: head, to: base }),
    () => workspaces.overlay({ id: 'T001/a1/overlay', base, tree: head, paths: [], files: [] }),
    () =>
      workspaces.integrate({
        kind: 'integrate',
        id: 'wave1/revert',
        workspace: 'main',
        task: 'T001',
        title: '',
        base: null,
        step: { kind: 'revert', commit: head },
      }),
  ]
  const message = expect.stringMatching(/^In place, Looper cannot .+ own checkout\.$/)
  for (const ask of asked) {
    await expect(ask()).rejects.toMatchObject({ code: 'WORKSPACE_GIT', message })
  }
  expect(await workspaces.prepare({ kind: 'prepare', id: 'wave1/look', workspace: 'main', at: head })).toMatchObject({
    base: head,
  })
  expect(await workspaces.contents(base, head, 100)).toEqual([])
  expect(fingerprint(repository)).toBe(before)
})
