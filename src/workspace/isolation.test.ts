/** An agent's use of git in its workspace does not affect the user, another task, or Looper's own git. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  useGitConfig,
  workspacesOf,
  type Repository,
} from '../../test/kit/repository.ts'
import { inspect, merge, prepare, ready, tip } from '../../test/kit/steps.ts'

const everything = ['.looper']

function plantHooks(gitDir: string, trace: string): void {
  for (const hook of ['pre-commit', 'post-checkout', 'post-index-change', 'reference-transaction', 'post-merge']) {
    mkdirSync(join(gitDir, 'hooks'), { recursive: true })
    writeFileSync(join(gitDir, 'hooks', hook), `#!/bin/sh\necho ${hook} >> '${trace}'\nexit 1\n`)
    chmodSync(join(gitDir, 'hooks', hook), 0o755)
  }
}

/** A filter that writes to a trace file when it runs. */
const tracing = (trace: string): string => `echo ran >> '${trace}'; cat`

describe('ordinary git in a workspace', () => {
  test('stashes of two tasks and of the user stay apart', async () => {
    const repository = makeRepository()
    repository.write('a.txt', 'of the user\n')
    repository.git('stash', '--quiet')
    const before = fingerprint(repository)
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    for (const task of ['T001', 'T002']) {
      expect(at(task).git('stash', 'list')).toBe('')
      at(task).write(`${task}.txt`, `${task}\n`)
      at(task).git('stash', '--quiet', '--include-untracked')
    }
    for (const task of ['T001', 'T002']) at(task).git('stash', 'pop', '--quiet')
    expect(() => at('T001').git('stash', 'pop')).toThrow()
    for (const task of ['T001', 'T002']) expect((await inspect(worktrees, task, base)).files).toEqual([`${task}.txt`])
    expect(fingerprint(repository)).toBe(before)
    expect(repository.git('stash', 'list')).toContain('stash@{0}')
  })

  test('branches, tags, commits, configuration, hooks, worktrees, gc and clean stay in the clone', async () => {
    const repository = makeRepository()
    const { at } = await ready(repository, 'T001', 'T002')
    const before = fingerprint(repository)
    const other = at('T002').git('for-each-ref')
    const { git, write, root } = at('T001')
    git('branch', 'mine')
    git('tag', 'v1')
    git('update-ref', 'refs/heads/main', git('commit-tree', '-m', 'x', 'HEAD^{tree}'))
    git('config', 'user.name', 'Mallory')
    plantHooks(join(root, '.git'), join(repository.root, 'trace'))
    git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '--quiet', '../mine', 'mine')
    write('x.txt', 'x\n')
    git('-c', 'core.hooksPath=/dev/null', 'gc', '--quiet', '--prune=now')
    git('-c', 'core.hooksPath=/dev/null', 'reset', '--quiet', '--hard')
    git('clean', '-ffdxq')
    expect(fingerprint(repository)).toBe(before)
    expect(at('T002').git('for-each-ref')).toBe(other)
    expect(existsSync(join(repository.root, '.git/worktrees'))).toBe(false)
    expect(readdirSync(join(repository.root, '.git/hooks')).every((name) => name.endsWith('.sample'))).toBe(true)
  })

  test("sees the user's branches and tags as they were, but neither the stash nor Looper's refs, and no remote", async () => {
    const repository = makeRepository()
    repository.git('branch', 'other')
    repository.git('tag', '-a', '-m', 'one', 'v1')
    repository.git('remote', 'add', 'origin', 'https://user:token@example.org/x.git')
    repository.write('a.txt', 'stashed\n')
    repository.git('stash', '--quiet')
    const { at } = await ready(repository, 'T001')
    const refs = at('T001').git('for-each-ref', '--format=%(refname)').split('\n')
    expect(refs).toEqual(['refs/heads/main', 'refs/heads/other', 'refs/tags/v1'])
    expect(at('T001').git('rev-parse', 'v1^{commit}')).toBe(repository.git('rev-parse', 'v1^{commit}'))
    expect(at('T001').git('remote')).toBe('')
    expect(readFileSync(join(at('T001').root, '.git/config'), 'utf8')).not.toContain('token')
    expect(at('T001').git('fsck', '--connectivity-only', '--no-dangling')).toBe('')
  })

  test('a shallow repository has shallow clones', async () => {
    const source = makeRepository()
    source.write('b.txt', 'b\n')
    source.commit('More')
    const shallow = openRepository(join(source.root, '../shallow'))
    source.git('clone', '--quiet', '--depth', '1', `file://${source.root}`, shallow.root)
    const { worktrees, base, at } = await ready(shallow, 'T001')
    expect(at('T001').git('log', '--format=%s')).toBe('More')
    at('T001').write('c.txt', 'c\n')
    at('T001').commit('In the clone')
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
  })
})

