import { rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { takeSnapshot } from '../clones/snapshot.ts'
import { adoptUsualIndex, type WorkTree } from '../clones/work-tree.ts'
import { openQuickObjects, type QuickObjects } from '../git/quick-objects.ts'

const who = 'Ada <ada@example.org>'

function open(repository: Repository, quick?: QuickObjects): WorkTree {
  const gitDir = join(repository.root, '.git')
  const index = join(temporaryFolder(), 'index')
  const own = { path: repository.root, gitDir, index, excludes: '/dev/null', foreign: [], usualIndex: null }
  const workTree: WorkTree = { ...own, ...(quick ? { quick } : {}) }
  adoptUsualIndex(workTree)
  return workTree
}

const quickOf = ({ root }: Repository): QuickObjects =>
  openQuickObjects(join(root, '.git'), { author: who, committer: who }, true)

const names = ['a', 'a.b', 'a/b', 'd/e/x', 'd/f', 'ä', '.gitattributes', 'src/a.txt']
const contents = fc.constantFrom(null, '', 'one', 'one\n', 'one\ntwo\n', 'zero\0', '* -diff\n')
/** No path is a folder of another. */
const edits = fc
  .dictionary(fc.constantFrom(...names), contents, { minKeys: 1, maxKeys: 4 })
  .filter((files) => !('a' in files && 'a/b' in files))

test('tree and changes are those that git finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edits, { minLength: 1, maxLength: 2 }), async (steps) => {
      const repository = makeRepository()
      const workTree = open(repository, quickOf(repository))
      const base = { id: repository.git('rev-parse', 'HEAD') }
      for (const [path, content] of steps.flatMap((files) => Object.entries(files))) {
        rmSync(join(repository.root, path.split('/')[0] ?? ''), { recursive: true, force: true })
        if (content !== null) repository.write(path, content)
        const found = await takeSnapshot(workTree, base, 'content', 'test')
        expect(found).toEqual(await takeSnapshot(open(repository), base, 'content', 'test'))
        repository.git('fsck', '--no-dangling')
      }
    }),
    { numRuns: 5 },
  )
})

test('a file that changes right after it was staged is found', async () => {
  const repository = makeRepository()
  const workTree = open(repository, quickOf(repository))
  const base = { id: repository.git('rev-parse', 'HEAD') }
  const found = new Set<string>()
  for (const content of ['one', 'two', 'six', 'ten']) {
    repository.write('new.txt', content)
    found.add((await takeSnapshot(workTree, base, 'content', 'test')).tree)
  }
  expect(found.size).toBe(4)
})
