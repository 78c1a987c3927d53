/**
 * Manages the refs of a run. The branch is for the user. A second ref keeps its tip, so that Looper can restore a
 * branch that another process deleted or moved. All candidates of attempts stay reachable under the run's own refs.
 */
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { attemptIn } from '../../model/work-id.ts'
import { plain } from '../../views/text/plain-text.ts'
import { gitError, heldLock, tryGit, type GitCall } from '../git/git.ts'
import { readFreeBranch, readLooseRef } from '../git/loose-ref.ts'
import { openQuickObjects } from '../git/quick-objects.ts'
import { openRefWriter } from '../git/ref-writer.ts'
import { inTurn } from '../../platform/in-turn.ts'
import { removeNow } from '../../platform/mounts.ts'
import { safeName, worktreesFolder } from '../git/safe-name.ts'
import { forgetHalfMade, gitDirsOf } from '../clones/worktree-link.ts'

export interface Tip {
  commit: string
  tree: string
}

export interface Move {
  /** The expected and the new commit of the branch. */
  branch?: { from: string; to: string }
  /** The candidate of an attempt, or a checkpoint. */
  candidate?: { ref: string; commit: string }
  /** The merge commit that is checked before it lands. No other ref reaches it until then. */
  merged?: { ref: string; commit: string }
  /** Refs to create; they must not exist yet. */
  kept?: readonly { ref: string; commit: string }[]
}

export interface RunRefs {
  /** The tip of the run branch. Creates the branch when it does not exist. */
  tip(mark: string): Promise<Tip>
  /**
   * Like `tip`, but throws while the user has the branch checked out, because moving it would change the status of
   * their checkout.
   */
  movableTip(mark: string): Promise<Tip>
  /** All or nothing; false when the branch is not at the expected commit. */
  move(change: Move, mark: string): Promise<boolean>
  /** Ends the process that moves refs, after moves in progress. */
  close(): Promise<void>
}

export const runRefFolder = (run: string): string => `refs/looper/${safeName(run)}`

/** `T003/a2/merge1` belongs to `a2`. */
export const attemptOf = (workId: string): string => `a${attemptIn(workId) ?? 0}`

export const candidateRef = (run: string, task: string, workId: string): string =>
  `${runRefFolder(run)}/${safeName(task)}/${attemptOf(workId)}`

/** The next free name for the commits that the branch leaves behind. */
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
  /** The folder of Looper's work trees. A branch checked out there does not count as checked out by the user. */
  worktrees: string
  /** A cache of the trees of commits. */
  trees: Map<string, string>
  /** The mark of the process that moves refs. */
  mark: string
  /** How long git may take to move refs before it is killed. */
  guardMs?: number
}

const defaultGuardMs = 60_000

