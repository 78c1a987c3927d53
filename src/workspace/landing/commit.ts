/** Creates Looper's commits: one per task, with trailers, so that repeated work lands only once. */
import type { IntegrateWork } from '../../model/work.ts'
import { landingOf } from '../../model/work-id.ts'
import { plain } from '../../views/text/plain-text.ts'
import { git, type GitCall } from '../git/git.ts'
import { commitText, withTrailers, type CommitWording } from './commit-message.ts'
import type { NewCommit } from '../git/quick-commit.ts'

type Named = Pick<IntegrateWork, 'id' | 'task' | 'title' | 'type'>

export function messageOf(run: string, work: Named, wording: CommitWording): string {
  const { task, title, type = null } = work
  const text = commitText(run, { id: task, title, type }, wording)
  return withTrailers(text, trailersOf(run, work), wording.settings?.template ?? null)
}

/** The title of the work is the reason for the revert. */
export function revertMessageOf(
  run: string,
  work: Named,
  { commit, subject }: { commit: string; subject: string },
): string {
  const why = plain(work.title, 500)
  const body = [`This takes back ${commit}.`, why].filter((line) => line !== '').join('\n\n')
  const trailers = { ...trailersOf(run, work), 'Looper-Reverts': commit }
  return withTrailers(`Revert "${plain(subject, 62)}"\n\n${body}\n`, trailers, null)
}

const trailersOf = (run: string, { id, task }: Named): Record<string, string> => ({
  'Looper-Run': run,
  'Looper-Task': task,
  'Looper-Work': landingOf(id),
})

export async function makeCommit(commit: NewCommit, call: GitCall): Promise<string> {
  const { tree, parents, message } = commit
  const args = ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent]), '-F', '-']
  return call.quick?.commit(commit) ?? git(args, { ...call, input: message })
}

/** Maps each landing in this range to its commit. */
export async function listLandings(range: string, call: GitCall): Promise<Map<string, string>> {
  const format = '%H %(trailers:key=Looper-Work,valueonly,separator=%x20)'
  const listed = await git(['rev-list', '--no-commit-header', `--format=${format}`, range, '--'], call)
  return new Map(
    listed.split('\n').flatMap((line): [string, string][] => {
      const [commit = '', landing = ''] = line.split(' ')
      return landing === '' ? [] : [[landing, commit]]
    }),
  )
}

export interface Landings {
  /** The commit of this work's landing if the branch at `tip` already contains it; null otherwise. */
  find(workId: string, tip: string): Promise<string | null>
  /**
   * Records that the branch moved directly `from` one commit `to` the next, so that `find` does not read that commit
   * again.
   */
  add(workId: string, from: string, to: string): void
  /** Call it after a rollback: earlier landings may no longer be on the branch. */
  forget(): void
}

/** Caches the landings since `start` and reads only commits that it has not seen. */
export function createLandings(start: string, call: GitCall): Landings {
  const known = new Map<string, string>()
  let seen = start
  return {
    async find(workId, tip) {
      if (tip !== seen)
        for (const [landing, commit] of await listLandings(`${seen}..${tip}`, call)) known.set(landing, commit)
      seen = tip
      return known.get(plain(landingOf(workId))) ?? null
    },
    add(workId, from, to) {
      if (from !== seen) return
      known.set(plain(landingOf(workId)), to)
      seen = to
    },
    forget() {
      known.clear()
      seen = start
    },
  }
}
