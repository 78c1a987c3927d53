import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  dropPrivileges,
  fingerprint,
  makeRepository,
  openRepository,
  type Repository,
} from '../../test/kit/repository.ts'
import { inspect, merge, prepare, ready } from '../../test/kit/steps.ts'

describe('inspect', () => {
  test('counts changed files, lines, and the tree of what is there', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('a.txt', 'one\n2\nthree\nfour\n')
    at('T001').write('new.txt', 'n\n')
    unlinkSync(join(at('T001').root, 'src/b.txt'))
    const found = await inspect(worktrees, 'T001', base)
    expect(found).toMatchObject({
      files: ['a.txt', 'new.txt', 'src/b.txt'],
      fileCount: 3,
      insertions: 3,
      deletions: 2,
      restored: false,
    })
    expect(repository.git('ls-tree', '-r', '--name-only', found.tree)).toBe('a.txt\nnew.txt')
    expect(await inspect(worktrees, 'T001', base)).toEqual(found)
  })

  test('nothing changed is nothing changed, also after a touch', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('a.txt', 'one\ntwo\nthree\n')
    const tree = repository.git('rev-parse', 'HEAD^{tree}')
    expect(await inspect(worktrees, 'T001', base)).toMatchObject({ fileCount: 0, files: [], tree })
  })

  test('names at most 200 files and counts them all', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    for (let n = 0; n < 230; n++) at('T001').write(`many/${n}.txt`, `${n}\n`)
    const found = await inspect(worktrees, 'T001', base)
    expect([found.files.length, found.fileCount, found.insertions]).toEqual([200, 230, 230])
  })

  test('names, modes, links and bytes survive as they are', async () => {
    const repository = makeRepository({ 'run.sh': 'echo\n', 'old name.txt': 'some longer content\n' })
    const { worktrees, base, at } = await ready(repository, 'T001')
    const tree = at('T001')
    const names = [
      'a b.txt',
      'ünï©ode.txt',
      'new\nline.txt',
      'qu"ote\'s.txt',
      'tab\there.txt',
      '-dash',
      ':(top)magic',
      '*',
      'a\\b',
    ]
    for (const name of names) tree.write(name, `${name}\n`)
    tree.write('binary', Buffer.from([0, 255, 0, 13, 10]))
    chmodSync(join(tree.root, 'run.sh'), 0o755)
    symlinkSync('../outside', join(tree.root, 'link'))
    tree.git('mv', 'old name.txt', 'moved.txt')
    const found = await inspect(worktrees, 'T001', base)
    expect(found.files.toSorted()).toEqual(
      [...names, 'binary', 'run.sh', 'link', 'old name.txt', 'moved.txt'].toSorted(),
    )
    const landed = await merge(worktrees, 'T001', base, found.tree)
    expect(landed).toMatchObject({ status: 'landed' })
    await prepare(worktrees, 'T002')
    const copy = at('T002')
    for (const name of names) expect(copy.read(name)).toBe(`${name}\n`)
    expect(readFileSync(join(copy.root, 'binary'))).toEqual(Buffer.from([0, 255, 0, 13, 10]))
    expect(statSync(join(copy.root, 'run.sh')).mode & 0o111).toBe(0o111)
    expect(readlinkSync(join(copy.root, 'link'))).toBe('../outside')
    expect(existsSync(join(copy.root, 'old name.txt'))).toBe(false)
  })

  const habits: [what: string, act: (tree: Repository) => void][] = [
    [
      'commits by itself',
      ({ commit }) => {
        commit('mine')
      },
    ],
    [
      'commits on a branch of its own',
      ({ git, commit }) => {
        git('checkout', '--quiet', '-b', 'feature')
        commit('mine')
      },
    ],
    [
      'stages only',
      ({ git }) => {
        git('add', '.')
      },
    ],
    [
      'stages, then unstages',
      ({ git }) => {
        git('add', '.')
        git('rm', '--quiet', '--cached', 'made.txt')
      },
    ],
    [
      'hides the change from git',
      ({ git }) => {
        git('update-index', '--assume-unchanged', 'a.txt')
      },
    ],
    [
      'leaves a lock',
      ({ root }) => {
        writeFileSync(join(root, '.git/index.lock'), '')
      },
    ],
    [
      'deletes its .git',
      ({ root }) => {
        rmSync(join(root, '.git'), { recursive: true })
      },
    ],
    [
      'makes it a repository of its own',
      ({ root, git, commit }) => {
        rmSync(join(root, '.git'), { recursive: true })
        git('init', '--quiet')
        commit('x')
      },
    ],
    [
      'damages the index',
      ({ root }) => {
        writeFileSync(join(root, '.git/index'), 'rubbish')
      },
    ],
    [
      'deletes its HEAD',
      ({ root }) => {
        rmSync(join(root, '.git/HEAD'))
      },
    ],
    [
      'is in the middle of a rebase',
      ({ git }) => {
        git('add', '.')
        git('commit', '--quiet', '-m', 'mine')
        expect(() => git('rebase', '--exec', 'false', 'HEAD~')).toThrow()
      },
    ],
  ]

  test.each(habits)('finds the content whatever git says: an agent that %s', async (_what, act) => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    const before = fingerprint(repository)
    at('T001').write('a.txt', 'changed\n')
    at('T001').write('made.txt', 'made\n')
    act(at('T001'))
    const found = await inspect(worktrees, 'T001', base)
    expect(found).toMatchObject({ files: ['a.txt', 'made.txt'], fileCount: 2 })
    expect(at('T001').git('rev-parse', '--show-toplevel')).toBe(at('T001').root)
    const landed = await merge(worktrees, 'T001', base, found.tree)
    expect(landed).toMatchObject({ status: 'landed' })
    expect(repository.git('log', '--format=%s', 'main..looper/001-demo')).toBe('Do T001')
    expect(JSON.parse(fingerprint(repository)).files).toEqual(JSON.parse(before).files)
  })

  test('ignored files count when the agent added them by force, and only then', async () => {
    const repository = makeRepository({ '.gitignore': 'lib/\n.env\n', 'a.txt': 'a\n' })
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('lib/ignored.txt', 'i\n')
    at('T001').write('lib/meant.txt', 'm\n')
    at('T001').write('to-do.json', '{}')
    at('T001').git('add', '--force', 'lib/meant.txt', 'to-do.json')
    expect((await inspect(worktrees, 'T001', base)).files).toEqual(['lib/meant.txt'])
  })

  test('repositories inside the tree count with their content, never as links', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    const nested = (path: string): Repository => {
      mkdirSync(join(at('T001').root, path), { recursive: true })
      const inner = openRepository(join(at('T001').root, path))
      inner.git('init', '--quiet')
      inner.write('file.txt', `${path}\n`)
      return inner
    }
    nested('without commit')
    nested('with').commit('inner')
    nested('with/deep').commit('deeper')
    mkdirSync(join(at('T001').root, 'empty'))
    openRepository(join(at('T001').root, 'empty')).git('init', '--quiet')
    const first = await inspect(worktrees, 'T001', base)
    expect(first.files).toEqual(['with/deep/file.txt', 'with/file.txt', 'without commit/file.txt'])
    at('T001').write('with/later.txt', 'later\n')
    const second = await inspect(worktrees, 'T001', base)
    expect(second.files).toContain('with/later.txt')
    expect(repository.git('ls-tree', '-r', second.tree)).not.toContain('160000')
    expect(await worktrees.restore('T001', first.tree)).toEqual(['with/later.txt'])
    expect(await inspect(worktrees, 'T001', base)).toEqual(first)
  })

  test('puts a tree back on request and says what had changed', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('work.txt', 'coder\n')
    const { tree } = await inspect(worktrees, 'T001', base)
    expect(await inspect(worktrees, 'T001', base, tree)).toMatchObject({ tree, restored: false, files: ['work.txt'] })
    at('T001').write('a.txt', 'tampered\n')
    unlinkSync(join(at('T001').root, 'work.txt'))
    at('T001').write('dir/extra.txt', 'x')
    const edited = ['a.txt', 'dir/extra.txt', 'work.txt']
    expect(await inspect(worktrees, 'T001', base, tree)).toMatchObject({ tree, restored: true, files: edited })
    expect(await inspect(worktrees, 'T001', base)).toMatchObject({ tree, files: ['work.txt'] })
    expect(existsSync(join(at('T001').root, 'dir'))).toBe(false)
  })

  test('a work tree that is gone is made again, with nothing changed in it', async () => {
    const repository = makeRepository()
    const { worktrees, base, at } = await ready(repository, 'T001')
    rmSync(at('T001').root, { recursive: true })
    expect(await inspect(worktrees, 'T001', base)).toMatchObject({ fileCount: 0 })
    expect(at('T001').read('a.txt')).toBe('one\ntwo\nthree\n')
  })

  test('the backlog is never part of a change, tracked or not', async () => {
    const repository = makeRepository({ 'to-do.json': '[1]\n', 'a.txt': 'a\n' })
    const { worktrees, base, at } = await ready(repository, 'T001')
    at('T001').write('to-do.json', '[2]\n')
    expect(await inspect(worktrees, 'T001', base)).toMatchObject({ fileCount: 0 })
    at('T001').write('sub/to-do.json', 'another file\n')
    at('T001').git('commit', '--quiet', '-am', 'mine')
    const found = await inspect(worktrees, 'T001', base)
    expect(found.files).toEqual(['sub/to-do.json'])
    expect(repository.git('show', `${found.tree}:to-do.json`)).toBe('[1]')
    expect(at('T001').read('to-do.json')).toBe('[2]\n')
  })
})

test('files and folders without rights are no obstacle', async () => {
  dropPrivileges()
  const repository = makeRepository()
  const { worktrees, base, at } = await ready(repository, 'T001')
  at('T001').write('closed/file.txt', 'x\n')
  at('T001').write('unreadable.txt', 'y\n')
  chmodSync(join(at('T001').root, 'unreadable.txt'), 0)
  chmodSync(join(at('T001').root, 'closed'), 0o500)
  const found = await inspect(worktrees, 'T001', base)
  expect(found.files).toEqual(['closed/file.txt', 'unreadable.txt'])
  chmodSync(join(at('T001').root, 'closed'), 0o500)
  expect((await prepare(worktrees, 'T001', 2)).base).toBe(base)
  expect(await inspect(worktrees, 'T001', base)).toMatchObject({ fileCount: 0 })
  at('T001').write('closed/file.txt', 'x\n')
  chmodSync(join(at('T001').root, 'closed'), 0o500)
  await worktrees.clean()
  expect(existsSync(at('T001').root)).toBe(false)
})