export function createRunRefs(options: Options): RunRefs {
  const { root, commonDir, run, branch, base, worktrees, trees, mark: ownMark, guardMs = defaultGuardMs } = options
  /** Git moves the refs of a transaction one by one. A reader in between would take a landing for a foreign move. */
  const serially = inTurn()
  const branchRef = `refs/heads/${branch}`
  const keptRef = `${runRefFolder(run)}/tip`
  const note = `looper: ${safeName(run)}`
  const objects = openQuickObjects(commonDir, null)
  const writer = openRefWriter(note, { cwd: root, mark: ownMark }, guardMs)
  /** Where this process last saw or moved the branch; null before that, and while a move is in progress. */
  let known: string | null = null

  /** The tip when branch and kept tip match, read from their files; null when git must look. */
  function readSettled(expected: string | null): ListedRef | null {
    const [commit, kept] = [readFreeBranch(commonDir, branchRef), readLooseRef(commonDir, keptRef)]
    if (commit === null || commit !== kept || (expected !== null && commit !== expected)) return null
    const tree = trees.get(commit) ?? objects.treeOf(commit)
    return tree === null ? null : { commit, tree, checkedOut: '' }
  }

  async function readTip(mark: string): Promise<ListedRef> {
    const found = readSettled(known) ?? (await settle(mark))
    trees.set(found.commit, found.tree)
    known = found.commit
    return found
  }

  /**
   * Makes the branch and the kept tip match what Looper landed, so that nothing lands without its checks. After a
   * restart the kept tip says what that is.
   */
  async function settle(mark: string, failed: LooperError | null = null): Promise<ListedRef> {
    const listed = await listRefs([branchRef, keptRef], { cwd: root, mark })
    const [current, kept] = [listed.get(branchRef), listed.get(keptRef)]
    const to = known ?? kept?.commit ?? current?.commit ?? base
    if (current && kept?.commit === to && (current.commit === to || isHeld(current)))
      return { ...kept, checkedOut: current.checkedOut }
    if (failed) throw failed
    const strays = [current, kept].flatMap((ref) => (ref && ref.commit !== to ? [ref.commit] : []))
    const result = await transact(
      [
        current ? `update ${branchRef} ${to} ${current.commit}` : `create ${branchRef} ${to}`,
        kept ? `update ${keptRef} ${to} ${kept.commit}` : `create ${keptRef} ${to}`,
        ...[...new Set(strays)].map((commit) => `update ${runRefFolder(run)}/strays/${commit} ${commit}`),
      ],
      { cwd: root, mark },
    )
    const restless = new LooperError(
      'WORKSPACE_GIT',
      `The run branch ${plain(branch)} is moved by another process again and again.`,
    )
    return (result.done ? readSettled(to) : null) ?? settle(mark, result.done ? restless : result.error)
  }

  const isHeld = ({ checkedOut }: ListedRef): boolean => checkedOut !== '' && !checkedOut.startsWith(`${worktrees}/`)

  async function readMovableTip(mark: string): Promise<Tip> {
    const found = await readTip(mark)
    if (!isHeld(found)) return found
    const message =
      `The run branch ${plain(branch)} is checked out in ${plain(found.checkedOut)}: `
      + 'moving it would disturb that checkout.'
    throw new LooperError('WORKSPACE_GIT', message, { fix: 'Check out another branch there (`git switch -`)' })
  }

  async function applyMove(change: Move, mark: string): Promise<boolean> {
    const { branch: step, candidate, merged, kept = [] } = change
    const lines = [
      ...(step ? [`update ${branchRef} ${step.to} ${step.from}`, `update ${keptRef} ${step.to}`] : []),
      ...[candidate, merged].flatMap((one) => (one ? [`update ${one.ref} ${one.commit}`] : [])),
      ...kept.map(({ ref, commit }) => `create ${ref} ${commit}`),
    ]
    const call: GitCall = { cwd: root, mark }
    if (step) known = null
    const moved = await transact(lines, call)
    if (moved.done) {
      if (step) known = step.to
      return true
    }
    if (!step) throw moved.error
    const { commit } = await readMovableTip(mark)
    // A git that was killed before it answered may have moved the branch.
    if (commit === step.to) return true
    if (commit !== step.from) return false
    // The branch may have been elsewhere or gone, and `readMovableTip` has restored it, so try again.
    known = null
    const again = await transact(lines, call)
    if (!again.done) throw again.error
    known = step.to
    return true
  }

  async function transact(
    lines: readonly string[],
    call: GitCall,
  ): Promise<{ done: true } | { done: false; error: LooperError }> {
    const args = ['update-ref', '-m', note, '--stdin']
    const input = lines.join('\n') + '\n'
    if (lines.every((line) => line.startsWith('update ')) && (await writer.write(lines))) return { done: true }
    let result = await tryGit(args, { ...call, input, timeoutMs: guardMs })
    // A git that is killed during a transaction leaves the locks of all its refs.
    for (let n = 0; n < lines.length; n++) {
      const lock = heldLock(result)
      // Only this process writes these refs, so a lock on one of them that persists belongs to a killed git.
      if (lock === null || !(lock.endsWith(`/${branchRef}.lock`) || lock.includes(`/${runRefFolder(run)}/`))) break
      removeNow(lock)
      result = await tryGit(args, { ...call, input, timeoutMs: guardMs })
    }
    if (result.timedOut) throw hung(guardMs)
    return result.exitCode === 0 ? { done: true } : { done: false, error: gitError(args, result) }
  }

  const hung = (ms: number): LooperError =>
    new LooperError(
      'WORKSPACE_GIT',
      `git did not move the run branch ${plain(branch)} within ${ms / 1000} s and was ended.`,
      { fix: 'Check whether another program blocks the repository or its disk' },
    )

  return {
    tip: (mark) => serially(() => readTip(mark)),
    movableTip: (mark) => serially(() => readMovableTip(mark)),
    move: (change, mark) => serially(() => applyMove(change, mark)),
    close: () => serially(writer.close),
  }
}

export interface ListedRef extends Tip {
  /** The path of the work tree that has it checked out, or empty. */
  checkedOut: string
}

/** Refs by full name, including refs below a name. `call` must name the checkout. */
export async function listRefs(
  names: readonly string[],
  call: GitCall & { cwd: string },
): Promise<Map<string, ListedRef>> {
  const args = ['for-each-ref', '--format=%(refname)%00%(objectname)%00%(tree)%00%(worktreepath)', ...names]
  let result = await tryGit(args, call)
  for (const attempt of [1, 2]) {
    if (!/failed to read .*commondir/.test(result.stderr)) break
    // Another process may be adding a work tree right now. If it is still incomplete after a moment, that process was
    // killed.
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
