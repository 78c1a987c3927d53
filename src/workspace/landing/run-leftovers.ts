/** Finds and removes what a run leaves in git besides its folder: work trees, its branch and its own refs. */
import { rmdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { git, tryGit } from '../git/git.ts'
import { listRefs, runRefFolder } from './run-refs.ts'
import { removeTree } from '../clones/remove-tree.ts'
import { worktreesFolder } from '../git/safe-name.ts'
import { recordedFolder, verificationFolder } from '../workspaces-folder.ts'
import { forgetWorktrees, gitDirsOf } from '../clones/worktree-link.ts'

export interface LeftBranch {
  name: string
  commit: string
  /** The path of the user's work tree that has it checked out, or empty. */
  heldBy: string
}

export interface Leftovers {
  /** Null when the branch does not exist or the run has no branch of its own. */
  branch: LeftBranch | null
  /** The run's own refs with their commits. */
  refs: { name: string; commit: string }[]
  /** `unmerged`: no branch or tag of the user, local or remote, contains the run's commits. */
  settled: 'merged' | 'nothing' | 'gone' | 'unmerged'
}

export interface RunInGit {
  run: string
  /** Null: the run worked on the user's own branch. */
  branch: string | null
  /** The commit the run started from; null when it is unknown. */
  base: string | null
}

export async function findLeftovers(root: string, { run, branch, base }: RunInGit): Promise<Leftovers> {
  const listed = await listRefs([...(branch === null ? [] : [`refs/heads/${branch}`]), runRefFolder(run)], {
    cwd: root,
  })
  const found = branch === null ? undefined : listed.get(`refs/heads/${branch}`)
  const own = [...listed]
    .filter(([name]) => name.startsWith(`${runRefFolder(run)}/`))
    .map(([name, { commit }]) => ({ name, commit }))
  const kept = own.find(({ name }) => name === `${runRefFolder(run)}/tip`)
  const tips = [...new Set([found?.commit, kept?.commit].flatMap((commit) => commit ?? []))]
  const inside = `${worktreesFolder(root, run)}/`
  return {
    branch:
      branch === null || found === undefined
        ? null
        : { name: branch, commit: found.commit, heldBy: found.checkedOut.startsWith(inside) ? '' : found.checkedOut },
    refs: own,
    settled: await settledness(root, tips, base),
  }
}

async function settledness(root: string, tips: readonly string[], base: string | null): Promise<Leftovers['settled']> {
  if (tips.length === 0) return 'gone'
  if (tips.every((tip) => tip === base)) return 'nothing'
  for (const tip of tips) if (tip !== base && !(await isInUsersBranch(root, tip))) return 'unmerged'
  return 'merged'
}

/** Branches of Looper do not count, because they are removed too. */
export async function isInUsersBranch(root: string, commit: string): Promise<boolean> {
  const args = [
    'for-each-ref',
    '--format=%(refname)',
    `--contains=${commit}`,
    'refs/heads',
    'refs/remotes',
    'refs/tags',
  ]
  const { exitCode, stdout } = await tryGit(args, { cwd: root })
  if (exitCode !== 0) return false
  if (stdout.split('\n').some((name) => name !== '' && !name.startsWith('refs/heads/looper/'))) return true
  // A detached HEAD counts as a branch of the user.
  const isDetached = (await tryGit(['symbolic-ref', '--quiet', 'HEAD'], { cwd: root })).exitCode !== 0
  return isDetached && (await tryGit(['merge-base', '--is-ancestor', commit, 'HEAD'], { cwd: root })).exitCode === 0
}

/** The folders of a run outside its run folder: its workspaces, and the linked worktrees of earlier versions. */
export function scratchFolders(root: string, run: string): string[] {
  const recorded = recordedFolder(root, run)
  return [worktreesFolder(root, run), ...(recorded === null ? [] : [recorded, verificationFolder(recorded)])]
}

/** Removes the workspaces of a run, and their parent folder when no other run of this checkout uses it. */
export async function removeScratch(root: string, run: string): Promise<void> {
  const [old = '', ...workspaces] = scratchFolders(root, run)
  await forgetWorktrees(gitDirsOf(root).commonDir, old)
  for (const folder of workspaces) {
    await removeTree(folder)
    await rmdir(dirname(folder)).catch(() => {})
  }
}

/** If a ref has moved since, git deletes none of the refs and reports why. */
export async function removeLeftovers(
  root: string,
  run: string,
  refs: readonly { name: string; commit: string }[],
): Promise<void> {
  await removeScratch(root, run)
  if (refs.length === 0) return
  await git(['update-ref', '--stdin'], {
    cwd: root,
    input: refs.map(({ name, commit }) => `delete ${name} ${commit}\n`).join(''),
  })
}
