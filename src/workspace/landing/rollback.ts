/**
 * Moves the run branch back to one of its own commits. The abandoned commits stay reachable, and an interrupted earlier
 * rollback is superseded.
 */
import { LooperError } from '../../model/error.ts'
import type { RollbackOutcome, RollbackWork } from '../../model/work.ts'
import { plain } from '../../views/text/plain-text.ts'
import type { Landings } from './commit.ts'
import { tryGit, type GitCall } from '../git/git.ts'
import { freeAside, listRefs, runRefFolder, type RunRefs } from './run-refs.ts'

export interface RollbackOptions {
  root: string
  run: string
  /** The commit the run starts from. */
  base: string
  refs: RunRefs
  landings: Landings
}

export async function rollBack(
  { from, to }: RollbackWork,
  options: RollbackOptions,
  mark: string,
): Promise<RollbackOutcome> {
  const { root, run, base, refs, landings } = options
  const call = { cwd: root, mark }
  const aside = `${runRefFolder(run)}/set-aside`
  const listed = await listRefs([aside], call)
  const keeping = (left: string): string | null => [...listed].find(([, { commit }]) => commit === left)?.[0] ?? null
  if ((await refs.tip(mark)).commit === to) {
    landings.forget()
    return { kind: 'rollback', status: 'done', kept: from === to ? null : keeping(from) }
  }
  // `to` must be a commit of the run branch: between the base and `from`.
  if (!(await isBetween(base, to, from, call))) {
    throw new LooperError('WORKSPACE_GIT', `${plain(to)} is no commit of this run: its branch cannot go back there.`)
  }
  const { commit: tip } = await refs.movableTip(mark)
  // Only Looper moves the branch. If it is behind `from`, an earlier rollback was interrupted; if it is ahead, a commit
  // landed meanwhile.
  const left = (await isBetween(base, tip, from, call)) ? from : tip
  if (!(await isBetween(from, left, left, call))) return { kind: 'rollback', status: 'moved', kept: null }
  const known = keeping(left)
  const kept = known ?? freeAside(run, listed)
  const change = { branch: { from: tip, to }, ...(known === null ? { kept: [{ ref: kept, commit: left }] } : {}) }
  const isThere = (await refs.move(change, mark)) || (await refs.tip(mark)).commit === to
  if (isThere) landings.forget()
  return isThere ? { kind: 'rollback', status: 'done', kept } : { kind: 'rollback', status: 'moved', kept: null }
}

/** Whether `commit` lies between the other two in the history. */
async function isBetween(older: string, commit: string, newer: string, call: GitCall): Promise<boolean> {
  const follows = async (one: string, other: string): Promise<boolean> =>
    one === other || (await tryGit(['merge-base', '--is-ancestor', one, other], call)).exitCode === 0
  return (await follows(older, commit)) && follows(commit, newer)
}
