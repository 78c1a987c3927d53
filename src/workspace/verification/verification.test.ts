import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  dropPrivileges,
  makeRepository,
  openRepository,
  temporaryFolder,
  useGitConfig,
  type Repository,
} from '../../../test/kit/repository.ts'
import {
  changeSecretly,
  checkOf,
  freshClone,
  listing,
  makeVerification,
  type Verifying,
} from '../../../test/kit/verification.ts'

const files = {
  '.gitignore': 'node_modules/\nlib/\n.env\n',
  'package-lock.json': '{"v":1}\n',
  'a.txt': 'one\ntwo\n',
  'src/deep/b.txt': 'b\n',
}

const head = (repository: Repository): string => repository.git('rev-parse', 'HEAD')

/** Takes a workspace, runs `use` in it, and returns it to the pool. */
async function visit(verifying: Verifying, commit: string, use: (at: Repository) => void = () => {}) {
  const found = await verifying.verification(checkOf(commit))
  const at = openRepository(found.path)
  use(at)
  verifying.verified('T001/a1/check0/test')
  return { ...found, at }
}

function expectFresh(repository: Repository, path: string, commit: string, tree: string | null = null): void {
  expect(listing(path)).toEqual(listing(freshClone(repository, commit, tree).root))
}

describe('a verification workspace', () => {
  test('holds what a fresh clone holds, with a git directory of its own', async () => {
    const repository = makeRepository(files)
    repository.write('lib/mul.mjs', 'ignored\n')
    repository.write('new.txt', 'untracked\n')
    const verifying = makeVerification(repository)
    const { path, tree } = await verifying.verification(checkOf(head(repository)))
    expectFresh(repository, path, head(repository))
    expect(tree).toBe(repository.git('rev-parse', 'HEAD^{tree}'))
    const clone = openRepository(path)
    expect(clone.git('status', '--porcelain', '--ignored')).toBe('')
    expect(clone.git('rev-parse', 'HEAD')).toBe(head(repository))
    expect(path.startsWith(realpathSync(verifying.folder))).toBe(true)
  })

  test('holds another tree with HEAD at the commit', async () => {
    const repository = makeRepository(files)
    const commit = head(repository)
    repository.write('a.txt', 'changed\n')
    repository.write('src/c.txt', 'c\n')
    repository.git('add', '--all')
    const tree = repository.git('write-tree')
    const verifying = makeVerification(repository)
    const { path } = await verifying.verification(checkOf(commit, tree))
    expectFresh(repository, path, commit, tree)
    expect(openRepository(path).git('status', '--porcelain')).toBe('M  a.txt\nA  src/c.txt')
    expect(openRepository(path).git('rev-parse', 'HEAD')).toBe(commit)
  })

  test('moves from tree to tree with exactly their files, modes, links and folders', async () => {
    const repository = makeRepository(files)
    const first = head(repository)
    repository.git('mv', 'src/deep/b.txt', 'src/deep.txt')
    repository.write('run.sh', '#!/bin/sh\n')
    chmodSync(join(repository.root, 'run.sh'), 0o755)
    symlinkSync('a.txt', join(repository.root, 'link'))
    const second = repository.commit('Second')
    unlinkSync(join(repository.root, 'link'))
    repository.write('link/now/a/folder', 'x\n')
    chmodSync(join(repository.root, 'run.sh'), 0o644)
    const third = repository.commit('Third')
    const verifying = makeVerification(repository)
    for (const commit of [first, second, third, second, first, third, first]) {
      const { path, at } = await visit(verifying, commit)
      expectFresh(repository, path, commit)
      expect(at.git('status', '--porcelain')).toBe('')
    }
    expect(readdirSync(verifying.folder).filter((name) => !name.endsWith('.index'))).toEqual(['v1'])
  })

  test('follows attributes: eol, ident, encoding and filters, also when only they change', async () => {
    const repository = makeRepository({ ...files, 'id.txt': '$Id$\n', 'wide.txt': 'wide\n', 'up.txt': 'up\n' })
    const plainly = head(repository)
    const config = '[filter "up"]\n\tsmudge = tr a-z A-Z\n\tclean = tr A-Z a-z\n\trequired = true\n'
    appendFileSync(process.env['GIT_CONFIG_GLOBAL'] ?? '', config)
    const rules = ['a.txt eol=crlf', 'id.txt ident', 'wide.txt working-tree-encoding=UTF-16LE', 'up.txt filter=up']
    repository.write('.gitattributes', `${rules.join('\n')}\n`)
    repository.git('add', '.gitattributes')
    repository.git('commit', '--quiet', '-m', 'Attributes')
    const attributed = head(repository)
    repository.write('src/deep/.gitattributes', 'b.txt eol=crlf\n')
    repository.git('add', 'src')
    repository.git('commit', '--quiet', '-m', 'More attributes')
    const deeper = head(repository)
    const verifying = makeVerification(repository)
    for (const commit of [plainly, attributed, deeper, plainly]) {
      const { path, at } = await visit(verifying, commit)
      expectFresh(repository, path, commit)
      if (commit === attributed) expect([at.read('a.txt'), at.read('up.txt')]).toEqual(['one\r\ntwo\r\n', 'UP\n'])
    }
  })

  test('obeys the attributes of the tree, not those that a check leaves', async () => {
    const repository = makeRepository(files)
    const first = head(repository)
    repository.write('src/c.txt', 'c\n')
    const second = repository.commit('Second')
    const verifying = makeVerification(repository)
    await visit(verifying, first, (at) => {
      at.write('src/.gitattributes', '* eol=crlf\n')
      at.write('.git/info/attributes', '* eol=crlf\n')
    })
    const { path } = await visit(verifying, second)
    expectFresh(repository, path, second)
  })

  test('does not obey the settings of the checkout that leave files out or write them otherwise', async () => {
    const repository = makeRepository(files)
    symlinkSync('a.txt', join(repository.root, 'link'))
    const commit = repository.commit('A link')
    const verifying = makeVerification(repository)
    const gitDir = openRepository(join(dirname(verifying.folder), 'git'))
    gitDir.write('info/sparse-checkout', '/a.txt\n')
    for (const setting of ['core.sparseCheckout=true', 'core.symlinks=false', 'core.fileMode=false']) {
      gitDir.git('config', ...setting.split('='))
    }
    expectFresh(repository, (await visit(verifying, commit)).path, commit)
  })

  test('has submodules from the checkout, at the commits of the tree', async () => {
    const inner = makeRepository({ 'in.txt': 'in\n' })
    const repository = makeRepository(files)
    repository.git('submodule', '--quiet', 'add', inner.root, 'sub')
    const first = repository.commit('Submodule')
    const sub = openRepository(join(repository.root, 'sub'))
    sub.write('in.txt', 'newer\n')
    sub.commit('Newer')
    const second = repository.commit('Newer submodule')
    repository.git('rm', '--quiet', 'sub')
    const third = repository.commit('No submodule')
    const verifying = makeVerification(repository)
    const content = new Map([
      [first, 'in\n'],
      [second, 'newer\n'],
      [third, null],
    ])
    for (const commit of [first, second, second, third, first]) {
      const { at } = await visit(verifying, commit)
      expect(existsSync(join(at.root, 'sub')) ? at.read('sub/in.txt') : null).toBe(content.get(commit))
      expect(at.git('status', '--porcelain')).toBe('')
      if (commit !== third) at.write('sub/in.txt', 'edited\n')
    }
  })

  test('has the empty folder of a submodule that the checkout does not have', async () => {
    const repository = makeRepository(files)
    const first = head(repository)
    repository.git('update-index', '--add', '--cacheinfo', `160000,${first},mods/sub`)
    repository.git('commit', '--quiet', '-m', 'Link')
    const second = head(repository)
    const verifying = makeVerification(repository)
    for (const commit of [first, second, first, second]) {
      expectFresh(repository, (await visit(verifying, commit)).path, commit)
    }
  })
})

