/** Whatever is done in a checkout, a look finds what git alone finds. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import '../../../test/kit/seed.ts'
import { makeRepository, temporaryFolder, type Repository } from '../../../test/kit/repository.ts'
import { writeExcludes } from '../clones/excludes.ts'
import { takeSnapshot } from '../clones/snapshot.ts'
import { adoptUsualIndex, type WorkTree } from '../clones/work-tree.ts'
import { openQuickObjects } from '../git/quick-objects.ts'

const paths = ['a', 'src/a', 'src/b', 'cache/x', 'cache/.gitignore', '.gitignore', 'lib/ä\n', 'lib/deep/x', 'x.log']
const contents = ['one', 'two', 'six', '*\n', '*.log\n', '!x\n']
const folders = ['src', 'cache', 'lib']

interface Place {
  root: string
  aside: string
  git: Repository['git']
}

type Edit = (place: Place, path: string, content: string) => void

const full = ({ root }: Place, path: string): string => join(root, path)
const folderOf = (path: string): string => folders.find((name) => path.startsWith(name)) ?? 'src'

const edits: Record<string, Edit> = {
  write(place, path, content) {
    mkdirSync(dirname(full(place, path)), { recursive: true })
    writeFileSync(full(place, path), content)
  },
  /** Restores size and time. */
  forge(place, path, content) {
    const { atime, mtime } = statSync(full(place, path))
    writeFileSync(full(place, path), content)
    utimesSync(full(place, path), atime, mtime)
  },
  append: (place, path, content) => appendFileSync(full(place, path), content),
  remove: (place, path) => rmSync(full(place, path)),
  run: (place, path) => chmodSync(full(place, path), lstatSync(full(place, path)).mode ^ 0o111),
  future: (place, path) => utimesSync(full(place, path), 4_000_000_000, 4_000_000_000),
  link(place, path, content) {
    rmSync(full(place, path))
    symlinkSync(content, full(place, path))
  },
  hardLink: (place, path) => linkSync(full(place, path), join(place.aside, 'linked')),
  writeLinked: (place, _, content) => writeFileSync(join(place.aside, 'linked'), content),
  replace(place, path, content) {
    writeFileSync(`${place.aside}/new`, content)
    renameSync(`${place.aside}/new`, full(place, path))
  },
  becomeFolder(place, path) {
    rmSync(full(place, path))
    mkdirSync(full(place, path))
  },
  moveAway: (place, path) => renameSync(full(place, folderOf(path)), join(place.aside, folderOf(path))),
  moveBack: (place, path) => renameSync(join(place.aside, folderOf(path)), full(place, folderOf(path))),
  linkFolder: (place, path) => symlinkSync(join(place.aside, folderOf(path)), full(place, folderOf(path))),
  unlinkFolder: (place, path) =>
    lstatSync(full(place, folderOf(path))).isSymbolicLink() && rmSync(full(place, folderOf(path))),
  /** Git writes the usual index. */
  refresh: ({ git }) => void git('update-index', '--really-refresh', '-q'),
  exclude: ({ root }, path) => writeFileSync(join(root, '.git/info/exclude'), `${path}\n`),
  assume: ({ git }, path) => void git('update-index', '--assume-unchanged', path),
  skip: ({ git }, path) => void git('update-index', '--skip-worktree', path),
  intend: ({ git }, path) => void git('add', '--intent-to-add', path),
  wait: (place) => void place,
}

/** An edit that is not possible there does nothing. */
function perform(place: Place, [name, path, content]: [string, string, string]): void {
  try {
    edits[name]?.(place, path, content)
  } catch {
    // Such as the removal of a file that is not there.
  }
}

const someEdit = fc.tuple(
  fc.constantFrom(...Object.keys(edits)),
  fc.constantFrom(...paths),
  fc.constantFrom(...contents),
)
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
