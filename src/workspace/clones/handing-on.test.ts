/** A workspace is reused in a pristine state or not at all. Whatever an agent left there, the run continues. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  dropPrivileges,
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  workspacesOf,
  type Repository,
  type Worktrees,
} from '../../../test/kit/repository.ts'
import { inspect, merge, prepare, ready } from '../../../test/kit/steps.ts'
import { removeTree } from './remove-tree.ts'

const files = { '.gitignore': 'lib/\nnode_modules/\n.env\n', 'package-lock.json': '{}\n', 'a.txt': 'a\n' }
const setup = [
  'mkdir -p node_modules/pkg && echo code > node_modules/pkg/index.js && ln -sf pkg node_modules/link && echo run >> ../.state/runs',
]

const runs = (repository: Repository): number =>
  readFileSync(join(workspacesOf(repository), '.state/runs'), 'utf8').split('\n').length - 1

/** All files and empty folders of a work tree except `.git`. */
const filesIn = (root: string): string[] =>
  execFileSync(
    'find',
    ['.', '-path', './.git', '-prune', '-o', '-type', 'f', '-print', '-o', '-type', 'd', '-empty', '-print'],
    { cwd: root, encoding: 'utf8' },
  )
    .split('\n')
    .filter((line) => line !== '')
    .toSorted()

/** Creates folders nested so deeply that no path can name the innermost one. */
function deep(root: string, levels: number): void {
  const script = `const fs = require('fs'); for (let n = 0; n < ${levels}; n++) { fs.mkdirSync('0123456789'); process.chdir('0123456789') }; fs.writeFileSync('file', '')`
  execFileSync(process.execPath, ['-e', script], { cwd: root })
}

async function afterPoison(poison: (tree: Repository) => void, next = 'T002') {
  const repository = makeRepository(files)
  const worktrees = await makeWorktrees(repository, { setup })
  await prepare(worktrees, 'T001')
  const before = filesIn(worktrees.path('T001'))
  poison(openRepository(worktrees.path('T001')))
  if (next !== 'T001') worktrees.release('T001')
  await prepare(worktrees, next, 2)
  expect(basename(worktrees.path(next))).toBe('w1')
  return { repository, before, after: filesIn(worktrees.path(next)), tree: openRepository(worktrees.path(next)) }
}

const poisons: [what: string, poison: (tree: Repository) => void][] = [
  ['ignored files', ({ write }) => write('lib/poison.js', 'x')],
  ['an empty ignored folder', ({ root }) => mkdirSync(join(root, 'lib/empty'), { recursive: true })],
  ['a file beside what set-up brought', ({ write }) => write('node_modules/evil/index.js', 'x')],
  ['an ignored file that set-up did not bring', ({ write }) => write('.env', 'x')],
  [
    'rules that ignore what it left',
    ({ write, root }) => {
      write('.gitignore', '*\n')
      writeFileSync(join(root, '.git/info/exclude'), '*\n')
      write('deep/er/poison.js', 'x')
    },
  ],
]

describe.each([
  ['to another task', 'T002'],
  ['to the next attempt', 'T001'],
])('handed on %s', (_to, next) => {
  test.each(poisons)('%s are gone, and set-up is kept', async (_what, poison) => {
    const { repository, before, after } = await afterPoison(poison, next)
    expect(after).toEqual(before)
    expect(runs(repository)).toBe(1)
  })
})

const changes: [what: string, change: (tree: Repository) => void][] = [
  ['changed', ({ write }) => write('node_modules/pkg/index.js', 'evil code\n')],
  [
    'changed, with its size and time put back',
    ({ root }) => {
      const file = join(root, 'node_modules/pkg/index.js')
      const { atime, mtime } = statSync(file)
      writeFileSync(file, 'evil\n')
      utimesSync(file, atime, mtime)
    },
  ],
  ['deleted', ({ root }) => rmSync(join(root, 'node_modules/pkg/index.js'))],
  [
    'replaced by a link',
    ({ root }) => {
      rmSync(join(root, 'node_modules'), { recursive: true })
      symlinkSync('/tmp', join(root, 'node_modules'))
    },
  ],
  [
    'a link that leads elsewhere now',
    ({ root }) => {
      rmSync(join(root, 'node_modules/link'))
      symlinkSync('/tmp', join(root, 'node_modules/link'))
    },
  ],
]

test.each(changes)('set-up is done again when something of it was %s', async (_what, change) => {
  const { repository, before, after, tree } = await afterPoison(change)
  expect(after).toEqual(before)
  expect(tree.read('node_modules/pkg/index.js')).toBe('code\n')
  expect(runs(repository)).toBe(2)
})

