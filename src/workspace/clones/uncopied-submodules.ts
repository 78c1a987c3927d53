/**
 * Finds submodules that the checkout has no copy of, because an agent added or initialized them, and saves their
 * commits. The user's repository keeps what only the agent's clone has.
 */
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { SubmoduleCommit } from '../../model/work.ts'
import { ifExists, readNow } from '../../platform/files.ts'
import { bringCommits, seeing } from './bring-commits.ts'
import { scanCommits } from './clean-history.ts'
import { tryGit, type GitCall } from '../git/git.ts'
import type { Keeping } from './left-work.ts'
import type { WorkTree } from './work-tree.ts'
import type { Shelf } from './worktree.ts'
import { gitlinksIn, hasFiles, innerWorkTree, isRealFolder, type Submodule } from './submodules.ts'
import { gitDirsOf } from './worktree-link.ts'

interface Uncopied {
  path: string
  commit: string
}

export interface UncopiedSubmodule {
  path: string
  /** The commit in Looper's index. */
  pinned: string
  /** Its `env` leads to the user's repository. */
  workTree: WorkTree
}

/**
 * The submodules of `outer` that have files in the workspace. `outer` is a submodule, or the workspace itself with an
 * empty path; Looper's index of it must be that of a snapshot.
 */
export async function uncopiedSubmodules(
  workTree: WorkTree,
  outer: Pick<UncopiedSubmodule, 'path' | 'workTree'>,
  copied: readonly Submodule[],
  shelf: Shelf,
  mark: string,
): Promise<UncopiedSubmodule[]> {
  const links = await gitlinksIn(outer.workTree, mark)
  for (const { path } of copied) links.delete(path)
  if (links.size === 0) return []
  // No submodule has an empty name.
  const { env } = (await shelf.frozen()).sibling('', shelf.commonDir)
  return [...links].flatMap(([name, pinned]) => {
    const path = outer.path === '' ? name : `${outer.path}/${name}`
    const folder = join(workTree.path, path)
    if (!isRealFolder(workTree.path, folder) || !hasFiles(folder)) return []
    const gitDir = gitDirIn(workTree.path, path) ?? `${workTree.index}.no-git-dir`
    return [{ path, pinned, workTree: innerWorkTree(workTree, path, gitDir, env) }]
  })
}

/** Returns the commits that the agent's clone had from no remote. `call` works on the user's repository. */
export async function keepUncopied(
  workTree: WorkTree,
  submodules: readonly Uncopied[],
  ref: string,
  keeping: Pick<Keeping, 'isClean'>,
  call: GitCall,
): Promise<SubmoduleCommit[]> {
  const unpushed: SubmoduleCommit[] = []
  for (const { path, commit } of submodules) {
    const gitDir = gitDirIn(workTree.path, path)
    const remote = gitDir === null ? [] : await present(remoteCommits(gitDir), seeing(gitDir, call))
    if (gitDir !== null && (await isWithin(commit, remote, seeing(gitDir, call)))) continue
    const keptAs = `${ref}-submodule-${commit.slice(0, 12)}`
    const isKept = gitDir !== null && (await keep(gitDir, commit, remote, keptAs, keeping, call))
    unpushed.push({ path, commit, kept: isKept ? keptAs : null, noCopy: true })
  }
  return unpushed
}

async function keep(
  gitDir: string,
  commit: string,
  remote: readonly string[],
  ref: string,
  keeping: Pick<Keeping, 'isClean'>,
  call: GitCall,
): Promise<boolean> {
  const from = (await tryGit(['merge-base', commit, ...remote, '--'], seeing(gitDir, call))).stdout.trim()
  if ((await scanCommits({ gitDir }, from === '' ? null : from, commit, keeping, call)) !== 'clean') return false
  if ((await bringCommits(gitDir, [commit], [], call)).length === 0) return false
  return (await tryGit(['update-ref', ref, commit], call)).exitCode === 0
}

/**
 * The git directory of a submodule; null unless it is inside the workspace, the only place that the agent may show. One
 * that borrows objects may lead elsewhere.
 */
function gitDirIn(root: string, path: string): string | null {
  try {
    const gitDir = realpathSync(gitDirsOf(join(root, path)).gitDir)
    const objects = join(gitDir, 'objects')
    const isOwn = realpathSync(objects) === objects && !existsSync(join(objects, 'info/alternates'))
    return isOwn && gitDir.startsWith(realpathSync(root) + sep) ? gitDir : null
  } catch {
    return null
  }
}

/** The commits of remote branches and of tags, as the clone knows them. */
function remoteCommits(gitDir: string): string[] {
  const packed = readNow(join(gitDir, 'packed-refs'))?.toString('latin1') ?? ''
  const listed = [...packed.matchAll(/^([0-9a-f]{40,64}) refs\/(?:remotes|tags)\//gm)].map(([, id = '']) => id)
  const loose = ['refs/remotes', 'refs/tags'].flatMap((name) => {
    const folder = join(gitDir, name)
    const names = ifExists(() => readdirSync(folder, { recursive: true, encoding: 'utf8' }), folder) ?? []
    return names.map((file) => readNow(join(folder, file))?.toString('latin1').trim() ?? '')
  })
  return [...new Set([...listed, ...loose])].filter((id) => /^[0-9a-f]{40,64}$/.test(id))
}

/** Those that are commits which git can read. */
async function present(ids: readonly string[], call: GitCall): Promise<string[]> {
  const asked = { ...call, input: ids.map((id) => `${id}^{commit}\n`).join('') }
  const { stdout } = await tryGit(['cat-file', '--batch-check=%(objectname) %(objecttype)'], asked)
  return [...stdout.matchAll(/^([0-9a-f]{40,64}) commit$/gm)].map(([, id = '']) => id)
}

async function isWithin(commit: string, remote: readonly string[], call: GitCall): Promise<boolean> {
  if (remote.length === 0) return false
  const { exitCode, stdout } = await tryGit(['rev-list', '--max-count=1', commit, '--not', ...remote, '--'], call)
  return exitCode === 0 && stdout.trim() === ''
}
