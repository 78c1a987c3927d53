import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeRepository, type Repository } from '../../../test/kit/repository.ts'
import { openLooseObjects } from './loose-objects.ts'
import { openQuickObjects, type Version } from './quick-objects.ts'

const signatures = { author: 'Ada <ada@example.org>', committer: 'Ada <ada@example.org>' }

/** Path to content; no path is a folder of another. */
type Files = Record<string, string>

function treeOf(repository: Repository, files: Files): string {
  const env = { ...process.env, GIT_INDEX_FILE: join(repository.root, '.git', 'index.test') }
  const run = (args: string[], input = ''): string =>
    execFileSync('git', args, { cwd: repository.root, env, input, encoding: 'utf8' }).trim()
  const lines = Object.entries(files).map(
    ([path, content]) => `100644 ${run(['hash-object', '-w', '--stdin'], content)}\t${path}\n`,
  )
  run(['read-tree', '--empty'])
  run(['update-index', '--index-info'], lines.join(''))
  return run(['write-tree'])
}

/** A base, a branch of two commits on it, and another commit on it. */
function versions(repository: Repository, [base, ours, theirs]: readonly [Files, Files, Files]) {
  const objects = openQuickObjects(join(repository.root, '.git'), signatures)
  const make = (files: Files, parents: string[]): Version => {
    const tree = treeOf(repository, files)
    return { tree, commit: objects.commit({ tree, parents, message: 'm\n' }) ?? '' }
  }
  const first = make(base, [])
  const between = make(base, [first.commit])
  return { objects, base: first, ours: make(ours, [between.commit]), theirs: make(theirs, [first.commit]) }
}

function byGit(repository: Repository, ours: Version, theirs: Version): string | null {
  try {
    return repository.git('merge-tree', '--write-tree', '--no-messages', ours.commit, theirs.commit)
  } catch {
    return null
  }
}

const paths = ['a', 'b.c', 'b/x', 'b/y', 'b/c/deep', 'b0', 'name with ü']
const contents = fc.constantFrom('one\n', 'two\n', 'three\n', 'one\ntwo\n')
/** Git does not store the empty tree, and a commit of it is left to git. */
const files = fc.dictionary(fc.constantFrom(...paths), contents).map((made) => ({ ...made, kept: 'kept\n' }))
const edits = fc.dictionary(
  fc.constantFrom(...paths),
  fc.oneof({ weight: 4, arbitrary: contents }, fc.constant(null)),
  { maxKeys: 3 },
)
const moves = fc.option(fc.tuple(fc.constantFrom(...paths), fc.constantFrom('moved', 'b/moved', 'n/moved')))
const edited = (base: Files, changes: Record<string, string | null>, move: [string, string] | null): Files => {
  const moved = move && base[move[0]] !== undefined ? { [move[0]]: null, [move[1]]: base[move[0]] as string } : {}
  return Object.fromEntries(
    Object.entries({ ...base, ...moved, ...changes }).flatMap(([path, content]) =>
      content === null ? [] : [[path, content]],
    ),
  )
}

describe('a merge without git', () => {
  test('has the tree that git makes, or is left to git', () => {
    const repository = makeRepository()
    let quick = 0
    fc.assert(
      fc.property(files, edits, edits, moves, moves, (base, one, other, ...moved) => {
        const sides: [Files, Files] = [edited(base, one, moved[0]), edited(base, other, moved[1])]
        const { objects, ...made } = versions(repository, [base, ...sides])
        const tree = objects.merge(made.base, made.ours, made.theirs)
        if (tree === null) return
        quick++
        expect(tree).toBe(byGit(repository, made.ours, made.theirs))
      }),
      { numRuns: 25 },
    )
    expect(quick).toBeGreaterThan(0)
    repository.git('fsck', '--strict')
  })

  const base = { 'a/x': '1\n', 'a/y': '1\n', b: '1\n' }

  test('joins files of one folder', () => {
    const repository = makeRepository()
    const made = versions(repository, [base, { ...base, 'a/x': '2\n' }, { ...base, 'a/y': '2\n', 'a/z': '3\n' }])
    const tree = made.objects.merge(made.base, made.ours, made.theirs)
    expect(tree).toBe(treeOf(repository, { ...base, 'a/x': '2\n', 'a/y': '2\n', 'a/z': '3\n' }))
  })

  test.each([
    ['the same file on both sides', { ...base, b: '2\n' }, { ...base, b: '3\n' }],
    ['a file that the other side renamed', { ...base, 'a/x': '2\n' }, { 'a/moved': '1\n', 'a/y': '1\n', b: '1\n' }],
    ['a folder that the other side renamed', { ...base, 'a/z': '2\n' }, { 'c/x': '1\n', 'c/y': '1\n', b: '1\n' }],
    [
      'a file that both sides moved out of a folder',
      { 'a/y': '1\n', b: '1\n', 'x/p': '1\n' },
      { 'a/y': '1\n', b: '1\n', 'y/p': '1\n2\n' },
    ],
    [
      'a file that one side moved and the other removed',
      { 'a/y': '1\n', b: '1\n', c: '1\n' },
      { 'a/y': '1\n', b: '1\n' },
    ],
    ['a file and a folder of one name', { ...base, c: '2\n' }, { ...base, 'c/d': '2\n' }],
  ])('is left to git for %s', (_, ours, theirs) => {
    const made = versions(makeRepository(), [base, ours, theirs])
    expect(made.objects.merge(made.base, made.ours, made.theirs)).toBeNull()
  })

  test('is left to git unless every commit since the base is known', () => {
    const repository = makeRepository()
    const made = versions(repository, [base, { ...base, c: '2\n' }, { ...base, d: '3\n' }])
    const { objects, ours, theirs } = made
    expect(openQuickObjects(join(repository.root, '.git'), signatures).merge(made.base, ours, theirs)).toBeNull()
    expect(objects.merge(made.base, theirs, theirs)).toBeNull()
    expect(objects.merge(ours, made.base, theirs)).toBeNull()
    expect(objects.merge(made.base, ours, theirs)).not.toBeNull()
  })

  test('is left to git where a tree is packed', () => {
    const repository = makeRepository()
    const made = versions(repository, [base, { ...base, c: '2\n' }, { ...base, d: '3\n' }])
    repository.git('tag', 'kept', made.base.commit)
    repository.git('gc', '--quiet')
    expect(openLooseObjects(join(repository.root, '.git/objects')).has(made.base.tree)).toBe(false)
    expect(made.objects.merge(made.base, made.ours, made.theirs)).toBeNull()
  })
})
