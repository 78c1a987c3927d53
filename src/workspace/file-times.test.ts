import { lstatSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeRepository, type Repository } from '../../test/kit/repository.ts'
import { changeSecretly } from '../../test/kit/verification.ts'
import { otherTimes, setTimes } from './file-times.ts'
import { scan, type Manifest } from './manifest.ts'
import type { Place } from './place.ts'

const seconds = 1_700_000_000

async function equalized(repository: Repository, written: string[]): Promise<Manifest> {
  const manifest = await scan(repository.root)
  const place = { path: repository.root, index: join(repository.root, '.git/index') } as Place
  const paths = otherTimes(manifest, seconds)
  await setTimes(place, manifest, { paths, seconds, written: new Set(written), idBytes: 20 })
  return manifest
}

test('the manifest knows the new times, and only files of the tree get them', async () => {
  const repository = makeRepository({ 'a': 'a\n', 'd/b': 'b\n' })
  writeFileSync(join(repository.root, 'untracked'), '')
  const manifest = await equalized(repository, [])
  expect(otherTimes(manifest, seconds)).toEqual(['untracked'])
  for (const path of ['a', 'd/b']) {
    const changedMs = lstatSync(join(repository.root, path)).ctimeMs
    expect(manifest.get(path)).toMatchObject({ modifiedMs: seconds * 1_000, changedMs })
  }
})

test('a file that was changed after git wrote it is still found, and written again', async () => {
  const repository = makeRepository({ a: 'aaa\n', b: 'bbb\n', c: 'ccc\n' })
  changeSecretly(join(repository.root, 'a'), 'AAA\n')
  writeFileSync(join(repository.root, 'b'), 'BBBB\n')
  await equalized(repository, ['a'])
  expect(repository.git('diff-files', '--name-only')).toBe('a\nb')
  repository.git('read-tree', '--reset', '-u', 'HEAD')
  expect(['a', 'b', 'c'].map((path) => repository.read(path))).toEqual(['aaa\n', 'bbb\n', 'ccc\n'])
})
