import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fingerprint, makeRepository, makeWorktrees, openRepository, type Repository } from '../../test/kit/repository.ts'
import { land, merge, prepare, ready, tip } from '../../test/kit/steps.ts'

describe('prepare', () => {
  test('makes a detached work tree at the run branch, and the branch at the base', async () => {
    const repository = makeRepository()
    const { worktrees, at } = await ready(repository, 'T001')
    const head = repository.git('rev-parse', 'HEAD')
    expect(await prepare(worktrees, 'T001')).toEqual({ kind: 'prepare', base: head, tree: repository.git('rev-parse', 'HEAD^{tree}') })
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

  test('resets a used work tree to the newest tip and keeps ignored files', async () => {
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
    expect(one.read('node_modules/pkg/index.js')).toBe('1')
    expect(existsSync(join(one.root, 'junk'))).toBe(false)
    expect(existsSync(join(one.root, 'cloned'))).toBe(false)
    expect(one.git('status', '--porcelain')).toBe('')
    expect(one.git('rev-parse', 'HEAD')).toBe(tip(repository))
  })

  const damages: [what: string, damage: (tree: Repository, repository: Repository) => void][] = [
    ['the work tree was deleted', ({ root }) => rmSync(root, { recursive: true })],
    ['all scratch was deleted', (_, { root }) => rmSync(join(root, '.looper/worktrees'), { recursive: true })],
    ['git forgot it', (tree, { root, git }) => {
      rmSync(tree.root, { recursive: true })
      git('worktree', 'prune')
      expect(existsSync(join(root, '.git/worktrees/w1'))).toBe(false)
    }],
    ['its administration was deleted', (_, { root }) => rmSync(join(root, '.git/worktrees/w1'), { recursive: true })],
    ['its .git file was deleted', ({ root }) => rmSync(join(root, '.git'))],
    ['its .git became a repository', ({ root, git }) => {
      rmSync(join(root, '.git'))
      git('init', '--quiet')
    }],
    ['a killed git left its locks', (_, { root }) => {
      writeFileSync(join(root, '.git/worktrees/w1/index.lock'), '')
      writeFileSync(join(root, '.git/worktrees/w1/HEAD.lock'), '')
      writeFileSync(join(root, '.looper/worktrees/001-demo/.state/w1.index.lock'), '')
    }],
    ['making it was interrupted', (tree, { root }) => {
      rmSync(join(root, '.looper/worktrees/001-demo/.state'), { recursive: true })
      writeFileSync(join(root, '.git/worktrees/w1/locked'), 'initializing')
      rmSync(join(tree.root, 'a.txt'))
    }],
    ['making it was interrupted early, and git refuses to work at all', (tree, { root, git }) => {
      rmSync(tree.root, { recursive: true })
      writeFileSync(join(root, '.git/worktrees/w1/commondir'), '')
      expect(() => git('for-each-ref', '--format=%(worktreepath)')).toThrow()
    }],
    ['it became a link to somewhere else', ({ root }, repository) => {
      rmSync(root, { recursive: true })
      mkdirSync(join(repository.root, '../elsewhere'))
      writeFileSync(join(repository.root, '../elsewhere/precious.txt'), 'precious')
      symlinkSync(join(repository.root, '../elsewhere'), root)
    }],
    ['the folder around it became a link', ({ root }, repository) => {
      rmSync(dirname(root), { recursive: true })
      mkdirSync(join(repository.root, '../elsewhere/w1'), { recursive: true })
      writeFileSync(join(repository.root, '../elsewhere/precious.txt'), 'precious')
      writeFileSync(join(repository.root, '../elsewhere/w1/precious.txt'), 'precious')
      symlinkSync(join(repository.root, '../elsewhere'), dirname(root))
    }],
    ['both indexes are damaged', (_, { root }) => {
      writeFileSync(join(root, '.git/worktrees/w1/index'), 'rubbish')
      writeFileSync(join(root, '.looper/worktrees/001-demo/.state/w1.index'), 'rubbish')
    }],
    ['the agent hid a change from git', ({ root, git }) => {
      git('update-index', '--skip-worktree', 'a.txt')
      writeFileSync(join(root, 'a.txt'), 'hidden')
    }],
    ['the agent is on a branch of its own, in the middle of a merge', ({ root, git }) => {
      git('checkout', '--quiet', '-b', 'own')
      writeFileSync(join(root, 'a.txt'), 'mine\n')
      git('commit', '--quiet', '-am', 'mine')
      git('checkout', '--quiet', '-b', 'other', 'HEAD~')
      writeFileSync(join(root, 'a.txt'), 'other\n')
      git('commit', '--quiet', '-am', 'other')
      expect(() => git('merge', 'own')).toThrow()
    }],
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

  test('what git left half done is cleared away without making the work tree anew', async () => {
    const repository = makeRepository({ '.gitignore': 'kept\n', 'a.txt': 'a\n' })
    const { worktrees, at } = await ready(repository, 'T001')
    const { root, git } = at('T001')
    at('T001').write('kept', 'kept')
    at('T001').write('a.txt', 'mine\n')
    at('T001').commit('mine')
    expect(() => git('rebase', '--exec', 'false', 'HEAD~')).toThrow()
    writeFileSync(git('rev-parse', '--git-path', 'HEAD.lock'), '')
    writeFileSync(git('rev-parse', '--git-path', 'index.lock'), '')
    await prepare(worktrees, 'T001', 2)
    expect(git('status')).not.toMatch(/rebas/)
    expect(git('status', '--porcelain')).toBe('')
    expect(readFileSync(join(root, 'kept'), 'utf8')).toBe('kept')
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
    await Promise.all(tasks.map(async (task, n) => {
      openRepository(worktrees.path(task)).write(`${task}.txt`, task)
      const { base } = prepared[n]!
      expect(await merge(worktrees, task, base, null, '0', true)).toMatchObject({ status: 'landed' })
    }))
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
      expect(path.startsWith(join(repository.root, '.looper/worktrees/001-demo/'))).toBe(true)
      expect(path.slice(join(repository.root, '.looper/worktrees/001-demo/').length)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/)
    }
  })
})

describe('clean', () => {
  test('removes this run\'s work trees and nobody else\'s', async () => {
    const repository = makeRepository()
    const { worktrees } = await ready(repository, 'T001', 'T002')
    const other = await makeWorktrees(repository, { run: '002-other', branch: 'looper/002-other' })
    await prepare(other, 'T001')
    repository.git('worktree', 'add', '--quiet', '--detach', '../mine')
    rmSync(join(repository.root, '../mine'), { recursive: true })
    await worktrees.clean()
    await worktrees.clean()
    const listed = repository.git('worktree', 'list', '--porcelain')
    expect(listed.match(/^worktree .*/gm)?.toSorted()).toEqual([
      `worktree ${join(repository.root, '../mine')}`, `worktree ${repository.root}`, `worktree ${other.path('T001')}`,
    ])
    expect(existsSync(join(repository.root, '.looper/worktrees/001-demo'))).toBe(false)
    expect(repository.git('status', '--porcelain')).toBe('')
    await other.clean()
    expect(existsSync(join(repository.root, '.looper/worktrees'))).toBe(false)
  })
})
