import { rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository } from '../../test/kit/repository.ts'
import { areFew, unlikeBlobs } from './as-written.ts'
import { readIndexTimes } from './index-times.ts'
import { scan } from './manifest.ts'

test('files, links and programs are as their blobs; what was changed, converted, removed or added is not', async () => {
  const repository = makeRepository({ 'a': 'a\n', 'd/b': 'b\n', 'c': 'c\n', 'e': 'e\n' })
  symlinkSync('a', join(repository.root, 'link'))
  repository.write('.gitattributes', 'text.txt text eol=crlf\n')
  repository.write('text.txt', 'one\r\n')
  repository.git('add', '--all')
  const paths = ['a', 'd/b', 'c', 'e', 'link', 'text.txt', 'untracked']
  repository.write('untracked', '')
  const unlike = async (): Promise<string[]> => {
    const index = readIndexTimes(join(repository.root, '.git/index'), 20)
    return index === null ? paths : unlikeBlobs(repository.root, paths, await scan(repository.root), index)
  }
  expect(await unlike()).toEqual(['text.txt', 'untracked'])
  repository.write('a', 'A\n')
  rmSync(join(repository.root, 'c'))
  rmSync(join(repository.root, 'link'))
  symlinkSync('e', join(repository.root, 'link'))
  expect(await unlike()).toEqual(['a', 'c', 'link', 'text.txt', 'untracked'])
})

test('few are 64 files of 4 MB together', async () => {
  const repository = makeRepository({ small: 'x', large: 'x'.repeat(4 * 1024 * 1024) })
  const manifest = await scan(repository.root)
  expect(areFew(['large'], manifest)).toBe(true)
  expect(areFew(['small', 'large'], manifest)).toBe(false)
  expect(areFew(Array.from({ length: 64 }, () => 'small'), manifest)).toBe(true)
  expect(areFew(Array.from({ length: 65 }, () => 'small'), manifest)).toBe(false)
})