describe('after a check', () => {
  const meddling: [name: string, use: (at: Repository) => void][] = [
    [
      'new, ignored and nested files',
      (at) => {
        for (const path of ['new.txt', 'lib/mul.mjs', 'src/.cache/x', 'a/b/c/d']) at.write(path, 'x')
        mkdirSync(join(at.root, 'empty/er'), { recursive: true })
        writeFileSync(Buffer.concat([Buffer.from(`${at.root}/`), Buffer.from([0x66, 0xff, 0x0a])]), 'no UTF-8')
      },
    ],
    ['changed content', (at) => at.write('a.txt', 'other\n')],
    [
      'changed content with the old size and time',
      (at) => {
        changeSecretly(join(at.root, 'a.txt'), 'ONE\ntwo\n')
      },
    ],
    [
      'deleted files and folders',
      (at) => {
        unlinkSync(join(at.root, 'a.txt'))
        rmSync(join(at.root, 'src'), { recursive: true, force: true })
      },
    ],
    ['a folder removed from a folder', (at) => rmSync(join(at.root, 'src/deep'), { recursive: true, force: true })],
    [
      'changed modes',
      (at) => {
        chmodSync(join(at.root, 'a.txt'), 0o700)
        chmodSync(at.root, 0o711)
        mkdirSync(join(at.root, 'locked/in'), { recursive: true })
        chmodSync(join(at.root, 'locked'), 0)
        for (const folder of ['src', 'src/deep'].map((name) => join(at.root, name))) {
          if (existsSync(folder)) chmodSync(folder, 0o2700)
        }
      },
    ],
    [
      'a file in the place of a folder, and the reverse',
      (at) => {
        rmSync(join(at.root, 'src'), { recursive: true, force: true })
        writeFileSync(join(at.root, 'src'), 'x')
        unlinkSync(join(at.root, 'a.txt'))
        at.write('a.txt/x', 'x')
      },
    ],
    [
      'links to elsewhere',
      (at) => {
        rmSync(join(at.root, 'src'), { recursive: true, force: true })
        symlinkSync(dirname(at.root), join(at.root, 'src'))
        unlinkSync(join(at.root, 'a.txt'))
        symlinkSync('/nowhere', join(at.root, 'a.txt'))
        linkSync(join(at.root, 'package-lock.json'), join(at.root, 'second-name'))
      },
    ],
    [
      'git at work',
      (at) => {
        at.write('a.txt', 'stashed\n')
        at.git('stash')
        at.write('b.txt', 'committed\n')
        at.commit('By the check')
        at.git('config', 'core.fileMode', 'false')
        at.git('update-index', '--assume-unchanged', 'package-lock.json')
        at.write('package-lock.json', '{}\n')
        at.git('init', '--quiet', 'inner')
      },
    ],
    [
      'git settings that run programs',
      (at) => {
        at.git('config', 'filter.bad.smudge', 'echo bad')
        at.git('config', 'core.fsmonitor', 'echo bad; false')
        at.write('.git/info/attributes', '* filter=bad\n')
        unlinkSync(join(at.root, 'a.txt'))
      },
    ],
    ['a `.git` that is gone', (at) => rmSync(join(at.root, '.git'), { recursive: true })],
    [
      'a `.git` that is a file',
      (at) => {
        rmSync(join(at.root, '.git'), { recursive: true })
        writeFileSync(join(at.root, '.git'), 'gitdir: /nowhere\n')
      },
    ],
    ['a `.git` that was moved away', (at) => renameSync(join(at.root, '.git'), join(at.root, '.GIT2'))],
    [
      'files beside the workspace',
      (at) => {
        openRepository(dirname(at.root)).write('node_modules/dep/index.js', 'poison\n')
        openRepository(dirname(dirname(at.root))).write('node_modules/dep/index.js', 'poison\n')
      },
    ],
    ['a pipe', (at) => execFileSync('mkfifo', [join(at.root, 'pipe')])],
  ]

  test.each(meddling)('%s leave no trace, on the same tree and on another', async (_name, use) => {
    const repository = makeRepository(files)
    const first = head(repository)
    repository.git('rm', '--quiet', 'src/deep/b.txt')
    repository.write('other.txt', 'other\n')
    const second = repository.commit('Second')
    const verifying = makeVerification(repository)
    for (const commit of [first, first, second, first]) {
      const { path, at } = await visit(verifying, commit)
      expectFresh(repository, path, commit)
      expect([at.git('status', '--porcelain', '--ignored'), at.git('stash', 'list')]).toEqual(['', ''])
      expect(at.git('rev-parse', 'HEAD')).toBe(commit)
      expect(readdirSync(dirname(path)).length).toBe(1)
      expect(existsSync(join(verifying.folder, 'node_modules'))).toBe(false)
      expect(path).toContain('/v1/')
      use(await verifying.verification(checkOf(commit)).then((found) => openRepository(found.path)))
      verifying.verified('T001/a1/check0/test')
    }
  })

  test('nothing outside is touched by way of a link in the place of `.git`', async () => {
    const repository = makeRepository(files)
    const outside = openRepository(temporaryFolder())
    outside.write('modules/precious', 'x\n')
    const verifying = makeVerification(repository)
    await visit(verifying, head(repository), (at) => {
      rmSync(join(at.root, '.git'), { recursive: true })
      symlinkSync(outside.root, join(at.root, '.git'))
    })
    const { at } = await visit(verifying, head(repository))
    expect([outside.read('modules/precious'), at.git('status', '--porcelain')]).toEqual(['x\n', ''])
  })

  test('an untouched workspace is handed out again without starting any program', async () => {
    const repository = makeRepository(files)
    const verifying = makeVerification(repository)
    await visit(verifying, head(repository))
    const [path, commit] = [process.env['PATH'], head(repository)]
    try {
      process.env['PATH'] = temporaryFolder()
      const { path: again } = await verifying.verification(checkOf(commit))
      expect(again).toContain('/v1/')
    } finally {
      process.env['PATH'] = path
    }
  })
})

