/** Verification workspaces of a real repository, and what a fresh clone of it holds. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { verificationWorkspace, type CheckWork } from '../../src/model/work.ts'
import { inTurn } from '../../src/platform/in-turn.ts'
import { writeCloneGitDir, type CloneSource } from '../../src/workspace/clones/clone-git-dir.ts'
import { freezeGit, type FrozenGit } from '../../src/workspace/git/frozen-git.ts'
import { populateSubmodules } from '../../src/workspace/clones/submodules.ts'
import { createVerification, type VerificationOptions } from '../../src/workspace/verification/verification.ts'
import type { Shelf } from '../../src/workspace/clones/worktree.ts'
import { openRepository, temporaryFolder, type Repository } from './repository.ts'

export type Verifying = ReturnType<typeof createVerification>

function populateFrom(repository: Repository, own: string): VerificationOptions['populate'] {
  const [root, commonDir] = [repository.root, join(repository.root, '.git')]
  const base = (): string => repository.git('rev-parse', 'HEAD').trim()
  const frozen = (): Promise<FrozenGit> =>
    freezeGit({ root, commonDir, runDir: join(own, 'run'), branch: 'looper/test', base: base() }, 'test:settings:1')
  const shelf: Shelf = { root, commonDir, folder: own, serially: inTurn(), own: [], frozen }
  return (workTree, mark) => populateSubmodules(workTree, shelf, mark)
}

/** One workspace unless told otherwise, without set-up. Gone after the test. */
export function makeVerification(
  repository: Repository,
  options: Partial<VerificationOptions> = {},
): Verifying & { folder: string } {
  const own = temporaryFolder()
  const [folder, gitDir, objects] = [join(own, 'pool'), join(own, 'git'), join(repository.root, '.git/objects')]
  repository.git('init', '--quiet', '--bare', gitDir)
  writeFileSync(join(gitDir, 'objects/info/alternates'), `${objects}\n`)
  const config = '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n'
  const source: CloneSource = {
    commonDir: join(repository.root, '.git'),
    config,
    refs: '',
    attributes: '',
    exclude: '',
  }
  const made = createVerification({
    folder,
    gitDir,
    root: repository.root,
    populate: populateFrom(repository, own),
    copy: [],
    setup: [],
    most: 1,
    mark: (workId) => `test:${workId}:1`,
    writeGitDir: (workspace, commit, kept) => writeCloneGitDir(workspace, commit, source, kept),
    ...options,
  })
  onTestFinished(() => made.clean())
  return { ...made, folder: options.folder ?? folder }
}

export const checkOf = (commit: string, tree: string | null = null, id = 'T001/a1/check0/test'): CheckWork => ({
  kind: 'check',
  id,
  workspace: verificationWorkspace,
  task: 'T001',
  name: 'test',
  run: { shell: 'true' },
  timeoutMs: 1_000,
  tree,
  commit,
})

/** Writes a file in place and gives it its old times again, to the nanosecond. */
export function changeSecretly(file: string, content: string): void {
  const reference = join(temporaryFolder(), 'times')
  execFileSync('touch', ['-r', file, reference])
  writeFileSync(file, content)
  execFileSync('touch', ['-r', reference, file])
}

const hashOf = (content: Buffer): string => createHash('sha1').update(content).digest('hex')

/** Type, mode and content of everything in a folder, except `.git` at its root. */
export function listing(root: string): Record<string, string> {
  const entries: [string, string][] = []
  const walk = (folder: string): void => {
    for (const name of readdirSync(join(root, folder), 'latin1').toSorted()) {
      const path = Buffer.concat([Buffer.from(join(root, folder, '/')), Buffer.from(name, 'latin1')])
      const [stat, at] = [lstatSync(path), join(folder, name)]
      if (at === '.git') continue
      const mode = (stat.mode & 0o7777).toString(8)
      if (stat.isDirectory()) entries.push([at, `folder ${mode}`])
      else if (stat.isSymbolicLink()) entries.push([at, `link ${readlinkSync(path)}`])
      else if (stat.isFile()) entries.push([at, `file ${mode} ${hashOf(readFileSync(path))}`])
      else entries.push([at, `other ${mode}`])
      if (stat.isDirectory()) walk(at)
    }
  }
  walk('')
  return Object.fromEntries(entries)
}

/** `git clone` and checkout of the commit, as anyone would do it; with `tree`, its files and index instead. */
export function freshClone(repository: Repository, commit: string, tree: string | null = null): Repository {
  const root = join(temporaryFolder(), 'my repo')
  repository.git('clone', '--quiet', '--no-checkout', '--shared', repository.root, root)
  const clone = openRepository(root)
  clone.git('checkout', '--quiet', '--detach', commit)
  if (tree !== null) clone.git('read-tree', '--reset', '-u', tree)
  return clone
}

/** Takes a workspace, runs `use` in it, and returns it to the pool. */
export async function visit(verifying: Verifying, commit: string, use: (at: Repository) => void = () => {}) {
  const found = await verifying.verification(checkOf(commit))
  const at = openRepository(found.path)
  use(at)
  verifying.verified('T001/a1/check0/test')
  return { ...found, at }
}

export function expectFresh(repository: Repository, path: string, commit: string, tree: string | null = null): void {
  expect(listing(path)).toEqual(listing(freshClone(repository, commit, tree).root))
}
