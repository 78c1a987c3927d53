import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  useGitConfig,
  type Repository,
} from '../../test/kit/repository.ts'

afterEach(() => vi.unstubAllEnvs())

const prepare = (workspace: string, attempt = 1) =>
  ({ kind: 'prepare', id: `${workspace}/a${attempt}/prepare`, workspace }) as const

const inspect = (workspace: string, base: string | null) =>
  ({ kind: 'inspect', id: `${workspace}/a1/inspect0`, workspace, base, restore: null }) as const

/** Runs two tasks through prepare, inspect, merge and land; the second needs a real merge. */
async function wholeRun(repository: Repository): Promise<void> {
  const worktrees = await makeWorktrees(repository)
  let base: string | null = null
  for (const workspace of ['T001', 'T002']) ({ base } = await worktrees.prepare(prepare(workspace)))
  for (const task of ['T001', 'T002']) {
    const common = { kind: 'integrate', workspace: task, task, title: task, base } as const
    const own = task === 'T001' ? ['T001.txt', 'a.txt'] : ['T002.txt']
    for (const path of own) openRepository(worktrees.path(task)).write(path, 'line\r\n')
    const { tree, files } = await worktrees.inspect(inspect(task, base))
    expect(files).toEqual(own)
    const merged = await worktrees.integrate({
      ...common,
      id: `${task}/a1/merge0`,
      step: { kind: 'merge', tree, landAnyway: false },
    })
    if (merged.status === 'merged') {
      await worktrees.integrate({
        ...common,
        id: `${task}/a1/land0`,
        step: { kind: 'land', commit: merged.commit, onto: merged.onto },
      })
    }
  }
  await worktrees.prepare(prepare('T001', 2))
  await worktrees.clean()
  expect(repository.git('rev-list', '--count', 'main..looper/001-demo')).toBe('2')
}

const hooks = [
  'pre-commit',
  'commit-msg',
  'post-commit',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-merge-commit',
  'update',
  'fsmonitor',
]

test('hooks never run', async () => {
  const repository = makeRepository()
  const trace = join(repository.root, '.git/trace')
  repository.git('config', 'core.fsmonitor', '.git/hooks/fsmonitor')
  for (const hook of hooks) {
    const file = join(repository.root, '.git/hooks', hook)
    mkdirSync(join(repository.root, '.git/hooks'), { recursive: true })
    writeFileSync(file, `#!/bin/sh\necho ${hook} >> '${trace}'\nexit 1\n`)
    chmodSync(file, 0o755)
  }
  expect(() => repository.git('commit', '--allow-empty', '-m', 'x')).toThrow()
  expect(existsSync(trace)).toBe(true)
  writeFileSync(trace, '')
  await wholeRun(repository)
  expect(repository.read('.git/trace')).toBe('')
})

const settings: [what: string, set: (repository: Repository) => void][] = [
  [
    'commit signing by a program that fails',
    ({ git }) => {
      git('config', 'commit.gpgSign', 'true')
      git('config', 'tag.gpgSign', 'true')
      git('config', 'gpg.program', 'false')
    },
  ],
  [
    'safecrlf and autocrlf',
    ({ git }) => {
      git('config', 'core.safecrlf', 'true')
      git('config', 'core.autocrlf', 'input')
    },
  ],
  [
    'stat ignored',
    ({ git }) => {
      git('config', 'core.ignoreStat', 'true')
    },
  ],
  [
    'a split index',
    ({ git }) => {
      git('config', 'core.splitIndex', 'true')
      git('update-index', '--split-index')
    },
  ],
  [
    'submodule recursion',
    ({ git }) => {
      git('config', 'submodule.recurse', 'true')
    },
  ],
  [
    'an odd encoding',
    ({ git }) => {
      git('config', 'i18n.commitEncoding', 'latin1')
    },
  ],
  [
    'configuration per work tree',
    ({ git }) => {
      git('config', 'extensions.worktreeConfig', 'true')
    },
  ],
  [
    'a detached HEAD',
    ({ git }) => {
      git('checkout', '--quiet', '--detach')
    },
  ],
  [
    'packed refs',
    ({ git }) => {
      git('pack-refs', '--all')
    },
  ],
]