describe('a workspace that cannot be restored is replaced', () => {
  const breaking: [name: string, use: (at: Repository) => void][] = [
    [
      'folders too deep to be named',
      (at) => {
        execFileSync('sh', ['-c', 'for i in $(seq 600); do mkdir ddddddddd; cd -P ddddddddd; done'], { cwd: at.root })
        onTestFinished(() => {
          execFileSync('rm', ['-rf', dirname(dirname(at.root))])
        })
      },
    ],
    ['the whole workspace removed', (at) => rmSync(at.root, { recursive: true })],
    ['its folder removed', (at) => rmSync(dirname(at.root), { recursive: true })],
    [
      'a link in its place',
      (at) => {
        rmSync(at.root, { recursive: true })
        symlinkSync(dirname(dirname(at.root)), at.root)
      },
    ],
    [
      'a link in the place of its folder',
      (at) => {
        const elsewhere = join(temporaryFolder(), 'moved')
        renameSync(dirname(at.root), elsewhere)
        symlinkSync(elsewhere, dirname(at.root))
      },
    ],
    ['the pool removed', (at) => rmSync(dirname(dirname(at.root)), { recursive: true })],
  ]
  test.each(breaking)('%s', async (_name, use) => {
    const repository = makeRepository(files)
    const verifying = makeVerification(repository)
    await visit(verifying, head(repository))
    use(await verifying.verification(checkOf(head(repository))).then((found) => openRepository(found.path)))
    verifying.verified('T001/a1/check0/test')
    const { path } = await visit(verifying, head(repository))
    expectFresh(repository, path, head(repository))
  })

  test('without rights for its own folders', async () => {
    const repository = makeRepository(files)
    const folder = join(temporaryFolder(), 'pool')
    chmodSync(dirname(folder), 0o777)
    execFileSync('chmod', ['-R', 'a+rX', dirname(repository.root)])
    useGitConfig('[safe]\n\tdirectory = *\n')
    execFileSync('chmod', ['-R', 'a+rX', dirname(process.env['GIT_CONFIG_GLOBAL'] ?? '')])
    const commit = head(repository)
    const verifying = makeVerification(repository, { folder, gitDir: join(repository.root, '.git') })
    dropPrivileges()
    await visit(verifying, commit, (at) => {
      at.write('made/by/check', 'x')
      chmodSync(join(at.root, 'made/by'), 0)
      chmodSync(join(at.root, 'src/deep'), 0)
      chmodSync(at.root, 0)
    })
    const { path } = await visit(verifying, commit)
    expect(existsSync(join(path, 'made'))).toBe(false)
    expect(readFileSync(join(path, 'src/deep/b.txt'), 'utf8')).toBe('b\n')
    await verifying.clean()
  })
})

test('a file that was written between the checkout and the listing of the workspace is found', async () => {
  const files = { '.gitattributes': 'b.txt filter=meddle\n', 'a.txt': 'a\n', 'b.txt': 'b\n' }
  const repository = makeRepository(files)
  const commit = repository.git('rev-parse', 'HEAD')
  // Simulates another process: git runs the filter after it wrote the first file.
  const gitEnv = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'filter.meddle.smudge',
    GIT_CONFIG_VALUE_0: 'echo x > a.txt; cat',
  }
  const verifying = makeVerification(repository, { gitEnv })
  const { path } = await verifying.verification(checkOf(commit, null, 'one'))
  expect(readFileSync(join(path, 'a.txt'), 'utf8')).toBe('x\n')
  expect(await verifying.altered('one')).toEqual({ files: ['a.txt'], control: [] })
})
