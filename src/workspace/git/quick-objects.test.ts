import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dropPrivileges, makeRepository, type Repository } from '../../../test/kit/repository.ts'
import { makeCommit } from '../landing/commit.ts'
import { git } from './git.ts'
import { openLooseObjects, type LooseObjects } from './loose-objects.ts'
import { signaturesOf } from './quick-commit.ts'
import { openQuickObjects } from './quick-objects.ts'

const signatures = { author: 'Ada Lovelace <ada@example.org>', committer: 'Charles <charles@example.org>' }
const open = (repository: Repository, as: typeof signatures | null = signatures) =>
  openQuickObjects(join(repository.root, '.git'), as)

const bytesOf = (repository: Repository, id: string): string =>
  execFileSync('git', ['cat-file', 'commit', id], { cwd: repository.root, encoding: 'utf8' })

/** Creates a tree that is a loose object. */
function makeTree(repository: Repository, name = 'new.txt'): string {
  repository.write(name, 'text\n')
  repository.git('add', '--all')
  return repository.git('write-tree')
}

describe('a commit', () => {
  test('is byte for byte what git writes', () => {
    const repository = makeRepository()
    const tree = makeTree(repository)
    const parents = [repository.git('rev-parse', 'HEAD')]
    const quick = open(repository)
    fc.assert(
      fc.property(fc.stringMatching(/^[ -~äß€\n]{1,60}$/u), (message) => {
        const id = quick.commit({ tree, parents, message }) ?? ''
        const [, time = ''] = /^committer .* (\d+ [+-]\d{4})$/m.exec(bytesOf(repository, id)) ?? []
        const env = {
          ...process.env,
          GIT_AUTHOR_NAME: 'Ada Lovelace',
          GIT_AUTHOR_EMAIL: 'ada@example.org',
          GIT_AUTHOR_DATE: time,
          GIT_COMMITTER_NAME: 'Charles',
          GIT_COMMITTER_EMAIL: 'charles@example.org',
          GIT_COMMITTER_DATE: time,
        }
        const args = ['commit-tree', tree, '-p', parents[0] ?? '', '-F', '-']
        const git = execFileSync('git', args, { cwd: repository.root, env, input: message, encoding: 'utf8' }).trim()
        expect(id).toBe(git)
      }),
      { numRuns: 10 },
    )
    repository.git('fsck', '--strict')
  })

  test('of a tree that is not a loose object is left to git, which knows whether it is there', () => {
    const repository = makeRepository()
    const quick = open(repository)
    const parents = [repository.git('rev-parse', 'HEAD')]
    expect(quick.commit({ tree: '1'.repeat(40), parents, message: 'm' })).toBeNull()
    const tree = repository.git('rev-parse', 'HEAD^{tree}')
    repository.git('gc', '--quiet')
    expect(quick.commit({ tree, parents, message: 'm' })).toBeNull()
  })

  test('is left to git without a known author, and where the folder cannot be written', () => {
    const repository = makeRepository()
    const tree = makeTree(repository)
    expect(open(repository, null).commit({ tree, parents: [], message: 'm' })).toBeNull()
    const { write } = { write: () => open(repository).commit({ tree, parents: [], message: 'unwritable' }) }
    const objects = join(repository.root, '.git/objects')
    for (const name of readdirSync(objects)) if (/^..$/.test(name)) chmodSync(join(objects, name), 0o555)
    chmodSync(objects, 0o555)
    // Root can write anywhere.
    if (process.getuid?.() !== 0) expect(write()).toBeNull()
    chmodSync(objects, 0o755)
  })
})

test('a user whose commits have another encoding gets UTF-8 without a header, written by git or not', async () => {
  const repository = makeRepository()
  for (const key of ['i18n.commitEncoding', 'i18n.logOutputEncoding']) repository.git('config', key, 'ISO-8859-1')
  const commit = { tree: makeTree(repository), parents: [repository.git('rev-parse', 'HEAD')], message: 'Größe\n' }
  const [author, committer] = [
    repository.git('var', 'GIT_AUTHOR_IDENT'),
    repository.git('var', 'GIT_COMMITTER_IDENT'),
  ].map((ident) => ident.replace(/ \d+ [+-]\d+$/, ''))
  const call = { cwd: repository.root }
  const quick = open(repository, { author: author ?? '', committer: committer ?? '' })
  const [written, byGit] = [await makeCommit(commit, { ...call, quick }), await makeCommit(commit, call)]
  const untimed = (id: string): string => bytesOf(repository, id).replaceAll(/ \d+ [+-]\d{4}$/gm, '')
  expect(untimed(written)).toBe(untimed(byGit))
  expect(untimed(written)).toMatch(/\n\nGröße\n$/)
  expect(untimed(written)).not.toMatch(/^encoding /m)
  expect(await git(['log', '-1', '--format=%s', written], call)).toBe('Größe')
})

