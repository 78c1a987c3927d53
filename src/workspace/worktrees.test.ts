import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  fingerprint,
  makeRepository,
  makeWorktrees,
  openRepository,
  workspacesOf,
  type Repository,
} from '../../test/kit/repository.ts'
import { land, merge, prepare, ready, tip } from '../../test/kit/steps.ts'

describe('prepare', () => {
  test('makes a clone at the run branch, detached, and the branch at the base', async () => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001')
    const head = repository.git('rev-parse', 'HEAD')
    expect(await prepare(worktrees, 'T001')).toEqual({
      kind: 'prepare',
      base: head,
      tree: repository.git('rev-parse', 'HEAD^{tree}'),
    })
    expect(tip(repository)).toBe(head)
    expect(at('T001').git('rev-parse', '--symbolic-full-name', 'HEAD')).toBe('HEAD')
    expect(at('T001').git('status', '--porcelain')).toBe('')
    expect(at('T001').read('src/b.txt')).toBe('b\n')
  })

  test('a dirty checkout is the same byte for byte after a whole task', async () => {
    const repository = makeRepository()
    repository.write('a.txt', 'stashed\n')
    repository.git('stash')
    repository.write('a.txt', 'staged\n')
    repository.git('add', 'a.txt')
    repository.write('a.txt', 'not staged\n')
    repository.write('new file.txt', 'untracked\n')
    unlinkSync(join(repository.root, 'src/b.txt'))
    const before = fingerprint(repository)
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T001').write('a.txt', 'task 1\n')
    at('T002').write('c.txt', 'task 2\n')
    expect(await merge(worktrees, 'T001', base)).toMatchObject({ status: 'landed' })
    const second = await merge(worktrees, 'T002', base)
    if (second.status !== 'merged') throw new Error(second.status)
    await land(worktrees, 'T002', base, second.commit, second.onto)
    await worktrees.diff('T001', base, 1_000)
    await worktrees.clean()
    expect(repository.git('show', 'looper/001-demo:c.txt')).toBe('task 2')
    expect(fingerprint(repository)).toBe(before)
    expect(repository.git('status', '--porcelain')).toBe('MM a.txt\n D src/b.txt\n?? "new file.txt"')
  })

  test('resets a used work tree to the newest tip, ignored files included', async () => {
    const repository = makeRepository({ '.gitignore': 'node_modules/\n', 'a.txt': 'a\n' })
    const { worktrees, base, at } = await ready(repository, 'T001', 'T002')
    at('T002').write('landed.txt', 'x\n')
    await merge(worktrees, 'T002', base)
    const one = at('T001')
    one.write('node_modules/pkg/index.js', '1')
    one.write('junk/deep/file.txt', 'junk')
    one.write('a.txt', 'changed')
    mkdirSync(join(one.root, 'cloned'))
    openRepository(join(one.root, 'cloned')).git('init', '--quiet')
    const again = await prepare(worktrees, 'T001', 2)
    expect(again.base).toBe(tip(repository))
    expect(one.read('a.txt')).toBe('a\n')
    expect(one.read('landed.txt')).toBe('x\n')
    for (const gone of ['node_modules', 'junk']) expect(existsSync(join(one.root, gone))).toBe(false)
    expect(existsSync(join(one.root, 'cloned'))).toBe(false)
    expect(one.git('status', '--porcelain')).toBe('')
    expect(one.git('rev-parse', 'HEAD')).toBe(tip(repository))
  })

  const damages: [what: string, damage: (tree: Repository, repository: Repository) => void][] = [
    ['the work tree was deleted', ({ root }) => rmSync(root, { recursive: true })],
    ['all scratch was deleted', (_, repository) => rmSync(workspacesOf(repository), { recursive: true })],
    [
      'the git directory of the run was deleted',
      (_, { root }) => rmSync(join(root, '.looper/runs'), { recursive: true }),
    ],
    ['its .git was deleted', ({ root }) => rmSync(join(root, '.git'), { recursive: true })],
    [
      'its .git leads nowhere',
      ({ root }) => {
        rmSync(join(root, '.git'), { recursive: true })
        writeFileSync(join(root, '.git'), 'gitdir: /nowhere\n')
      },
    ],
    [
      "its .git became a link to the user's",
      ({ root }, repository) => {
        rmSync(join(root, '.git'), { recursive: true })
        symlinkSync(join(repository.root, '.git'), join(root, '.git'))
      },
    ],
    [
      "its .git says that it is a work tree of the user's",
      ({ root }, repository) => writeFileSync(join(root, '.git/commondir'), join(repository.root, '.git')),
    ],
    [
      'its .git became a repository',
      ({ root, git }) => {
        rmSync(join(root, '.git'), { recursive: true })
        git('init', '--quiet')
      },
    ],
    [
      'a killed git left its locks',
      (tree, repository) => {
        writeFileSync(join(tree.root, '.git/index.lock'), '')
        writeFileSync(join(tree.root, '.git/HEAD.lock'), '')
        writeFileSync(join(workspacesOf(repository), '.state/w1.index.lock'), '')
      },
    ],
    [
      'making it was interrupted',
      (tree, repository) => {
        rmSync(join(workspacesOf(repository), '.state'), { recursive: true })
        rmSync(join(tree.root, '.git'), { recursive: true })
        mkdirSync(join(tree.root, '.git.looper-new/objects'), { recursive: true })
        rmSync(join(tree.root, 'a.txt'))
      },
    ],
    [
      'an earlier version was interrupted, and git refuses to work at all',
      (_, { root, git }) => {
        git('worktree', 'add', '--quiet', '--detach', '.looper/worktrees/001-demo/w1')
        writeFileSync(join(root, '.git/worktrees/w1/commondir'), '')
        expect(() => git('for-each-ref', '--format=%(worktreepath)')).toThrow()
      },
    ],
    [
      'it became a link to somewhere else',
      ({ root }, repository) => {
        rmSync(root, { recursive: true })
        mkdirSync(join(repository.root, '../elsewhere'))
        writeFileSync(join(repository.root, '../elsewhere/precious.txt'), 'precious')
        symlinkSync(join(repository.root, '../elsewhere'), root)
      },
    ],
    [
      'the folder around it became a link',
      ({ root }, repository) => {
        rmSync(dirname(root), { recursive: true })
        mkdirSync(join(repository.root, '../elsewhere/w1'), { recursive: true })
        writeFileSync(join(repository.root, '../elsewhere/precious.txt'), 'precious')
        writeFileSync(join(repository.root, '../elsewhere/w1/precious.txt'), 'precious')
        symlinkSync(join(repository.root, '../elsewhere'), dirname(root))
      },
    ],
    [
      'both indexes are damaged',
      (tree, repository) => {
        writeFileSync(join(tree.root, '.git/index'), 'rubbish')
        writeFileSync(join(workspacesOf(repository), '.state/w1.index'), 'rubbish')
      },
    ],
    [
      'the agent hid a change from git',
      ({ root, git }) => {
        git('update-index', '--skip-worktree', 'a.txt')
        writeFileSync(join(root, 'a.txt'), 'hidden')
      },
    ],
    [
      'the agent is on a branch of its own, in the middle of a merge',
      ({ root, git }) => {
        git('checkout', '--quiet', '-b', 'own')
        writeFileSync(join(root, 'a.txt'), 'mine\n')
        git('commit', '--quiet', '-am', 'mine')
        git('checkout', '--quiet', '-b', 'other', 'HEAD~')
        writeFileSync(join(root, 'a.txt'), 'other\n')
        git('commit', '--quiet', '-am', 'other')
        expect(() => git('merge', 'own')).toThrow()
      },
    ],
  ]

  test.each(damages)('heals when %s', async (_what, damage) => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001')
    const before = fingerprint(repository)
    damage(at('T001'), repository)
    const branches = repository.git('show-ref', '--heads')
    for (const fresh of [await makeWorktrees(repository), worktrees]) {
      const { base } = await prepare(fresh, 'T001')
      expect(at('T001').read('a.txt')).toBe('one\ntwo\nthree\n')
      expect(at('T001').git('rev-parse', '--show-toplevel')).toBe(at('T001').root)
      expect(at('T001').git('status', '--branch', '--porcelain')).toBe('## HEAD (no branch)')
      expect(at('T001').git('rev-parse', 'HEAD')).toBe(base)
    }
    const elsewhere = join(repository.root, '../elsewhere')
    for (const folder of [elsewhere, join(elsewhere, 'w1')]) {
      if (existsSync(folder)) expect(readFileSync(join(folder, 'precious.txt'), 'utf8')).toBe('precious')
    }
    expect(repository.git('show-ref', '--heads')).toBe(branches)
    expect(JSON.parse(fingerprint(repository)).files).toEqual(JSON.parse(before).files)
  })

  test('an unfinished git operation is cleaned up without a new work tree', async () => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001')
    const { root, git } = at('T001')
    const { ino } = statSync(root)
    at('T001').write('a.txt', 'mine\n')
    at('T001').commit('mine')
    expect(() => git('rebase', '--exec', 'false', 'HEAD~')).toThrow()
    for (const name of ['HEAD.lock', 'index.lock']) writeFileSync(join(root, '.git', name), '')
    await prepare(worktrees, 'T001', 2)
    expect(git('status')).not.toMatch(/rebas/)
    expect(git('status', '--porcelain')).toBe('')
    expect(statSync(root).ino).toBe(ino)
    git('checkout', '--quiet', '-b', 'free')
  })

  test('a branch that the user deleted comes back at its tip', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('x.txt', 'x\n')
    await merge(worktrees, 'T001', base)
    const landed = tip(repository)
    repository.git('branch', '-D', 'looper/001-demo')
    expect((await prepare(worktrees, 'T001', 2)).base).toBe(landed)
    expect(tip(repository)).toBe(landed)
  })

  test('many at once do not trip over each other (F5)', async () => {
    const repository = makeRepository()
    const worktrees = await makeWorktrees(repository)
    const tasks = Array.from({ length: 8 }, (_, n) => `T${n}`)
    const prepared = await Promise.all(tasks.map((task) => prepare(worktrees, task)))
    await Promise.all(
      tasks.map(async (task, n) => {
        openRepository(worktrees.path(task)).write(`${task}.txt`, task)
        const { base } = prepared[n]!
        expect(await merge(worktrees, task, base, null, '0', true)).toMatchObject({ status: 'landed' })
      }),
    )
    const files = ['a.txt', 'src', ...tasks.map((task) => `${task}.txt`)].toSorted()
    expect(repository.git('ls-tree', '--name-only', 'looper/001-demo').split('\n')).toEqual(files)
    expect(repository.git('rev-list', '--count', 'main..looper/001-demo')).toBe('8')
  })

  test('hostile workspace names stay inside the folder', async () => {
    const repository = makeRepository()
    const worktrees = await makeWorktrees(repository)
    for (const name of ['../../x', 'a/b', '.git', 'x.lock', '', 'ä "\n']) {
      await prepare(worktrees, name)
      const path = worktrees.path(name)
      expect(path.startsWith(`${workspacesOf(repository)}/`)).toBe(true)
      expect(path.slice(`${workspacesOf(repository)}/`.length)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/)
    }
  })
})
