import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
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
import { changeSecretly, checkOf, expectFresh, makeVerification, visit } from '../../../test/kit/verification.ts'

const files = {
  '.gitignore': 'node_modules/\nlib/\n.env\n',
  'package-lock.json': '{"v":1}\n',
  'a.txt': 'one\ntwo\n',
  'src/deep/b.txt': 'b\n',
}

const head = (repository: Repository): string => repository.git('rev-parse', 'HEAD')

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