test.each(settings)('a repository with %s simply works', async (_what, set) => {
  const repository = makeRepository()
  set(repository)
  const before = fingerprint(repository)
  await wholeRun(repository)
  expect(fingerprint(repository)).toBe(before)
})

test('a sha256 repository simply works, strays included', async () => {
  const repository = openRepository(temporaryFolder())
  useGitConfig()
  repository.git('init', '--quiet', '--object-format=sha256')
  repository.write('a.txt', 'a\n')
  repository.commit('Start')
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare('T0'))
  const tree = openRepository(worktrees.path('T0'))
  tree.write('.gitignore', '!to-do.json\n')
  tree.write('to-do.json', '[]')
  expect((await worktrees.inspect(inspect('T0', base))).files).toEqual(['.gitignore'])
  await wholeRun(repository)
})

test('the environment of the caller points nowhere', async () => {
  const repository = makeRepository()
  const other = makeRepository()
  const before = fingerprint(other)
  const misleading = {
    GIT_DIR: join(other.root, '.git'),
    GIT_WORK_TREE: other.root,
    GIT_INDEX_FILE: join(other.root, '.git/index'),
    GIT_EXTERNAL_DIFF: 'false',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NAMESPACE: 'else',
  }
  for (const [name, value] of Object.entries(misleading)) vi.stubEnv(name, value)
  await wholeRun(repository)
  expect(fingerprint(other)).toBe(before)
})

test('a work tree of a bare repository is a checkout like any other', async () => {
  const source = makeRepository()
  const bare = openRepository(join(source.root, '../bare.git'))
  source.git('clone', '--quiet', '--bare', '.', bare.root)
  bare.git('worktree', 'add', '--quiet', '../checkout', 'main')
  await wholeRun(openRepository(join(source.root, '../checkout')))
})

test('without a configured author, Looper is the author', async () => {
  const repository = makeRepository()
  useGitConfig('[user]\n\tuseConfigOnly = true\n')
  await wholeRun(repository)
  const looper = 'Looper <looper@localhost>'
  expect(repository.git('log', '-1', '--format=%an <%ae> %cn <%ce>', 'looper/001-demo')).toBe(`${looper} ${looper}`)
})

test("the user's own ignore rules hold, wherever they are", async () => {
  const repository = makeRepository()
  const folder = useGitConfig('[user]\n\tname = Ada\n\temail = a@b.c\n[core]\n\texcludesFile = ~/ignored here\n')
  vi.stubEnv('HOME', folder)
  writeFileSync(join(folder, 'ignored here'), '*.swp\nT00?.log')
  const worktrees = await makeWorktrees(repository)
  const { base } = await worktrees.prepare(prepare('T001'))
  const tree = openRepository(worktrees.path('T001'))
  tree.write('x.swp', '')
  tree.write('T001.log', '')
  tree.write('kept.txt', '')
  expect((await worktrees.inspect(inspect('T001', base))).files).toEqual(['kept.txt'])
})

test("a run started in a linked work tree of the user, and in one of Looper's", async () => {
  const repository = makeRepository()
  repository.git('worktree', 'add', '--quiet', '-b', 'side', '../linked tree')
  const linked = openRepository(join(repository.root, '../linked tree'))
  linked.write('a.txt', 'dirty\n')
  const before = [fingerprint(repository), linked.read('a.txt')]
  await wholeRun(linked)
  expect([fingerprint(repository), linked.read('a.txt')]).toEqual(before)
  const outer = await makeWorktrees(repository, { run: '002-outer', branch: 'looper/002-outer' })
  await outer.prepare(prepare('T001'))
  const inner = openRepository(outer.path('T001'))
  const innerRun = await makeWorktrees(inner, { run: '003-inner', branch: 'looper/003-inner' })
  const { base } = await innerRun.prepare(prepare('T001'))
  openRepository(innerRun.path('T001')).write('deep.txt', 'deep\n')
  const step = { kind: 'merge', tree: null, landAnyway: true } as const
  const merge = {
    kind: 'integrate',
    id: 'T001/a1/merge0',
    workspace: 'T001',
    task: 'T001',
    title: 'x',
    base,
    step,
  } as const
  expect(await innerRun.integrate(merge)).toMatchObject({ status: 'landed' })
  expect(inner.git('status', '--porcelain')).toBe('')
})
