import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { trackedFiles } from './tracked-files.ts'

test('the files of the index are listed, in a linked work tree too, and no others', () => {
  const repository = makeRepository()
  for (const path of ['a', 'src/ä b', 'gone']) repository.write(path, 'one')
  repository.commit('Start')
  repository.write('new', 'untracked')
  rmSync(join(repository.root, 'gone'))
  const listed = repository
    .git('ls-files', '-z')
    .split('\0')
    .filter((path) => path !== '')
  expect(listed).toContain('src/ä b')
  expect(trackedFiles(repository.root)).toEqual(listed)
  const linked = join(temporaryFolder(), 'linked')
  repository.git('worktree', 'add', '--quiet', linked)
  expect(trackedFiles(linked)).toEqual(listed)
})

test('nothing is known of an index that git writes in another way, and outside a repository', () => {
  const repository = makeRepository()
  repository.write('a', 'one')
  repository.commit('Start')
  repository.git('update-index', '--index-version', '4')
  expect(trackedFiles(repository.root)).toBeNull()
  expect(trackedFiles(temporaryFolder())).toBeNull()
})
