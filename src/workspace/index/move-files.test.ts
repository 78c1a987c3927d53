import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import type { WorkTree } from '../clones/work-tree.ts'
import { openQuickObjects } from '../git/quick-objects.ts'
import { areUnchanged, encodeStat } from './compare-files.ts'
import { readIndexFile } from './index-file.ts'
import { fillQuickly, moveQuickly, resetQuickly } from './move-files.ts'

type Files = Record<string, string>

function open(repository: Repository, writesAsStored = true) {
  const [path, own] = [join(temporaryFolder(), 'work'), temporaryFolder()]
  mkdirSync(path)
  const gitDir = join(repository.root, '.git')
  const index = join(own, 'index')
  const env = { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: path, GIT_INDEX_FILE: index }
  const git = (...args: string[]): string => execFileSync('git', args, { cwd: path, env, encoding: 'utf8' })
  const workTree: WorkTree = { path, gitDir, index, excludes: '/dev/null', foreign: [], usualIndex: null }
  return { path, git, workTree, quick: openQuickObjects(gitDir, null, writesAsStored) }
}

function treeOf(repository: Repository, files: Files): string {
  const env = { ...process.env, GIT_INDEX_FILE: join(repository.root, '.git/index.test') }
  const run = (args: string[], input = ''): string =>
    execFileSync('git', args, { cwd: repository.root, env, input, encoding: 'utf8' }).trim()
  const lines = Object.entries(files).map(([path, content]) => {
    const mode = content === 'run' ? '100755' : content.startsWith('->') ? '120000' : '100644'
    return `${mode} ${run(['hash-object', '-w', '--stdin'], content)}\t${path}\n`
  })
  run(['read-tree', '--empty'])
  run(['update-index', '--index-info'], lines.join(''))
  return run(['write-tree'])
}

const names = ['a', 'b.txt', 'd/a', 'd/e/x', 'd/e/y', 'f/z', '.gitignore']
const contents = fc.constantFrom('', 'one\n', 'run')
const someFiles = fc.dictionary(fc.constantFrom(...names), contents, { minKeys: 1, maxKeys: 6 })

test('files and index become what git makes of them', () => {
  const repository = makeRepository()
  fc.assert(
    fc.property(someFiles, someFiles, (before, after) => {
      const { path, git, workTree, quick } = open(repository)
      const find = (...args: string[]): string[] =>
        execFileSync('find', ['.', ...args, '-printf', '%P\n'], { cwd: path, encoding: 'utf8' })
          .trim()
          .split('\n')
      const expectAt = (tree: string, files: Files): void => {
        expect(git('write-tree').trim()).toBe(tree)
        expect(git('diff-files', '--raw')).toBe('')
        expect(find('-type', 'f').toSorted()).toEqual(Object.keys(files).toSorted())
        expect(find('-type', 'd', '-empty')).toEqual([''])
      }
      const [from, to] = [treeOf(repository, before), treeOf(repository, after)]
      expect(fillQuickly(workTree, from, quick)).toBe(true)
      expect(resetQuickly(workTree, to, [], quick)).toBe(true)
      expectAt(to, after)
      git('read-tree', '--reset', '-u', from)
      expectAt(from, before)
    }),
    { numRuns: 12 },
  )
})

const [start, next] = [
  { a: 'one\n', 'd/a': 'two\n' },
  { a: 'other\n', 'd/a': 'two\n', 'd/new': 'x' },
]

