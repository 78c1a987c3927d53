/** The branch that the user has checked out, and whether a run may be applied to it. */
import { LooperError } from '../../model/error.ts'
import { plain } from '../../views/text/plain-text.ts'
import { tryGit, type GitCall } from '../git/git.ts'

/** Null when HEAD is detached. */
export async function currentBranch(call: GitCall): Promise<string | null> {
  const { exitCode, stdout } = await tryGit(['symbolic-ref', '--quiet', '--short', 'HEAD'], call)
  return exitCode === 0 ? stdout.trim() : null
}

interface Branches {
  /** The branch that is checked out; null: none. */
  onto: string | null
  /** The branch that the run started from; null: none. */
  started: string | null
  /** The user did not name a branch: only the one that the run started from is meant. */
  onlyThere: boolean
}

/** A commit on a detached HEAD is lost at the next checkout, so it is made only where the run started like that. */
export function refuseOtherBranch(run: string, { onto, started, onlyThere }: Branches): void {
  if (onto === started || (onto !== null && !onlyThere)) return
  const from = started === null ? 'no branch' : plain(started)
  const now = onto === null ? 'no branch is checked out now (detached HEAD)' : `${plain(onto)} is checked out now`
  const back = started === null ? 'git switch --detach <commit>' : `git switch ${plain(started)}`
  throw new LooperError('WORKSPACE_APPLY', `The run started from ${from}, and ${now}. Nothing was applied.`, {
    hint:
      onto === null
        ? `Check out a branch first: \`${back}\`, then run \`looper apply ${plain(run)}\`.`
        : `\`looper apply ${plain(run)}\` applies it to ${plain(onto)}; \`${back}\` goes back first.`,
  })
}
