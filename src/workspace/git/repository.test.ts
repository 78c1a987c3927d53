import { chmodSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { changes, findRepository, refuseBranch, refuseDirty, survey } from './repository.ts'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  temporaryFolder,
  useGitConfig,
  type Repository,
} from '../../../test/kit/repository.ts'

describe('findRepository', () => {
  test('finds the root from anywhere inside', async () => {
    const repository = makeRepository()
    const head = repository.git('rev-parse', 'HEAD')
    const expected = { root: repository.root, gitDir: join(repository.root, '.git'), head, branch: 'main' }
    expect(await findRepository(repository.root)).toEqual(expected)
    expect(await findRepository(join(repository.root, 'src'))).toEqual(expected)
    repository.git('checkout', '--quiet', '--detach')
    expect(await findRepository(repository.root)).toEqual({ ...expected, branch: null })
    repository.git('checkout', '--quiet', '-b', 'feature/HEAD')
    expect(await findRepository(repository.root)).toEqual({ ...expected, branch: 'feature/HEAD' })
  })

  test("finds linked work trees: the user's and Looper's", async () => {
    const repository = makeRepository()
    repository.git('worktree', 'add', '--quiet', '-b', 'side', '../linked')
    const linked = join(repository.root, '../linked')
    expect(await findRepository(join(linked, 'src'))).toMatchObject({ root: linked, branch: 'side' })
    const worktrees = await makeWorktrees(repository)
    await worktrees.prepare({ kind: 'prepare', id: 'T001/a1/prepare', workspace: 'T001' })
    expect(await findRepository(worktrees.path('T001'))).toMatchObject({ root: worktrees.path('T001'), branch: null })
  })

  const refusals: [what: string, code: string, hint: RegExp, below: string, make: (folder: Repository) => void][] = [
    ['a folder outside git', 'ENVIRONMENT_NOT_A_REPOSITORY', /`cd`.*`-C <folder>`.*git init/, '.', () => {}],
    [
      'a bare repository',
      'ENVIRONMENT_BARE_REPOSITORY',
      /Clone/,
      '.',
      ({ git }) => {
        git('init', '--bare')
      },
    ],
    [
      'a repository without a commit',
      'ENVIRONMENT_NO_COMMIT',
      /git commit --allow-empty/,
      '.',
      ({ git }) => {
        git('init')
      },
    ],
    [
      'the inside of .git',
      'ENVIRONMENT_NOT_A_REPOSITORY',
      /checkout/,
      '.git',
      ({ git, commit }) => {
        git('init')
        commit('x')
      },
    ],
    ['a folder that is gone', 'WORKSPACE_GIT', /git/, 'gone', () => {}],
    [
      'a damaged repository',
      'ENVIRONMENT_REPOSITORY',
      /git's message/,
      '.',
      ({ git, write }) => {
        git('init')
        write('.git/config', '[broken')
      },
    ],
  ]

  test.each(refusals)('refuses %s', async (_what, code, hint, below, make) => {
    useGitConfig()
    const folder = openRepository(temporaryFolder())
    make(folder)
    await expect(findRepository(join(folder.root, below))).rejects.toMatchObject({
      code,
      hint: expect.stringMatching(hint),
    })
  })

  /** Git's own switch for its tests: every repository counts as another user's. */
  test('refuses a repository of another user, and names the command that trusts it', async () => {
    const repository = makeRepository()
    vi.stubEnv('GIT_TEST_ASSUME_DIFFERENT_OWNER', '1')
    await expect(findRepository(repository.root)).rejects.toMatchObject({
      code: 'ENVIRONMENT_REPOSITORY',
      exitCode: 2,
      message: `${repository.root} belongs to another user, so git does not open it.`,
      hint: `If you trust it: git config --global --add safe.directory '${repository.root}'`,
    })
    vi.unstubAllEnvs()
  })

  test('no git, or one that is too old', async () => {
    const repository = makeRepository()
    const bin = openRepository(temporaryFolder())
    vi.stubEnv('PATH', bin.root)
    await expect(findRepository(repository.root)).rejects.toMatchObject({ code: 'ENVIRONMENT_NO_GIT', exitCode: 2 })
    vi.unstubAllEnvs()
    bin.write('git', '#!/bin/sh\necho git version 2.30.1\n')
    chmodSync(join(bin.root, 'git'), 0o755)
    vi.stubEnv('PATH', `${bin.root}:${process.env['PATH']}`)
    const message = 'git version 2.30.1 is too old.'
    await expect(findRepository(repository.root)).rejects.toMatchObject({ code: 'ENVIRONMENT_NO_GIT', message })
    vi.unstubAllEnvs()
  })
})

describe('changes', () => {
  test('distinguishes tracked from untracked and writes nothing', async () => {
    const repository = makeRepository()
    expect(await changes(repository.root)).toEqual({ tracked: [], untracked: [] })
    repository.write('a.txt', 'changed\n')
    repository.write('new "x"\n.txt', '')
    repository.git('mv', 'src/b.txt', 'src/c.txt')
    const before = fingerprint(repository)
    expect(await changes(join(repository.root))).toEqual({
      tracked: ['a.txt', 'src/b.txt', 'src/c.txt'],
      untracked: ['new "x"\n.txt'],
    })
    expect(fingerprint(repository)).toBe(before)
  })
})

describe('refuseDirty', () => {
  test('passes untracked files and the backlog', async () => {
    const repository = makeRepository({ 'to-do.json': '[]', 'a.txt': 'a' })
    repository.write('new.txt', '')
    repository.write('to-do.json', '[1]')
    const { tracked } = await changes(repository.root)
    expect(() => refuseDirty(tracked)).not.toThrow()
  })

  test('names up to three modified files', async () => {
    const repository = makeRepository({
      'a\u001b[31m.txt': 'a',
      'b.txt': 'b',
      'c.txt': 'c',
      'd.txt': 'd',
      'e.txt': 'e',
    })
    for (const name of ['a\u001b[31m.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt']) repository.write(name, 'x')
    repository.git('add', 'b.txt')
    const { tracked } = await changes(repository.root)
    expect(() => refuseDirty(tracked)).toThrow(
      expect.objectContaining({
        code: 'WORKSPACE_DIRTY',
        exitCode: 2,
        message: 'In-place mode needs a clean checkout, but these files are modified: a.txt, b.txt, c.txt and 2 more.',
      }),
    )
  })
})

test('a survey lists the names that branches and refs hold', async () => {
  const repository = makeRepository()
  repository.git('branch', 'looper/001-one')
  repository.git('update-ref', 'refs/looper/002-two/T001/a1', 'HEAD')
  repository.git('update-ref', 'refs/looper/002-two/tip', 'HEAD')
  expect((await survey(repository.root)).taken.toSorted()).toEqual(['001-one', '002-two'])
})

test('a survey from a folder below the top describes the whole repository, and a branch that is in the way', async () => {
  const repository = makeRepository({ 'a/b.txt': 'b', 'c.txt': 'c' })
  repository.git('branch', 'looper')
  repository.write('c.txt', 'changed')
  repository.write('new.txt', '')
  const found = await survey(join(repository.root, 'a'))
  expect(found).toMatchObject({
    tracked: ['c.txt'],
    untracked: ['new.txt'],
    taken: [],
    barred: true,
    repository: { root: repository.root },
  })
  expect(() => refuseBranch(found.barred)).toThrow(expect.objectContaining({ code: 'WORKSPACE_BRANCH' }))
})

test('a survey of no repository says so', () =>
  expect(survey(temporaryFolder())).rejects.toMatchObject({ code: 'ENVIRONMENT_NOT_A_REPOSITORY' }))