describe("Looper's own git", () => {
  const planting: [where: string, plant: (trace: string, clone: Repository, user: Repository) => void][] = [
    [
      'the clone',
      (trace, { root, git }) => {
        git('config', 'filter.evil.clean', tracing(trace))
        git('config', 'filter.evil.smudge', tracing(trace))
        git('config', 'core.fsmonitor', tracing(trace))
        git('config', 'core.hooksPath', join(root, '.git/hooks'))
        writeFileSync(join(root, '.git/info/attributes'), '* filter=evil\n')
        writeFileSync(join(root, '.git/info/exclude'), '*\n')
        plantHooks(join(root, '.git'), trace)
      },
    ],
    [
      "the user's repository",
      (trace, _, { root, git }) => {
        git('config', 'filter.evil.clean', tracing(trace))
        git('config', 'filter.evil.smudge', tracing(trace))
        git('config', 'merge.evil.driver', `echo ran >> '${trace}'; false`)
        git('config', 'core.fsmonitor', tracing(trace))
        writeFileSync(join(root, '.git/info/attributes'), '* filter=evil merge=evil\n')
        writeFileSync(join(root, '.git/info/exclude'), '*\n')
      },
    ],
    [
      'the files of the run',
      (trace, _, { root }) => {
        const git = join(root, '.looper/runs/001-demo/git')
        expect(existsSync(join(git, 'config'))).toBe(true)
        const evil = `[filter "evil"]\n\tclean = "${tracing(trace)}"\n\tsmudge = "${tracing(trace)}"\n`
        appendFileSync(join(git, 'config'), evil)
        writeFileSync(join(git, 'config.worktree'), evil)
        writeFileSync(join(git, 'commondir'), join(root, '../elsewhere'))
        writeFileSync(join(git, 'info/attributes'), '* filter=evil\n')
        const settings = join(git, 'settings.json')
        const read: { config: unknown[] } = JSON.parse(readFileSync(settings, 'utf8'))
        for (const key of ['filter.evil.clean', 'filter.evil.smudge'])
          read.config.push({ scope: 'local', key, value: tracing(trace) })
        writeFileSync(settings, JSON.stringify(read))
      },
    ],
    [
      'the global configuration',
      (trace) => {
        useGitConfig(
          `[filter "evil"]\n\tclean = "${tracing(trace)}"\n\tsmudge = "${tracing(trace)}"\n[core]\n\tattributesFile = /dev/null\n`,
        )
      },
    ],
  ]

  test.each(planting)('runs nothing that is planted in %s after the start', async (_where, plant) => {
    const repository = makeRepository({
      'a.txt': 'a\n',
      'both.txt': '1\n2\n3\n4\n5\n',
      '.gitattributes': 'x filter=evil\n',
    })
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    const trace = join(repository.root, '../trace')
    plant(trace, at('T001'), repository)
    at('T001').write('both.txt', '1\n2\n3\n4\nfive\n')
    at('T001').write('new.txt', 'new\n')
    at('T001').write('.gitattributes', '* filter=evil\n')
    at('T002').write('both.txt', 'one\n2\n3\n4\n5\n')
    for (const fresh of [worktrees, await makeWorktrees(repository, { base })]) {
      const { tree, files } = await inspect(fresh, 'T001', base)
      expect(files).toEqual(['.gitattributes', 'both.txt', 'new.txt'])
      await fresh.diff('T001', base, 1_000)
      await fresh.restore('T001', tree)
    }
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
    expect(await merge(worktrees, 'T002', base)).toMatchObject({ status: 'merged' })
    await prepare(worktrees, 'T001', 2)
    expect(existsSync(trace)).toBe(false)
    // This git belongs to the test, so it may run planted commands.
    expect(at('T001').git('status', '--porcelain')).toBe('')
  })

  test('uses the filters, attributes and ignore rules that the run started with, also when it is resumed', async () => {
    const repository = makeRepository({ 'a.up': 'A\n' })
    repository.git('config', 'filter.case.clean', 'tr a-z A-Z')
    repository.git('config', 'filter.case.smudge', 'tr A-Z a-z')
    writeFileSync(join(repository.root, '.git/info/attributes'), '*.up filter=case\n')
    writeFileSync(join(repository.root, '.git/info/exclude'), 'mine\n')
    const { worktrees, base, at } = await ready(repository, 'T001')
    expect(at('T001').read('a.up')).toBe('a\n')
    expect(at('T001').git('status', '--porcelain')).toBe('')
    repository.git('config', '--unset-all', 'filter.case.clean')
    rmSync(join(repository.root, '.git/info/attributes'))
    at('T001').write('a.up', 'b\n')
    at('T001').write('mine', 'ignored\n')
    for (const fresh of [worktrees, await makeWorktrees(repository, { base })]) {
      const { tree, files } = await inspect(fresh, 'T001', base)
      expect(files).toEqual(['a.up'])
      expect(repository.git('show', `${tree}:a.up`)).toBe('B')
    }
  })

  test("writes no ref, index or HEAD of the user's checkout but the run's own", async () => {
    const repository = makeRepository()
    const before = fingerprint(repository, everything)
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('x.txt', 'x\n')
    await merge(worktrees, 'T001', base)
    repository.git('pack-refs', '--all')
    await prepare(worktrees, 'T001', 2)
    at('T001').write('y.txt', 'y\n')
    expect(await merge(worktrees, 'T001', tip(repository), null, '1')).toMatchObject({ status: 'landed' })
    expect(repository.git('log', '--format=%s', 'looper/001-demo')).toBe('Do T001\nDo T001\nStart')
    await worktrees.clean()
    expect(fingerprint(repository, everything)).toBe(before)
  })
})

