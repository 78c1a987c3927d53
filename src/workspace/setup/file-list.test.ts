import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openRepository, temporaryFolder } from '../../../test/kit/repository.ts'
import { listFiles, listWithFind } from '../products/list-files.ts'
import { identitiesIn, isPlainList, isSameList, nothingListed } from './file-list.ts'
import { isIntact, readManifest, readRoots, recordManifest, walk } from './setup-manifest.ts'

function arrange(): string {
  const path = temporaryFolder()
  mkdirSync(join(path, 'one/a b'), { recursive: true })
  mkdirSync(join(path, '-two'))
  writeFileSync(join(path, 'one/a b/ä f.js'), 'x')
  symlinkSync('nowhere', join(path, '-two/d 1'))
  return path
}

async function nodeList(path: string, roots: string[]): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const [name, identity] of walk(path, roots)) found[name] = identity
  return found
}

test('the list of several folders says of each file what Node says', async () => {
  const path = arrange()
  const { text } = await listFiles(path, ['one', '-two'], 'test')
  expect(identitiesIn(text)).toEqual(await nodeList(path, ['one', '-two']))
  expect(Object.keys(identitiesIn(text)).toSorted()).toEqual(['-two', '-two/d 1', 'one', 'one/a b', 'one/a b/ä f.js'])
})

test('a list of Node is read like one of find', async () => {
  const path = arrange()
  const listed = await nodeList(path, ['one'])
  expect(identitiesIn(Buffer.from(JSON.stringify(listed)).toString('latin1'))).toEqual(listed)
})

test('the order of the lines does not matter, everything else does', () => {
  expect(isSameList('f 1\0d 2\0', 'd 2\0f 1\0')).toBe(true)
  expect(isSameList('f 1\0d 2\0', 'd 2\0f 3\0')).toBe(false)
  expect(isSameList('f 1\0', 'f 1\0f 1\0')).toBe(false)
})

test('what is neither file, link nor folder is not listed as text', async () => {
  expect(isPlainList('f 1\0s 2\0')).toBe(false)
  expect(isPlainList('f 1\0d 2\0l 3\0')).toBe(true)
  expect(await listWithFind(arrange(), ['none'], 'test')).toBeNull()
})

test('text that is no list is refused', () => {
  expect(() => identitiesIn('oops\0')).toThrow()
})

test('a manifest keeps a list that is known, and is compared like one that was walked', async () => {
  const path = temporaryFolder()
  openRepository(path).git('init', '--quiet')
  mkdirSync(join(path, 'one'))
  writeFileSync(join(path, 'one/a.js'), 'x')
  writeFileSync(join(path, 'b.js'), 'x')
  const gitDir = join(path, '.git')
  const workTree = { path, gitDir, index: join(gitDir, 'index'), excludes: '/dev/null', foreign: [], usualIndex: null }
  const file = join(temporaryFolder(), 'manifest')
  for (const known of [nothingListed, await listFiles(path, ['one'], 'test')]) {
    await recordManifest(workTree, file, known, 'test')
    const manifest = readManifest(file)
    expect(readRoots(file).toSorted()).toEqual(['b.js', 'one/'])
    expect(manifest?.entries).toEqual(await nodeList(path, ['b.js', 'one']))
    expect(manifest && (await isIntact(path, manifest))).toBe(true)
  }
  await recordManifest(workTree, file, { roots: ['two'], text: 'oops' }, 'test')
  expect(readManifest(file)?.entries).toEqual(await nodeList(path, ['b.js', 'one']))
})