test.each<[string, Record<string, string>, [string, string][], ReturnType<typeof signaturesOf>]>([
  [
    'variables come first',
    { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@x', GIT_COMMITTER_NAME: 'C', GIT_COMMITTER_EMAIL: 'c@x' },
    [
      ['user.name', 'U'],
      ['user.email', 'u@x'],
    ],
    { author: 'A <a@x>', committer: 'C <c@x>' },
  ],
  [
    'then the configuration of the role',
    {},
    [
      ['user.name', 'U'],
      ['user.email', 'u@x'],
      ['author.name', 'Au'],
    ],
    { author: 'Au <u@x>', committer: 'U <u@x>' },
  ],
  ['EMAIL comes last', { EMAIL: 'e@x' }, [['user.name', 'U']], { author: 'U <e@x>', committer: 'U <e@x>' }],
  [
    'a name that git would change is left to git',
    {},
    [
      ['user.name', 'J. Doe Jr.'],
      ['user.email', 'u@x'],
    ],
    null,
  ],
  [
    'so is one that it would refuse',
    {},
    [
      ['user.name', '<>'],
      ['user.email', 'u@x'],
    ],
    null,
  ],
  [
    'so is a date that the user sets',
    { GIT_AUTHOR_DATE: '1 +0000' },
    [
      ['user.name', 'U'],
      ['user.email', 'u@x'],
    ],
    null,
  ],
  ['without an author, too', {}, [], null],
])('%s', (_what, env, configured, expected) => {
  expect(signaturesOf(env, new Map(configured))).toEqual(expected)
})

describe('a blob', () => {
  test('is read as git has it', () => {
    const repository = makeRepository()
    repository.write('b.bin', 'a\0b')
    const id = repository.git('hash-object', '-w', 'b.bin')
    expect(open(repository).blob(id, 100)).toEqual(Buffer.from('a\0b'))
  })

  test('that is too long, packed, of another type or damaged is left to git', () => {
    const repository = makeRepository()
    repository.write('long.txt', 'x'.repeat(1_000))
    repository.write('bad.txt', 'bad')
    const [long, bad] = ['long.txt', 'bad.txt'].map((name) => repository.git('hash-object', '-w', name))
    const file = (id = ''): string => join(repository.root, '.git/objects', id.slice(0, 2), id.slice(2))
    expect(open(repository).blob(long ?? '', 100)).toBeNull()
    expect(open(repository).blob(repository.git('rev-parse', 'HEAD'), 10_000)).toBeNull()
    chmodSync(file(bad), 0o644)
    for (const text of ['', 'not deflated']) {
      writeFileSync(file(bad), text)
      expect(open(repository).blob(bad ?? '', 100)).toBeNull()
    }
    // Puts the content of another object under this name.
    mkdirSync(dirname(file(bad)), { recursive: true })
    execFileSync('cp', ['-f', file(long), file(bad)])
    expect(open(repository).blob(bad ?? '', 10_000)).toBeNull()
    expect(open(repository).blob('2'.repeat(40), 100)).toBeNull()
  })
})

describe('an object that is there already', () => {
  const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000)

  function writeOld(): { objects: LooseObjects; repository: Repository; id: string; file: string } {
    const repository = makeRepository()
    const folder = join(repository.root, '.git/objects')
    const objects = openLooseObjects(folder)
    const id = objects.write('blob', 'again', '1'.repeat(40)) ?? ''
    const file = join(folder, id.slice(0, 2), id.slice(2))
    utimesSync(file, monthAgo, monthAgo)
    chmodSync(dirname(repository.root), 0o755)
    return { objects, repository, id, file }
  }

  test('is new again, so that git gc beside it does not remove it', () => {
    const { objects, repository, id } = writeOld()
    expect(objects.write('blob', 'again', id)).toBe(id)
    repository.git('prune', '--expire=1.hour.ago')
    expect(repository.git('cat-file', 'blob', id)).toBe('again')
  })

  test('is written anew where its time cannot be set', () => {
    const { objects, id, file } = writeOld()
    chmodSync(dirname(file), 0o777)
    dropPrivileges()
    expect(objects.write('blob', 'again', id)).toBe(id)
    expect(statSync(file).mtimeMs).toBeGreaterThan(monthAgo.getTime() + 1_000)
  })

  test('is left to git where neither is possible', () => {
    const { objects, id, file } = writeOld()
    dropPrivileges()
    // The owner may set the time of a file that is not writable.
    const isOwner = statSync(file).uid === process.geteuid?.()
    expect(objects.write('blob', 'again', id)).toBe(isOwner ? id : null)
  })
})

test('a comparison is remembered for a while', () => {
  const quick = open(makeRepository())
  quick.rememberChanges('a', 'b', [])
  expect(quick.changes('a', 'b')).toEqual([])
  for (let n = 0; n < 16; n++) quick.rememberChanges('a', `${n}`, [])
  expect(quick.changes('a', 'b')).toBeNull()
  expect(quick.changes('a', '15')).toEqual([])
})
