/** Claims an issue exclusively for this run. */
import { withMachineLock } from '../machine-lock.ts'
import { isUnderWay, type BeadsIssue } from './issue.ts'
import type { Tracker } from './tracker.ts'

export interface Claimed {
  won: boolean
  now: BeadsIssue | null
}

/**
 * bd assigns an open issue atomically, but some versions have reported success to two callers, so the result is
 * checked. bd refuses to claim issues that are not open, such as deferred ones, and some versions cannot claim at all:
 * then the Loopers of this machine take a lock, and each checks the issue before it claims. `place` names the database
 * for that lock.
 */
export async function claimIssue(tracker: Tracker, id: string, by: string, database: string): Promise<Claimed> {
  const answer = await tracker.tryUpdate(id, '--claim', `--actor=${by}`)
  const now = await tracker.show(id)
  if (answer.ok || now === null || !isFree(now, by)) return standing(now, by)
  return withMachineLock(`beads:${database}`, () => claimByHand(tracker, id, by))
}

async function claimByHand(tracker: Tracker, id: string, by: string): Promise<Claimed> {
  const before = await tracker.show(id)
  if (before === null || !isFree(before, by)) return standing(before, by)
  await tracker.update(id, '--status=in_progress', `--assignee=${by}`, `--actor=${by}`)
  return standing(await tracker.show(id), by)
}

const standing = (now: BeadsIssue | null, by: string): Claimed => ({
  won: now?.status === 'in_progress' && now.assignee === by,
  now,
})

/** An issue in progress without an assignee belongs to another worker. */
const isFree = (issue: BeadsIssue, by: string): boolean =>
  issue.status !== 'closed' && !isUnderWay(issue) && (issue.assignee === '' || issue.assignee === by)
