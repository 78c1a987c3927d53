import { execFileSync } from 'node:child_process'
import { lstatSync, lutimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository } from '../../test/kit/repository.ts'
import { readIndexTimes } from './index-times.ts'

const names = ['a', 'name7xx', 'name8xxx', 'name9xxxx', 'ä/b c', `long/${'x'.repeat(200)}`]

test.each([
  [2, 'true'], [3, 'true'], [2, 'false'],
])('version %s, with a sum: %s: git takes files with new times for unchanged', (version, sum) => {
  const repository = makeRepository(Object.fromEntries(names.map((name) => [name, `${name}\n`])))
  repository.git('config', 'index.skipHash', sum === 'true' ? 'false' : 'true')
  repository.git('update-index', '--index-version', String(version))
  if (version === 3) repository.git('update-index', '--skip-worktree', 'a')
  const file = join(repository.root, '.git/index')
  const index = readIndexTimes(file, 20)
  const found = [...index?.modifiedMs.keys() ?? []].map((path) => Buffer.from(path, 'latin1').toString())
  expect(found.toSorted()).toEqual(names.toSorted())
  for (const [path, modifiedMs] of index?.modifiedMs ?? []) {
    const full = join(repository.root, Buffer.from(path, 'latin1').toString())
    expect(modifiedMs).toBe(lstatSync(full).mtimeMs)
    lutimesSync(full, 1_700_000_000, 1_700_000_000)
    const { ctimeNs, mtimeNs } = lstatSync(full, { bigint: true })
    index?.set(path, { changedNs: ctimeNs, modifiedNs: mtimeNs })
  }
  expect(repository.git('diff-files', '--name-only')).not.toBe('')
  index?.write()
  expect(repository.git('diff-files', '--name-only')).toBe('')
  expect(repository.git('ls-files', '--debug', 'a')).toContain('mtime: 1700000000:0')
  expect(repository.git('fsck')).toBe('')
})

test('an index in another format is left alone', () => {
  const repository = makeRepository({ a: 'a\n' })
  repository.git('update-index', '--index-version', '4')
  expect(readIndexTimes(join(repository.root, '.git/index'), 20)).toBeNull()
  writeFileSync(join(repository.root, 'other'), 'no index')
  expect(readIndexTimes(join(repository.root, 'other'), 20)).toBeNull()
})

test('object ids of a repository with SHA-256', () => {
  const { root } = makeRepository({ a: 'a\n' })
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', join(root, 'inner'), ...args], { encoding: 'utf8' })
  execFileSync('git', ['init', '-q', '--object-format=sha256', join(root, 'inner')])
  writeFileSync(join(root, 'inner/b'), 'b\n')
  git('add', 'b')
  const index = readIndexTimes(join(root, 'inner/.git/index'), 32)
  index?.set('b', { changedNs: 0n, modifiedNs: 0n })
  index?.write()
  expect(git('diff-files', '--name-only')).toBe('b\n')
  expect(git('status', '--porcelain')).toBe('A  b\n')
})
