import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, type Repository } from '../../../test/kit/repository.ts'
import { encodeIndexFile, readIndexFile } from './index-file.ts'

const indexOf = ({ root }: Repository): string => join(root, '.git/index')

function makeFiles(): { repository: Repository; tree: string } {
  const repository = makeRepository()
  for (const path of ['a.txt', 'a/b.txt', 'a/b/c.txt', 'a-b/d.txt', 'ä/é.txt', `${'long/'.repeat(60)}x`])
    repository.write(path, path)
  repository.git('add', '--all')
  return { repository, tree: repository.git('write-tree') }
}

test('what is written is what git writes, byte for byte', () => {
  const { repository, tree } = makeFiles()
  const index = readIndexFile(indexOf(repository), tree)
  expect(index?.trees.get('')).toBe(tree)
  expect(index?.trees.get('a/b')).toBe(repository.git('rev-parse', `${tree}:a/b`))
  expect(index && encodeIndexFile(index, tree)).toEqual(readFileSync(indexOf(repository)))
})

test('after a change, git knows which trees it has to write again', () => {
  const { repository, tree } = makeFiles()
  repository.write('a/b/c.txt', 'changed')
  repository.git('add', '--all')
  const index = readIndexFile(indexOf(repository), tree)
  expect(['', 'a', 'a/b'].map((folder) => index?.trees.has(folder))).toEqual([false, false, false])
  expect(index && encodeIndexFile(index, tree)).toEqual(readFileSync(indexOf(repository)))
})

test.each([
  ['another version', ['update-index', '--index-version', '4']],
  ['a file that git shall not look at', ['update-index', '--assume-unchanged', 'a.txt']],
  ['a submodule', ['update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`]],
])('%s is left to git', (_, args) => {
  const { repository, tree } = makeFiles()
  repository.git(...args)
  expect(readIndexFile(indexOf(repository), tree)).toBeNull()
})

test('a missing index is left to git', () => {
  expect(readIndexFile('/nowhere/index', '1'.repeat(40))).toBeNull()
})
