import {
  appendFileSync,
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, openRepository, type Repository } from '../../../test/kit/repository.ts'
import { checkOf, expectFresh, makeVerification, visit } from '../../../test/kit/verification.ts'

const files = {
  '.gitignore': 'node_modules/\nlib/\n.env\n',
  'package-lock.json': '{"v":1}\n',
  'a.txt': 'one\ntwo\n',
  'src/deep/b.txt': 'b\n',
}

const head = (repository: Repository): string => repository.git('rev-parse', 'HEAD')

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