test('commits of an agent are fetched from a clone with a hostile .git', async () => {
  const repository = makeRepository()
  const { worktrees, at } = await ready(repository, 'T001')
  const trace = join(repository.root, '../trace')
  at('T001').write('one.txt', '1\n')
  const commit = at('T001').commit('One')
  at('T001').git('pack-refs', '--all')
  plantHooks(join(at('T001').root, '.git'), trace)
  at('T001').git('config', 'uploadpack.packObjectsHook', tracing(trace))
  at('T001').git('config', 'core.fsmonitor', tracing(trace))
  symlinkSync('/dev/zero', join(at('T001').root, '.git/objects/info/commit-graph'))
  await prepare(worktrees, 'T001', 2)
  expect(repository.git('rev-parse', 'refs/looper/001-demo/T001/a1-left')).toBe(commit)
  expect(repository.git('fsck', '--connectivity-only', commit)).toBe('')
  expect(existsSync(trace)).toBe(false)
})

test('a stash that an agent left is kept', async () => {
  const repository = makeRepository()
  const { worktrees, at } = await ready(repository, 'T001')
  at('T001').write('a.txt', 'stashed\n')
  at('T001').git('stash', '--quiet')
  await prepare(worktrees, 'T001', 2)
  expect(at('T001').git('stash', 'list')).toBe('')
  expect(repository.git('show', 'refs/looper/001-demo/T001/a1-dropped:a.txt')).toBe('stashed')
})

test('`git clean -ffdx` in the checkout leaves the workspaces alone', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('x.txt', 'x\n')
  repository.git('clean', '-ffdxq')
  expect(existsSync(join(repository.root, '.looper'))).toBe(false)
  expect((await inspect(worktrees, 'T001', base)).files).toEqual(['x.txt'])
  expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
  expect(existsSync(workspacesOf(repository))).toBe(true)
})

test('no link in the checkout leads to nothing, and refs that are packed later are found', async () => {
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001')
  const links = repository
    .git('-c', 'core.quotePath=false', 'ls-files', '--others', '.looper')
    .split('\n')
    .map((path) => join(repository.root, path))
    .filter((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
  expect(links.filter((path) => !existsSync(path))).toEqual([])
  repository.git('pack-refs', '--all', '--prune')
  at('T001').write('new.txt', 'new\n')
  expect((await inspect(worktrees, 'T001', base)).files).toEqual(['new.txt'])
  await merge(worktrees, 'T001', base)
  expect(repository.git('ls-tree', '--name-only', tip(repository)).split('\n')).toContain('new.txt')
})
