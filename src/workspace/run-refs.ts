/**
 * The refs of a run. The branch is for the user; a second ref keeps its tip, so that a branch that another process
 * deleted or moved comes back; and whatever an attempt hands in stays reachable under the run's own refs.
 */
import { rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { attemptIn } from '../model/work-id.ts'
import { plain } from '../views/plain-text.ts'
import { gitError, heldLock, tryGit, type GitCall } from './git.ts'
import { readFreeBranch, readLooseRef } from './loose-ref.ts'
import { openRefWriter } from './ref-writer.ts'
import { inTurn } from '../platform/in-turn.ts'
import { safeName, worktreesFolder } from './safe-name.ts'
import { forgetHalfMade, gitDirsOf } from './worktree-link.ts'

export interface Tip {
  commit: string
  tree: string
}

export interface Move {
  /** Where the branch goes, and where it must be now. */
  branch?: { from: string; to: string }
  /** What an attempt hands in, or a checkpoint. */
  candidate?: { ref: string; commit: string }
  /** The merge that is checked before it lands: until then no other ref leads to it. */
  merged?: { ref: string; commit: string }
  /** Refs that must not be there yet. */
  kept?: readonly { ref: string; commit: string }[]
}

export interface RunRefs {
  /** The newest commit of the run branch, which is made when it is not there. */
  tip(mark: string): Promise<Tip>
  /** The same, refusing while the user has the branch checked out: moving it would change what their checkout means. */
  movableTip(mark: string): Promise<Tip>
  /** All or nothing; false when the branch is not where it must be. */
  move(change: Move, mark: string): Promise<boolean>
  /** Ends the process that moves refs, as long as no move is under way. */
  close(): Promise<void>
}

export const runRefFolder = (run: string): string => `refs/looper/${safeName(run)}`

/** `T003/a2/merge1` belongs to `a2`. */
export const attemptOf = (workId: string): string => `a${attemptIn(workId) ?? 0}`

export const candidateRef = (run: string, task: string, workId: string): string =>
  `${runRefFolder(run)}/${safeName(task)}/${attemptOf(workId)}`

/** The next name for what the branch leaves behind. */
export function freeAside(run: string, listed: ReadonlyMap<string, unknown>): string {
  let n = 1
  while (listed.has(`${runRefFolder(run)}/set-aside/${n}`)) n++
  return `${runRefFolder(run)}/set-aside/${n}`
}

interface Options {
  root: string
  commonDir: string
  run: string
  branch: string
  base: string
  /** Work trees in here are Looper's: a branch checked out in one of them is not checked out by the user. */
  worktrees: string
  /** Trees of commits, as far as they are known. */
  trees: Map<string, string>
  /** For the process that moves refs. */
  mark: string
  /** How long git may take to move refs before it is killed. */
  guardMs?: number
}

const defaultGuardMs = 60_000

export function createRunRefs(options: Options): RunRefs {
  const { root, commonDir, run, branch, base, worktrees, trees, mark: ownMark, guardMs = defaultGuardMs } = options
  const serially = inTurn()
  const branchRef = `refs/heads/${branch}`
  const keptRef = `${runRefFolder(run)}/tip`
  const note = `looper: ${safeName(run)}`
  const writer = openRefWriter(note, { cwd: root, mark: ownMark }, guardMs)

  async function tip(mark: string): Promise<ListedRef> {
    const [commit, kept] = [readFreeBranch(commonDir, branchRef), readLooseRef(commonDir, keptRef)]
    const tree = commit === null || commit !== kept ? undefined : trees.get(commit)
    const found = commit !== null && tree !== undefined ? { commit, tree, checkedOut: '' } : await settle(mark)
    trees.set(found.commit, found.tree)
    return found
  }

  /** Makes branch and kept tip agree: what Looper kept is what it landed, so that nothing lands without its checks. */
  async function settle(mark: string, failed: LooperError | null = null): Promise<ListedRef> {
    const listed = await listRefs([branchRef, keptRef], { cwd: root, mark })
    const [current, kept] = [listed.get(branchRef), listed.get(keptRef)]
    if (current && kept && (current.commit === kept.commit || isHeld(current)))
      return { ...kept, checkedOut: current.checkedOut }
    if (failed) throw failed
    const to = kept?.commit ?? current?.commit ?? base
    const result = await transact(
      [
        current ? `update ${branchRef} ${to} ${current.commit}` : `create ${branchRef} ${to}`,
        `update ${keptRef} ${to}`,
        ...(current && current.commit !== to
          ? [`update ${runRefFolder(run)}/strays/${current.commit} ${current.commit}`]
          : []),
      ],
      { cwd: root, mark },
    )
    const restless = new LooperError(
      'WORKSPACE_GIT',
      `The run branch ${plain(branch)} is moved by another process again and again.`,
    )
    return settle(mark, result.done ? restless : result.error)
  }

  const isHeld = ({ checkedOut }: ListedRef): boolean => checkedOut !== '' && !checkedOut.startsWith(`${worktrees}/`)

  async function movableTip(mark: string): Promise<Tip> {
    const found = await tip(mark)
    if (!isHeld(found)) return found
    const message = `The run branch ${plain(branch)} is checked out in ${plain(found.checkedOut)}: moving it would disturb that checkout.`
    throw new LooperError('WORKSPACE_GIT', message, { fix: 'Check out another branch there (`git switch -`)' })
  }

  async function move(change: Move, mark: string): Promise<boolean> {
    const { branch: step, candidate, merged, kept = [] } = change
    const lines = [
      ...(step ? [`update ${branchRef} ${step.to} ${step.from}`, `update ${keptRef} ${step.to}`] : []),
      ...[candidate, merged].flatMap((one) => (one ? [`update ${one.ref} ${one.commit}`] : [])),
      ...kept.map(({ ref, commit }) => `create ${ref} ${commit}`),
    ]
    const call: GitCall = { cwd: root, mark }
    const moved = await transact(lines, call)
    if (moved.done) return true
    if (!step) throw moved.error
    const { commit } = await movableTip(mark)
    // A git that was killed before it answered may have moved it.
    if (commit === step.to) return true
    if (commit !== step.from) return false
    // It may have been elsewhere, or gone, and has been put back by that.
    const again = await transact(lines, call)
    if (again.done) return true
    throw again.error
  }

  async function transact(
    lines: readonly string[],
    call: GitCall,
  ): Promise<{ done: true } | { done: false; error: LooperError }> {
    const args = ['update-ref', '-m', note, '--stdin']
    const input = lines.join('\n') + '\n'
    return serially(async () => {
      if (lines.every((line) => line.startsWith('update ')) && (await writer.write(lines))) return { done: true }
      let result = await tryGit(args, { ...call, input, timeoutMs: guardMs })
      // A git that is killed in the midst of it leaves the locks of all its refs.
      for (let n = 0; n < lines.length; n++) {
        const lock = heldLock(result)
        // Only this process writes these refs: a lock on one of them that does not go away belongs to a git that was
        // killed.
        if (lock === null || !(lock.endsWith(`/${branchRef}.lock`) || lock.includes(`/${runRefFolder(run)}/`))) break
        await rm(lock, { recursive: true, force: true })
        result = await tryGit(args, { ...call, input, timeoutMs: guardMs })
      }
      if (result.timedOut) throw hung(guardMs)
      return result.exitCode === 0 ? { done: true } : { done: false, error: gitError(args, result) }
    })
  }

  const hung = (ms: number): LooperError =>
    new LooperError(
      'WORKSPACE_GIT',
      `git did not move the run branch ${plain(branch)} within ${ms / 1000} s and was ended.`,
      { fix: 'See whether another program blocks the repository or its disk' },
    )

  return { tip, movableTip, move, close: () => serially(writer.close) }
}

export interface ListedRef extends Tip {
  /** The work tree that has it checked out, or empty. */
  checkedOut: string
}

/** Refs by full name; a name also finds the refs below it. `call` must say where the checkout is. */
export async function listRefs(
  names: readonly string[],
  call: GitCall & { cwd: string },
): Promise<Map<string, ListedRef>> {
  const args = ['for-each-ref', '--format=%(refname)%00%(objectname)%00%(tree)%00%(worktreepath)', ...names]
  let result = await tryGit(args, call)
  for (const attempt of [1, 2]) {
    if (!/failed to read .*commondir/.test(result.stderr)) break
    // It may just be under way in another process; what is still half made a moment later was killed.
    if (attempt === 1) await sleep(300)
    else await forgetHalfMade(gitDirsOf(call.cwd).commonDir, dirname(worktreesFolder(call.cwd, 'any')))
    result = await tryGit(args, call)
  }
  if (result.exitCode !== 0) throw gitError(args, result)
  const listed = result.stdout.replace(/\n$/, '')
  return new Map(
    listed
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', commit = '', tree = '', checkedOut = ''] = line.split('\0')
        return [name, { commit, tree, checkedOut }]
      }),
  )
}
