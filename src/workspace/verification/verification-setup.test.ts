import { chmodSync, existsSync, linkSync, readFileSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeRepository, openRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import {
  changeSecretly,
  checkOf,
  listing,
  makeVerification,
  visit as visitWorkspace,
  type Verifying,
} from '../../../test/kit/verification.ts'
import type { VerificationOptions } from './verification.ts'

const files = { '.gitignore': 'node_modules/\n.env\n', 'package-lock.json': '{"v":1}\n', 'a.txt': 'a\n' }
const install = 'mkdir -p node_modules/dep; cp package-lock.json node_modules/dep/; echo x > node_modules/dep/index.js'

/**
 * A repository whose set-up counts its runs. Set-up is a package manager, unless `asTheyAre` uses the lines themselves.
 */
function countingSetup(options: Partial<VerificationOptions> = {}, lines = [install], asTheyAre = false) {
  const repository = makeRepository(files)
  const folder = temporaryFolder()
  const log = join(folder, 'runs')
  writeFileSync(log, '')
  const counted = [...lines, `echo run >> '${log}'`]
  writeFileSync(join(folder, 'npm'), `#!/bin/sh\n${counted.map((line) => `{ ${line}\n} || exit`).join('\n')}\n`, {
    mode: 0o755,
  })
  const env = options.env ?? { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
  const verifying = makeVerification(repository, { ...options, env, setup: asTheyAre ? counted : ['npm ci'] })
  const runs = (): number => readFileSync(log, 'utf8').split('\n').length - 1
  return { repository, verifying, runs, first: repository.git('rev-parse', 'HEAD') }
}

const visit = async (verifying: Verifying, commit: string, use?: (at: Repository) => void): Promise<Repository> =>
  (await visitWorkspace(verifying, commit, use)).at

describe('set-up', () => {
  test('runs once for the same lock file, whatever the trees and the checks', async () => {
    const { repository, verifying, first, runs } = countingSetup()
    repository.write('b.txt', 'b\n')
    const second = repository.commit('Second')
    for (const commit of [first, second, first]) {
      const at = await visit(verifying, commit, ({ write }) => {
        write('node_modules/.cache/x', 'x')
        write('node_modules/dep/new.js', 'new')
        write('a.txt', 'changed\n')
      })
      await visit(verifying, commit)
      const installed = Object.keys(listing(join(at.root, 'node_modules')))
      expect(installed).toEqual(['dep', 'dep/index.js', 'dep/package-lock.json'])
      expect([at.read('a.txt'), existsSync(join(at.root, 'b.txt'))]).toEqual(['a\n', commit === second])
      expect(at.git('status', '--porcelain')).toBe('')
    }
    expect(runs()).toBe(1)
  })

  test.each([
    ['a command that is no package manager', ['cat src.txt > built.txt'], true, {}],
    ['a manifest with a script that is run', ['cat src.txt > built.txt'], false, { scripts: { prepare: 'build' } }],
    ['such a manifest further down', ['cat src.txt > built.txt'], false, {}],
  ])('%s: what it makes is good for its tree alone', async (what, lines, asTheyAre, manifest) => {
    const { repository, verifying } = countingSetup({}, lines, asTheyAre)
    repository.write('package.json', JSON.stringify(manifest))
    if (what.endsWith('down')) repository.write('packages/a/package.json', '{"scripts":{"postinstall":"build"}}')
    for (const content of ['one\n', 'two\n', 'one\n']) {
      repository.write('src.txt', content)
      const commit = repository.commit(content)
      const at = openRepository((await verifying.verification(checkOf(commit))).path)
      expect(at.read('built.txt')).toBe(content)
      verifying.verified('T001/a1/check0/test')
    }
  })

  test('a script that only writes hooks is no reason to run it again', async () => {
    const { repository, verifying, runs } = countingSetup()
    repository.write('package.json', '{"scripts":{"prepare":"husky"}}')
    for (const content of ['one\n', 'two\n']) {
      repository.write('a.txt', content)
      await visit(verifying, repository.commit(content))
    }
    expect(runs()).toBe(1)
  })

  test('runs again in a new workspace when a lock file changes, and the other one is kept', async () => {
    const { repository, verifying, first, runs } = countingSetup({ most: 2 })
    repository.write('package-lock.json', '{"v":2}\n')
    const second = repository.commit('Second')
    repository.write('c.txt', 'c\n')
    const third = repository.commit('Third')
    for (const [commit, version] of [
      [first, 1],
      [second, 2],
      [first, 1],
      [third, 2],
      [first, 1],
    ] as const) {
      const at = await visit(verifying, commit)
      expect(at.read('node_modules/dep/package-lock.json')).toBe(`{"v":${version}}\n`)
    }
    expect(runs()).toBe(2)
  })

  const spoiling: [name: string, use: (file: string) => void][] = [
    ['changed', (file) => writeFileSync(file, 'poison\n')],
    [
      'changed, with the old size and time',
      (file) => {
        changeSecretly(file, 'y\n')
      },
    ],
    ['deleted', (file) => unlinkSync(file)],
    ['deleted with its folder', (file) => rmSync(dirname(file), { recursive: true })],
    [
      'replaced by a link',
      (file) => {
        unlinkSync(file)
        symlinkSync('package-lock.json', file)
      },
    ],
    ['given another mode', (file) => chmodSync(file, 0o755)],
  ]
  test.each(spoiling)('runs again from scratch when one of its files was %s', async (_name, spoil) => {
    const { verifying, first, runs } = countingSetup()
    const before = listing((await visit(verifying, first)).root)
    await visit(verifying, first, (at) => spoil(join(at.root, 'node_modules/dep/index.js')))
    expect(listing((await visit(verifying, first)).root)).toEqual(before)
    expect(runs()).toBe(2)
  })

  test('files that share their content with a store may get more names, but not another content', async () => {
    const store = join(temporaryFolder(), 'store')
    writeFileSync(store, 'from the store\n')
    const { verifying, first, runs } = countingSetup({}, [`mkdir node_modules && ln '${store}' node_modules/dep.js`])
    await visit(verifying, first, () => linkSync(store, `${store}-2`))
    const at = await visit(verifying, first)
    expect(runs()).toBe(1)
    changeSecretly(join(at.root, 'node_modules/dep.js'), 'FROM THE STORE\n')
    await visit(verifying, first)
    expect(runs()).toBe(2)
  })

  test('files of the tree that it changes are put back, other files stay', async () => {
    const changes = 'echo changed > a.txt; rm package-lock.json'
    const setup = `${changes}; mkdir -p gen; echo g > gen/one; git config core.hooksPath hooks`
    const { repository, verifying, first, runs } = countingSetup({}, [setup])
    repository.git('rm', '--quiet', 'package-lock.json')
    const second = repository.commit('Second')
    for (const commit of [first, first, second]) {
      const at = await visit(verifying, commit)
      expect([at.read('a.txt'), at.read('gen/one')]).toEqual(['a\n', 'g\n'])
      expect([at.git('status', '--porcelain'), at.git('config', 'core.hooksPath')]).toEqual(['?? gen/', 'hooks'])
    }
    expect(runs()).toBe(2)
  })

  test('a lock file of its own making is no reason to run it again', async () => {
    const { verifying, first, runs } = countingSetup({}, ['echo {} > yarn.lock'])
    for (let n = 0; n < 3; n++) await visit(verifying, first)
    expect(runs()).toBe(1)
  })

  test('runs again when the tree has a file now that it had made, and when it has that file no more', async () => {
    const { repository, verifying, first, runs } = countingSetup({}, ['mkdir -p gen && echo made > gen/one'])
    repository.write('gen/one', 'tracked\n')
    const second = repository.commit('Second')
    for (const [commit, content] of [
      [first, 'made\n'],
      [second, 'tracked\n'],
      [first, 'made\n'],
    ] as const) {
      expect((await visit(verifying, commit)).read('gen/one')).toBe(content)
    }
    expect(runs()).toBe(3)
  })

  test('attributes that it makes have no say in how files of the next tree are written', async () => {
    const { repository, verifying, first } = countingSetup({}, ['echo "* eol=crlf" > .gitattributes'])
    repository.write('b.txt', 'b\n')
    const second = repository.commit('Second')
    await visit(verifying, first)
    expect((await visit(verifying, second)).read('b.txt')).toBe('b\n')
  })

  test('a failure says why, and the next check starts from scratch', async () => {
    const gate = join(temporaryFolder(), 'gate')
    const failing = `test -e '${gate}' || { echo "no registry" >&2; exit 4; }`
    const setup = ['mkdir -p node_modules && echo half > node_modules/half', failing, 'rm node_modules/half']
    const { verifying, first } = countingSetup({}, setup)
    for (let n = 0; n < 2; n++) {
      await expect(verifying.verification(checkOf(first))).rejects.toMatchObject({
        code: 'WORKSPACE_SETUP',
        message: expect.stringContaining('no registry'),
        details: { exitCode: 4, output: expect.stringContaining('no registry') },
      })
    }
    writeFileSync(gate, '')
    const at = await visit(verifying, first)
    expect(Object.keys(listing(join(at.root, 'node_modules')))).toEqual([])
  })

  test('gets the environment and the mark, but no way to another repository', async () => {
    const log = join(temporaryFolder(), 'environment')
    const env = { PATH: process.env['PATH'], ONLY: 'this', GIT_DIR: '/elsewhere', GIT_INDEX_FILE: '/elsewhere' }
    const { verifying, first } = countingSetup({ env }, [`env > '${log}'; git rev-parse HEAD >> '${log}'`], true)
    await visit(verifying, first)
    const lines = readFileSync(log, 'utf8').split('\n')
    expect(lines).toContain('ONLY=this')
    expect(lines).toContainEqual(expect.stringMatching(/^LOOPER_MARK=test:T001\/a1\/check0\/test:1\/setup\d+$/))
    expect(lines).toContain(first)
    expect(lines.filter((line) => /^(HOME|GIT_DIR|GIT_INDEX_FILE)=/.test(line))).toEqual([])
  })
})

describe('copied files', () => {
  test('are there, unchanged by checks, and new when the user changes them', async () => {
    const repository = makeRepository(files)
    repository.write('.env', 'SECRET=1\n')
    repository.write('a.txt', 'uncommitted\n')
    const commit = repository.git('rev-parse', 'HEAD')
    const verifying = makeVerification(repository, { copy: ['.env', 'a.txt', 'missing'] })
    const at = await visit(verifying, commit, ({ write }) => write('.env', 'SECRET=check\n'))
    const again = await visit(verifying, commit)
    expect([again.read('.env'), again.read('a.txt'), again.root === at.root]).toEqual(['SECRET=1\n', 'a\n', false])
    repository.write('.env', 'SECRET=22\n')
    expect((await visit(verifying, commit)).read('.env')).toBe('SECRET=22\n')
  })

  test('a link of the tree in their way is the fault of the tree', async () => {
    const repository = makeRepository(files)
    repository.write('certs/key.pem', 'key\n')
    const target = repository.git('hash-object', '-w', 'a.txt')
    repository.git('update-index', '--add', '--cacheinfo', `120000,${target},certs`)
    repository.git('commit', '--quiet', '-m', 'A link')
    const verifying = makeVerification(repository, { copy: ['certs/key.pem'] })
    const commit = repository.git('rev-parse', 'HEAD')
    await expect(visit(verifying, commit)).rejects.toMatchObject({ code: 'WORKSPACE_CONTENT' })
  })
})
