/** Whatever is done in a checkout, a look finds what git alone finds. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { perform, someEdit } from '../../../test/kit/random-edits.ts'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { writeExcludes } from '../clones/excludes.ts'
import { takeSnapshot } from '../clones/snapshot.ts'
import { adoptUsualIndex, type WorkTree } from '../clones/work-tree.ts'
import { openQuickObjects } from '../git/quick-objects.ts'
import { fillQuickly, resetQuickly } from './move-files.ts'

const steps = fc.array(fc.record({ edits: fc.array(someEdit, { maxLength: 3 }), settles: fc.boolean() }), {
  minLength: 2,
  maxLength: 6,
})

function open(repository: Repository, seen: 'records' | 'writes'): WorkTree {
  const own = temporaryFolder()
  const gitDir = join(repository.root, '.git')
  const files = { path: repository.root, gitDir, index: join(own, 'index'), excludes: join(own, 'excludes') }
  const who = { author: 'Ada <ada@example.org>', committer: 'Ada <ada@example.org>' }
  const more = seen === 'records' ? { seen: null } : { quick: openQuickObjects(gitDir, who, true) }
  const workTree: WorkTree = { ...files, foreign: [], usualIndex: null, ...more }
  adoptUsualIndex(workTree)
  writeExcludes(workTree, '')
  return workTree
}

/** What git finds with an index of its own. */
function askGit({ path, gitDir, excludes }: WorkTree, index: string): string {
  const env = { ...process.env, GIT_DIR: gitDir, GIT_WORK_TREE: path, GIT_INDEX_FILE: index }
  const run = (...args: string[]): string =>
    execFileSync('git', ['-c', `core.excludesFile=${excludes}`, ...args], { cwd: path, env, encoding: 'utf8' }).trim()
  run('add', '--all')
  return run('write-tree')
}

test.each(['records', 'writes'] as const)(
  'where Looper %s what it finds, it is what git finds',
  { timeout: 120_000 },
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const repository = makeRepository()
        for (const path of ['a', 'src/a', 'src/b', 'lib/deep/x']) repository.write(path, 'one')
        const id = repository.commit('Start')
        const base = { id, tree: repository.git('rev-parse', 'HEAD^{tree}') }
        const [workTree, place] = [open(repository, kind), { ...repository, aside: temporaryFolder() }]
        const index = join(temporaryFolder(), 'index')
        copyFileSync(workTree.index, index)
        for (const step of all) {
          for (const edit of step.edits) perform(place, edit)
          if (step.settles) await sleep(25)
          const found = await takeSnapshot(workTree, base, 'nothing', 'test')
          expect(found.tree).toBe(askGit(workTree, index))
          expect(repository.git('cat-file', '-t', found.tree)).toBe('tree')
        }
      }),
      { numRuns: 6 },
    )
  },
)

test(
  'a work tree that is moved without git is as one that is filled anew, whatever was done in it',
  { timeout: 120_000 },
  async () => {
    const repository = makeRepository()
    const treeWith = (files: readonly string[]): string => {
      for (const path of files) repository.write(path, 'one')
      return repository.git('rev-parse', `${repository.commit('Next')}^{tree}`)
    }
    const [from, to] = [treeWith(['a', 'src/a', 'src/b', 'lib/deep/x']), treeWith(['src/c', 'new/a', '.gitignore'])]
    const fresh = { ...open(repository, 'writes'), path: temporaryFolder() }
    const list = (path: string): string => {
      // The modes of folders depend on how the folder was made.
      const args = ['-mindepth', '1', '-type', 'd', '-printf', '%P/\\n', '-o', '-printf', '%y%m %P\\n']
      const found = execFileSync('find', [path, ...args], { encoding: 'utf8' })
      return found.split('\n').toSorted().join('\n')
    }
    const quick = openQuickObjects(fresh.gitDir, null, true)
    expect(fillQuickly(fresh, to, quick)).toBe(true)
    let moved = 0
    await fc.assert(
      fc.asyncProperty(fc.array(someEdit, { maxLength: 3 }), fc.boolean(), async (edits, settles) => {
        const workTree = { ...open(repository, 'writes'), path: temporaryFolder() }
        fillQuickly(workTree, from, quick)
        if (settles) await sleep(25)
        mkdirSync(join(workTree.path, '.git/info'), { recursive: true })
        const place = { root: workTree.path, aside: temporaryFolder(), git: repository.git }
        for (const edit of edits) perform(place, edit)
        const kept = readdirSync(place.aside)
        if (!resetQuickly(workTree, to, ['.git'], quick)) return
        moved += 1
        execFileSync('rm', ['-rf', join(workTree.path, '.git')])
        expect(list(workTree.path)).toBe(list(fresh.path))
        const index = join(temporaryFolder(), 'index')
        expect(askGit({ ...workTree, excludes: '/dev/null' }, index)).toBe(to)
        expect(readdirSync(place.aside)).toEqual(kept)
      }),
      { numRuns: 15 },
    )
    expect(moved).toBeGreaterThan(0)
  },
)
