/** Ways to hide a change from a look that does not start git. */
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { writeExcludes } from '../clones/excludes.ts'
import { takeSnapshot, type Snapshot } from '../clones/snapshot.ts'
import { adoptUsualIndex, type WorkTree } from '../clones/work-tree.ts'
import { areUnchanged } from './compare-files.ts'
import { readIndexFile } from './index-file.ts'

interface Checkout {
  repository: Repository
  workTree: WorkTree
  /** Waits until times show every change, and takes a snapshot. */
  look(): Promise<Snapshot>
}

async function open(files: Record<string, string>): Promise<Checkout> {
  const repository = makeRepository()
  repository.write('src/a.txt', 'one')
  const id = repository.commit('Start')
  for (const [path, content] of Object.entries(files)) repository.write(path, content)
  const own = temporaryFolder()
  const workTree: WorkTree = {
    path: repository.root,
    gitDir: join(repository.root, '.git'),
    index: join(own, 'index'),
    excludes: join(own, 'excludes'),
    foreign: [],
    usualIndex: null,
    seen: null,
  }
  adoptUsualIndex(workTree)
  writeExcludes(workTree, '')
  const base = { id, tree: repository.git('rev-parse', 'HEAD^{tree}') }
  const look = async (): Promise<Snapshot> => {
    await sleep(40)
    return takeSnapshot(workTree, base, 'nothing', 'test')
  }
  await look()
  return { repository, workTree, look }
}

const pathsOf = ({ changes }: Snapshot): string[] => changes.map(({ path }) => path)

test('files that a removed rule ignored are found, even if the rule ignored its own file', async () => {
  const { repository, look } = await open({ 'cache/.gitignore': '*\n', 'cache/x.txt': 'x' })
  expect(pathsOf(await look())).toEqual([])
  unlinkSync(join(repository.root, 'cache/.gitignore'))
  expect(pathsOf(await look())).toEqual(['cache/x.txt'])
})

test('a folder that was staged, taken away and put back is found', async () => {
  const { repository, look } = await open({ 'lib/new.txt': 'new' })
  expect(pathsOf(await look())).toEqual(['lib/new.txt'])
  const aside = join(temporaryFolder(), 'lib')
  renameSync(join(repository.root, 'lib'), aside)
  // Git writes the usual index, so the next look is a thorough one.
  repository.write('src/a.txt', 'one')
  repository.git('update-index', '--force-remove', 'src/a.txt')
  repository.git('add', 'src/a.txt')
  expect(pathsOf(await look())).toEqual([])
  renameSync(aside, join(repository.root, 'lib'))
  expect(pathsOf(await look())).toEqual(['lib/new.txt'])
})

test('a tree that git has removed since is written again', async () => {
  const { repository, look } = await open({ 'new.txt': 'new' })
  const { tree } = await look()
  repository.git('gc', '--quiet', '--prune=now')
  expect(await look()).toMatchObject({ tree })
  expect(repository.git('cat-file', '-p', `${tree}:new.txt`)).toBe('new')
})

test('rules behind a link that ignore less are found', async () => {
  const { repository, look } = await open({ 'quiet.txt': 'x' })
  const [rules, link] = [join(temporaryFolder(), 'rules'), join(repository.root, '.git/info/exclude')]
  writeFileSync(rules, 'other.txt\n')
  mkdirSync(join(repository.root, '.git/info'), { recursive: true })
  rmSync(link, { force: true })
  symlinkSync(rules, link)
  repository.write('other.txt', 'x')
  await look()
  expect(pathsOf(await look())).toEqual(['quiet.txt'])
  writeFileSync(rules, '')
  expect(pathsOf(await look())).toEqual(['other.txt', 'quiet.txt'])
})

test('a file below a link is not a file of the index, even if it is the same file', async () => {
  const { repository, workTree, look } = await open({})
  const { tree } = await look()
  const index = readIndexFile(workTree.index, tree)
  if (index === null) throw new Error('there is no index')
  expect(areUnchanged(repository.root, index)).toBe(true)
  const aside = join(temporaryFolder(), 'src')
  renameSync(join(repository.root, 'src'), aside)
  symlinkSync(aside, join(repository.root, 'src'))
  expect(existsSync(join(repository.root, 'src/a.txt'))).toBe(true)
  expect(areUnchanged(repository.root, index)).toBe(false)
})
