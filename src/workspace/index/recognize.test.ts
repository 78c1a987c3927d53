import { chmodSync, mkdirSync, renameSync, statSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { writeExcludes } from '../clones/excludes.ts'
import { takeSnapshot, type Baseline } from '../clones/snapshot.ts'
import { adoptUsualIndex, type WorkTree } from '../clones/work-tree.ts'

/** A checkout that git has looked at once, long enough ago for its times to show every change. */
async function look(): Promise<{ repository: Repository; workTree: WorkTree; base: Baseline }> {
  const repository = makeRepository()
  repository.write('.gitignore', '*.log\nbuild/\n')
  repository.write('src/a.txt', 'one')
  const id = repository.commit('Start')
  for (const path of ['old.log', 'src/old.log', 'build/out.txt', '.looper/runs/001/x']) repository.write(path, 'old')
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
  await sleep(40)
  await takeSnapshot(workTree, base, 'nothing', 'test')
  await sleep(40)
  return { repository, workTree, base }
}

function withoutGit(): void {
  const { PATH } = process.env
  process.env['PATH'] = '/nowhere'
  onTestFinished(() => void (process.env['PATH'] = PATH))
}

test('where nothing changed, git is not started, whatever Looper wrote in the folder of its run', async () => {
  const { repository, workTree, base } = await look()
  repository.write('.looper/runs/001/y', 'new')
  withoutGit()
  expect(await takeSnapshot(workTree, base, 'nothing', 'test')).toEqual({ tree: base.tree, changes: [] })
})

test('a change that was seen before is known without git', async () => {
  const { repository, workTree, base } = await look()
  repository.write('new.txt', 'new')
  await sleep(40)
  const found = await takeSnapshot(workTree, base, 'nothing', 'test')
  expect(found.changes.map(({ path }) => path)).toEqual(['new.txt'])
  await sleep(40)
  withoutGit()
  expect(await takeSnapshot(workTree, base, 'nothing', 'test')).toEqual(found)
})

/** Writes the same number of bytes and sets the time of the file back. */
function forge(path: string): void {
  const { atime, mtime } = statSync(path)
  writeFileSync(path, 'two')
  utimesSync(path, atime, mtime)
}

test.each<[string, string[], (repository: Repository) => void]>([
  ['a new file', ['new.txt'], ({ write }) => write('src/../new.txt', 'x')],
  ['a new file in a new folder', ['lib/deep/new.txt'], ({ write }) => write('lib/deep/new.txt', 'x')],
  ['a file with its old size and time', ['src/a.txt'], ({ root }) => forge(join(root, 'src/a.txt'))],
  ['a file that may be run now', ['src/a.txt'], ({ root }) => chmodSync(join(root, 'src/a.txt'), 0o755)],
  ['a removed file', ['src/a.txt'], ({ root }) => unlinkSync(join(root, 'src/a.txt'))],
  ['rules that ignore less', ['.gitignore', 'old.log', 'src/old.log'], ({ write }) => write('.gitignore', 'build/\n')],
  ['rules in a subfolder', ['src/.gitignore', 'src/old.log'], ({ write }) => write('src/.gitignore', '!old.log\n')],
  [
    'a folder that became a link to itself',
    ['src', 'src/a.txt', 'src/b.txt'],
    ({ root }) => {
      const aside = join(temporaryFolder(), 'src')
      renameSync(join(root, 'src'), aside)
      symlinkSync(aside, join(root, 'src'))
    },
  ],
])('%s is found', async (_, expected, change) => {
  const { repository, workTree, base } = await look()
  change(repository)
  const { changes } = await takeSnapshot(workTree, base, 'nothing', 'test')
  expect(changes.map(({ path }) => path)).toEqual(expected)
})

test('rules outside the checkout that ignore less are found', async () => {
  const { repository, workTree, base } = await look()
  mkdirSync(join(repository.root, '.git/info'), { recursive: true })
  writeFileSync(join(repository.root, '.git/info/exclude'), 'quiet.txt\n')
  repository.write('quiet.txt', 'x')
  await sleep(40)
  expect((await takeSnapshot(workTree, base, 'nothing', 'test')).changes).toEqual([])
  writeFileSync(join(repository.root, '.git/info/exclude'), '')
  const { changes } = await takeSnapshot(workTree, base, 'nothing', 'test')
  expect(changes.map(({ path }) => path)).toEqual(['quiet.txt'])
})

test('without a record, an ignored file is left to git', async () => {
  const { repository, workTree, base } = await look()
  const { seen: _, ...fresh } = workTree
  repository.write('new.log', 'x')
  expect(await takeSnapshot(fresh, base, 'nothing', 'test')).toEqual({ tree: base.tree, changes: [] })
})
