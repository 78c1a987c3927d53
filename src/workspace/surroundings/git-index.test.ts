/** Compares parsed indexes that git itself wrote with git's own listing of them. */
import { readFileSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, type Repository } from '../../../test/kit/repository.ts'
import { parseIndex, type IndexContent } from './git-index.ts'

const names = [
  'a',
  'a.txt',
  'src/deep/file.ts',
  'src/deep/file.tsx',
  'src/ä ö.txt',
  `long/${'x'.repeat(200)}/${'y'.repeat(200)}`,
  'z',
]

function repositoryWith(version: string): Repository {
  const repository = makeRepository()
  for (const name of names) repository.write(name, `content of ${name}\n`)
  repository.git('add', '-A')
  repository.git('update-index', '--index-version', version)
  return repository
}

const read = ({ root }: Repository): IndexContent | null => parseIndex(readFileSync(join(root, '.git/index')))

test.each(['2', '3', '4'])('version %s: the paths that git lists, in its order', (version) => {
  const repository = repositoryWith(version)
  repository.git('update-index', '--skip-worktree', 'a.txt')
  expect(read(repository)?.paths).toEqual(repository.git('ls-files', '-z').split('\0').filter(Boolean))
})

test.each(['2', '4'])('version %s: only what is staged or flagged changes the digest', (version) => {
  const repository = repositoryWith(version)
  const before = read(repository)
  const bytes = readFileSync(join(repository.root, '.git/index'))
  utimesSync(join(repository.root, 'a.txt'), 1, 1)
  repository.git('status')
  expect(readFileSync(join(repository.root, '.git/index'))).not.toEqual(bytes)
  expect(read(repository)).toEqual(before)
  const digests = [before?.digest]
  for (const change of [
    ['update-index', '--assume-unchanged', 'a'],
    ['update-index', '--skip-worktree', 'z'],
    ['rm', '-q', '--cached', 'a.txt'],
    ['update-index', '--chmod=+x', 'src/deep/file.ts'],
  ]) {
    repository.git(...change)
    digests.push(read(repository)?.digest)
  }
  expect(new Set(digests).size).toBe(5)
})

test('an invalid or truncated index is null', () => {
  const bytes = readFileSync(join(repositoryWith('2').root, '.git/index'))
  expect(parseIndex(Buffer.alloc(0))).toBeNull()
  expect(parseIndex(Buffer.from('nonsense of some length'))).toBeNull()
  expect(parseIndex(bytes.subarray(0, 100))).toBeNull()
})