describe('what an agent can leave to wedge a run', () => {
  const traps: [what: string, trap: (tree: Repository) => void][] = [
    ['2,000 nested folders', ({ root }) => deep(root, 2_000)],
    [
      '2,000 nested ignored folders',
      ({ root }) => {
        mkdirSync(join(root, 'lib'))
        deep(join(root, 'lib'), 2_000)
      },
    ],
    ['a top without any rights', ({ root }) => chmodSync(root, 0)],
    [
      'folders that cannot be written',
      ({ root, write }) => {
        write('ro/in/file', 'x')
        chmodSync(join(root, 'ro/in'), 0o500)
        chmodSync(join(root, 'ro'), 0o500)
      },
    ],
    [
      'folders without any rights',
      ({ root, write }) => {
        write('no/in/file', 'x')
        chmodSync(join(root, 'no'), 0)
      },
    ],
    ['a .git without any rights', ({ root }) => chmodSync(join(root, '.git'), 0)],
    ['a folder .GIT', ({ write }) => write('sub/.GIT/config', 'x')],
    [
      'a dangling gitfile',
      ({ write }) => {
        write('sub/.git', 'gitdir: /nowhere\n')
        write('sub/x.txt', 'x')
      },
    ],
    ['a filter that fails', ({ write }) => write('.gitattributes', '* filter=failing\n')],
  ]

  test.each(traps)(
    '%s: the workspace is used again or replaced',
    async (_what, trap) => {
      dropPrivileges()
      const repository = makeRepository(files)
      repository.git('config', 'filter.failing.clean', 'false')
      repository.git('config', 'filter.failing.required', 'true')
      const { worktrees, base, at } = await ready(repository, 'T001')
      at('T001').write('made.txt', 'made\n')
      trap(at('T001'))
      await inspect(worktrees, 'T001', base).catch((error: unknown) =>
        expect(error).toMatchObject({ code: 'WORKSPACE_CONTENT' }),
      )
      worktrees.release('T001')
      await prepare(worktrees, 'T002')
      expect(filesIn(worktrees.path('T002'))).toEqual(['./.gitignore', './a.txt', './package-lock.json'])
      at('T002').write('next.txt', 'x\n')
      expect(await merge(worktrees, 'T002', base)).toMatchObject({ status: 'landed' })
      await worktrees.clean()
      expect(existsSync(workspacesOf(repository))).toBe(false)
    },
    600_000,
  )

  test.each([
    ['a folder .GIT', 'sub/.GIT/config', 'x'],
    ['a filter that fails', '.gitattributes', '* filter=failing\n'],
  ])('%s is refused as content of the change, and what git takes of it is kept', async (_what, path, content) => {
    const repository = makeRepository(files)
    repository.git('config', 'filter.failing.clean', 'false')
    repository.git('config', 'filter.failing.required', 'true')
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('made.txt', 'made\n')
    at('T001').write(path, content)
    await expect(inspect(worktrees, 'T001', base)).rejects.toMatchObject({ code: 'WORKSPACE_CONTENT' })
    await prepare(worktrees, 'T001', 2)
    const left = readdirSync(join(workspacesOf(repository), '.state')).find((name) => name.startsWith('aside-'))
    if (left === undefined) expect(repository.git('show', 'refs/looper/001-demo/T001/a1-left:made.txt')).toBe('made')
    else expect(readFileSync(join(workspacesOf(repository), '.state', left, 'made.txt'), 'utf8')).toBe('made\n')
  })

  test('an object store that cannot be written is no fault of the change', async () => {
    dropPrivileges()
    const repository = makeRepository(files)
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('made.txt', 'made\n')
    const objects = join(repository.root, '.git/objects')
    chmodSync(objects, 0o500)
    for (const name of readdirSync(objects)) chmodSync(join(objects, name), 0o500)
    const failed = await inspect(worktrees, 'T001', base).catch((error: unknown) => error)
    for (const name of readdirSync(objects)) chmodSync(join(objects, name), 0o700)
    chmodSync(objects, 0o700)
    expect(failed).toMatchObject({ code: 'WORKSPACE_GIT' })
  })
})

/** Where the test may not mount, only `leases.test.ts` covers abandoned workspaces. */
const mounts = mayMount() ? [['a read-only mount']] : []

/** Puts a program that fails in the place of `umount`. */
function denyUnmount(): void {
  const bin = temporaryFolder()
  writeFileSync(join(bin, 'umount'), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  process.env['PATH'] = `${bin}:${process.env['PATH']}`
}

test.each(mounts)('%s in the place of a workspace: it is abandoned for another one, also after a crash', async () => {
  const repository = makeRepository(files)
  const path = process.env['PATH']
  const { worktrees } = await ready(repository, 'T001')
  const stuck = worktrees.path('T001')
  execFileSync('mount', ['-t', 'tmpfs', 'none', stuck])
  try {
    writeFileSync(join(stuck, 'file'), 'x')
    execFileSync('mount', ['-o', 'remount,ro', stuck])
    worktrees.release('T001')
    denyUnmount()
    await prepare(worktrees, 'T002')
    expect(basename(worktrees.path('T002'))).toBe('w2')
    const fresh: Worktrees = await makeWorktrees(repository)
    await prepare(fresh, 'T003')
    expect(basename(fresh.path('T003'))).toBe('w3')
    await fresh.clean()
  } finally {
    process.env['PATH'] = path
    execFileSync('umount', [stuck])
  }
  await (await makeWorktrees(repository)).clean()
  expect(existsSync(workspacesOf(repository))).toBe(false)
})

function mayMount(): boolean {
  try {
    execFileSync('/usr/bin/unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.each([[5], [2_000]])('%i nested folders are removed', async (levels) => {
  const root = join(makeRepository().root, '../deep')
  mkdirSync(root)
  deep(root, levels)
  await removeTree(root)
  expect(existsSync(root)).toBe(false)
})
