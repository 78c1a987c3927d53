/** Whatever a check does, the next workspace handed out equals a fresh clone after set-up. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRepository, openRepository, type Repository } from '../../../test/kit/repository.ts'
import { checkOf, freshClone, listing, makeVerification } from '../../../test/kit/verification.ts'

const setup = [
  'mkdir -p deps/bin',
  'cat package-lock.json > deps/lock',
  'echo bin > deps/bin/run',
  'chmod +x deps/bin/run',
  'ln -s run deps/bin/again',
].join(' && ')

/** Names of trees, set-up, ignored files and others, so that actions affect each other's files. */
const paths = [
  'a',
  'a/b',
  'a/b/c',
  'd',
  'd/e',
  'package-lock.json',
  '.gitattributes',
  'a/.gitattributes',
  'lib/x',
  'deps',
  'deps/bin',
  'deps/bin/run',
  'deps/new',
]
const path = fc.constantFrom(...paths)
const content = fc.constantFrom('', 'x\n', 'y\n', '* eol=crlf\n', '$Id$\n')

const tracked = ['a/b/c', 'a/f', 'd/e', 'g', 'h/i/j', 'package-lock.json']

interface Tree {
  files: Record<string, string>
  mode: number
  link: boolean
}

const tree: fc.Arbitrary<Tree> = fc
  .record({
    files: fc.dictionary(fc.constantFrom(...tracked), content, { maxKeys: 5 }),
    mode: fc.constantFrom(0o644, 0o755),
    link: fc.boolean(),
  })
  .map(({ files, ...rest }) => ({ ...rest, files: { '.gitignore': 'lib/\n', 'package-lock.json': '{}\n', ...files } }))
/** Attributes differ only rarely, because a difference prevents reuse. */
const attributes = fc.oneof(
  { weight: 8, arbitrary: fc.constant(null) },
  fc.constantFrom('* eol=crlf\n', '*.x text\n', '* ident\n'),
)

type Action = (at: Repository) => void

const fail = /ENOENT|EEXIST|ENOTDIR|EISDIR|EINVAL|ELOOP|ENOTEMPTY|EPERM|EXDEV/

/**
 * An action without a target does nothing. No action leaves the temporary folder: a link target is at most one level
 * up.
 */
const act =
  (perform: (file: string, at: Repository) => void) =>
  (name: string): Action =>
  (at) => {
    try {
      perform(join(at.root, name), at)
    } catch (error) {
      if (!(error instanceof Error) || !fail.test(error.message)) throw error
    }
  }

const inGit =
  (...args: string[]): Action =>
  ({ git }) => {
    try {
      git(...args)
    } catch {
      // Git refuses some actions after others.
    }
  }

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(path, content).map(([name, text]) =>
    act((file) => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    })(name),
  ),
  fc.tuple(path, content).map(([name, text]) =>
    act((file) => {
      const { atime, mtime } = lstatSync(file)
      writeFileSync(file, text)
      lutimesSync(file, atime, mtime)
    })(name),
  ),
  path.map(act((file) => rmSync(file, { recursive: true }))),
  fc.tuple(path, fc.constantFrom(0o600, 0o755, 0o444, 0o2711)).map(([name, mode]) =>
    act((file) => {
      if (!lstatSync(file).isSymbolicLink()) chmodSync(file, mode)
    })(name),
  ),
  path.map(act((file) => mkdirSync(file, { recursive: true }))),
  fc.tuple(path, fc.constantFrom('a', '..', 'nowhere')).map(([name, to]) =>
    act((file) => {
      rmSync(file, { recursive: true, force: true })
      symlinkSync(to, file)
    })(name),
  ),
  fc.tuple(path, path).map(([name, to]) => act((file, at) => renameSync(file, join(at.root, to)))(name)),
  fc.tuple(path, path).map(([name, to]) => act((file, at) => linkSync(file, join(at.root, to)))(name)),
  fc.constantFrom(
    inGit('add', '--all', '--force'),
    inGit('commit', '--quiet', '--all', '-m', 'x'),
    inGit('stash', '--all'),
    inGit('checkout', '--quiet', '.'),
    inGit('config', 'core.autocrlf', 'true'),
    inGit('clean', '-ffdxq'),
    inGit('rm', '-r', '--quiet', '--cached', '.'),
    inGit('init', '--quiet', 'a'),
    inGit('update-index', '--assume-unchanged', 'package-lock.json'),
  ),
)

function commitAll(repository: Repository, { files, mode, link }: Tree, rules: string | null): string {
  repository.git('rm', '-r', '--quiet', '--force', '--ignore-unmatch', '.')
  for (const [name, text] of Object.entries(files)) repository.write(name, text)
  chmodSync(join(repository.root, 'package-lock.json'), mode)
  if (link) symlinkSync('package-lock.json', join(repository.root, 'link'))
  if (rules !== null) repository.write('.gitattributes', rules)
  return repository.commit('Tree')
}

function expected(repository: Repository, commit: string, lines: string[]): Record<string, string> {
  const { root } = freshClone(repository, commit)
  for (const line of lines) execFileSync('sh', ['-c', line], { cwd: root })
  return listing(root)
}

const round = fc.record({ to: fc.nat(2), actions: fc.array(action, { maxLength: 6 }) })

const cases = [
  { lines: [], most: 1 },
  { lines: [setup], most: 1 },
  { lines: [setup], most: 2 },
]
test.each(cases)(
  'a hand-out equals a fresh clone with set-up: %j',
  async ({ lines, most }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(tree, attributes), { minLength: 3, maxLength: 3 }),
        fc.array(round, { minLength: 2, maxLength: 5 }),
        async (trees, rounds) => {
          const repository = makeRepository({ 'package-lock.json': '{}\n' })
          const commits = trees.map(([one, rules]) => commitAll(repository, one, rules))
          const wanted = commits.map((commit) => expected(repository, commit, lines))
          const verifying = makeVerification(repository, { setup: lines, most })
          for (const { to, actions } of [...rounds, { to: 0, actions: [] }]) {
            const { path: root } = await verifying.verification(checkOf(commits[to] ?? '', null, 'check'))
            const at = openRepository(root)
            expect(listing(root)).toEqual(wanted[to])
            expect(
              at
                .git('status', '--porcelain')
                .split('\n')
                .filter((line) => line !== '?? deps/')
                .join('\n'),
            ).toBe('')
            for (const perform of actions) perform(at)
            verifying.verified('check')
          }
          await verifying.clean()
        },
      ),
      { numRuns: 8 },
    )
  },
  600_000,
)