test.each<[string, Files, Files, (path: string) => void]>([
  ['a changed file', start, next, (path) => writeFileSync(join(path, 'd/a'), 'own\n')],
  ['a missing file', start, next, (path) => rmSync(join(path, 'd/a'))],
  ['a new file', start, next, (path) => writeFileSync(join(path, 'left'), '')],
  ['a new folder', start, next, (path) => mkdirSync(join(path, 'left'))],
  ['attributes', { ...start, '.gitattributes': '* eol=crlf' }, { ...next, '.gitattributes': '* eol=crlf' }, () => {}],
  ['new attributes', start, { ...next, 'd/.gitattributes': '* eol=crlf' }, () => {}],
  ['a link', start, { ...next, link: '->a' }, () => {}],
  ['a file in the place of a folder', start, { d: 'x' }, () => {}],
  ['a folder in the place of a file', start, { 'a/b': 'x' }, () => {}],
])('%s is left to git', (_, from, to, change) => {
  const repository = makeRepository()
  const { path, git, workTree, quick } = open(repository)
  git('read-tree', '--reset', '-u', treeOf(repository, from))
  git('write-tree')
  change(path)
  const before = git('ls-files', '--stage')
  expect(resetQuickly(workTree, treeOf(repository, to), [], quick)).toBe(false)
  expect(git('ls-files', '--stage')).toBe(before)
})

test('content that settings convert is left to git', () => {
  const repository = makeRepository()
  const { workTree, quick } = open(repository, false)
  expect(fillQuickly(workTree, treeOf(repository, start), quick)).toBe(false)
})

test('files beside the index stay, and nothing is written into their folders', () => {
  const repository = makeRepository()
  const { path, workTree, quick } = open(repository)
  fillQuickly(workTree, treeOf(repository, start), quick)
  mkdirSync(join(path, 'made'))
  writeFileSync(join(path, 'made/x'), '')
  expect(resetQuickly(workTree, treeOf(repository, next), ['made'], quick)).toBe(true)
  expect(moveQuickly(workTree, treeOf(repository, start), quick)).toBe(true)
  expect(existsSync(join(path, 'made/x'))).toBe(true)
  expect(moveQuickly(workTree, treeOf(repository, { ...start, 'made/y': 'y' }), quick)).toBe(false)
})

test('attributes beside the index are left to git, which applies them', () => {
  const repository = makeRepository()
  const { path, workTree, quick } = open(repository)
  fillQuickly(workTree, treeOf(repository, start), quick)
  writeFileSync(join(path, '.gitattributes'), '* eol=crlf\n')
  const tree = treeOf(repository, next)
  expect(resetQuickly(workTree, tree, ['.gitattributes'], quick)).toBe(false)
  expect(moveQuickly(workTree, tree, quick)).toBe(false)
})

test('no file that was just written looks older than the index, so git reads its content', () => {
  const repository = makeRepository()
  const { path, git, workTree, quick } = open(repository)
  expect(fillQuickly(workTree, treeOf(repository, start), quick)).toBe(true)
  const { mtimeNs } = lstatSync(workTree.index, { bigint: true })
  for (const name of Object.keys(start))
    expect(lstatSync(join(path, name), { bigint: true }).mtimeNs >= mtimeNs, name).toBe(true)
  expect(git('diff-files', '--raw')).toBe('')
})

test('a folder that is a link is left to git, and nothing is written through it', () => {
  const repository = makeRepository()
  const { path, git, workTree, quick } = open(repository)
  fillQuickly(workTree, treeOf(repository, start), quick)
  const aside = join(temporaryFolder(), 'd')
  renameSync(join(path, 'd'), aside)
  symlinkSync(aside, join(path, 'd'))
  const tree = treeOf(repository, next)
  expect(moveQuickly(workTree, tree, quick)).toBe(false)
  git('read-tree', '--reset', '-u', tree)
  expect(readdirSync(aside)).toEqual(['a'])
})

test('a file that is written over before its state is recorded is found', () => {
  const repository = makeRepository()
  const { path, workTree, quick } = open(repository)
  const tree = treeOf(repository, start)
  expect(fillQuickly(workTree, tree, quick)).toBe(true)
  const index = readIndexFile(workTree.index, tree)
  if (index === null) throw new Error('there is no index')
  // As if another process had written to the file before its state was recorded.
  writeFileSync(join(path, 'a'), 'own\n')
  const stat = encodeStat(lstatSync(join(path, 'a'), { bigint: true }), 0o100644)
  const forged = { ...index, entries: new Map(index.entries) }
  forged.entries.set('a', { mode: 0o100644, object: index.entries.get('a')?.object ?? '', stat })
  expect(areUnchanged(path, forged)).toBe(false)
})
