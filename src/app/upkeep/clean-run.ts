/** The removal of one run, or only of its turns, and what of it is in the way. */
import { join } from 'node:path'
import { LooperError } from '../../model/error.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import { diskUsage } from '../../platform/disk-usage.ts'
import { runKey } from '../../platform/mark.ts'
import { removePrivateFolders } from '../../platform/private-folders.ts'
import { endRun } from '../../platform/end-run.ts'
import type { CleanRequest } from '../../api/upkeep.ts'
import type { CleanStatus, KeptRun, RemovedRun } from '../../views/history/cleaning.ts'
import { shownStatus } from '../../views/facts/progress.ts'
import { removeTree } from '../../workspace/clones/remove-tree.ts'
import {
  findLeftovers,
  removeLeftovers,
  scratchFolders,
  type Leftovers,
  type RunInGit,
} from '../../workspace/landing/run-leftovers.ts'
import { recordCleaned } from '../runs/cleaned-turns.ts'
import type { AppContext } from '../context.ts'
import { readState } from '../runs/read-run.ts'
import { recount } from '../runs/recount.ts'
import { refuseContradictedClean } from '../runs/refuse-contradicted.ts'
import { runsOf } from '../runs/runs.ts'

/** A run as it was when the plan was made. */
interface SeenRun {
  run: string
  stored: StoredRun
  /** Null when its journal cannot be read. */
  state: RunState | null
  status: CleanStatus
  live: boolean
  at: string
}

/** One thing to remove. */
export interface CleanStep {
  row: RemovedRun
  remove(): Promise<void>
}

/** Oldest first. Skips links and folders without a journal: they are not runs. */
export async function runSnapshots(root: string): Promise<SeenRun[]> {
  const seen: SeenRun[] = []
  const runs = runsOf(root)
  for (const id of await runs.list()) {
    const stored = runs.open(id)
    const touched = await stored.journal.changedAt()
    if (touched !== null) seen.push(await inspect(stored, touched))
  }
  return seen
}

async function inspect(stored: StoredRun, touched: Date): Promise<SeenRun> {
  const live = await stored.lock.isHeld()
  const state = await readState(stored).catch((error: unknown) => {
    if (error instanceof LooperError) return null
    throw error
  })
  const at = state?.endedAt ?? (state === null || state.lastAt === '' ? touched.toISOString() : state.lastAt)
  return {
    run: stored.id,
    stored,
    state,
    live,
    at,
    status: state === null ? 'unreadable' : shownStatus(state, { live }),
  }
}

export const rowOf = ({ run, status, state }: SeenRun): Omit<KeptRun, 'bytes' | 'why'> => ({
  run,
  status,
  applied: (state?.applied ?? null) !== null,
  discarded: (state?.discardedAt ?? null) !== null,
})

export function sizeOf(root: string, { run, stored: { folder: own } }: SeenRun, { turns }: CleanRequest): number {
  const folders = turns ? [turnsOf(own)] : [own, ...scratchFolders(root, run)]
  return folders.reduce((sum, folder) => sum + diskUsage(folder), 0)
}

const turnsOf = (folder: string): string => join(folder, 'turns')

/** The step that removes a whole run, or the reason to keep it: its changes are neither applied nor discarded. */
export async function runStep(root: string, seen: SeenRun, request: CleanRequest): Promise<CleanStep | string> {
  const { run, stored, state } = seen
  const left = await findLeftovers(root, inGit(seen))
  const row = rowOf(seen)
  const isHandedOver = row.applied || row.discarded || left.settled !== 'unmerged'
  if (!request.all && state?.status === 'completed' && !isHandedOver) return 'it is not applied yet'
  const branch = fateOf(left, row.discarded)
  const removable =
    left.branch !== null && branch?.removed
      ? [{ name: `refs/heads/${left.branch.name}`, commit: left.branch.commit }]
      : []
  return {
    row: { ...row, applied: row.applied || left.settled === 'merged', bytes: sizeOf(root, seen, request), branch },
    remove: () =>
      atRest(seen, async () => {
        // Agents can outlive a killed engine.
        await endRun(runKey(stored.folder))
        await removePrivateFolders(runKey(stored.folder))
        await removeLeftovers(root, run, [...left.refs, ...removable])
        await removeTree(await runsOf(root).retire(run))
      }),
  }
}

/**
 * In place, the branch belongs to the user: null. Otherwise the name is derived from the run id and never read from a
 * file, so that no file can make clean delete another branch.
 */
function inGit({ run, state }: SeenRun): RunInGit {
  const branch = `looper/${run}`
  if (state === null || state.status === 'new') return { run, branch, base: null }
  return { run, branch: state.config.workspace.mode === 'in-place' ? null : branch, base: state.base.commit }
}

function fateOf({ branch, settled }: Leftovers, discarded: boolean): RemovedRun['branch'] {
  if (branch === null) return null
  const isWanted = settled === 'unmerged' && !discarded
  const why =
    branch.heldBy !== '' ? `it is checked out in ${branch.heldBy}` : isWanted ? 'no other branch has its commits' : null
  return { name: branch.name, removed: why === null, why }
}

export function turnsStep(context: Pick<AppContext, 'env' | 'home'>, root: string, seen: SeenRun): CleanStep {
  const folder = turnsOf(seen.stored.folder)
  return {
    row: { ...rowOf(seen), bytes: diskUsage(folder), branch: null },
    remove: () =>
      atRest(seen, async () => {
        await refuseContradictedClean(context, root, await recount(seen.stored))
        await recordCleaned(seen.stored)
        await removeTree(folder)
      }),
  }
}

/** Holds the lock of the run during `act`. Throws when the run is live or has new events since the plan was made. */
async function atRest({ run, stored, state }: SeenRun, act: () => Promise<void>): Promise<void> {
  const lock = await stored.lock.acquire()
  if (lock === null) throw new LooperError('USAGE_RUN_STATE', `${run} is under way by now.`)
  try {
    const isSame = state === null || (await readState(stored)).seq === state.seq
    if (!isSame) throw new LooperError('USAGE_RUN_STATE', `${run} was resumed meanwhile.`)
    await act()
  } finally {
    await lock.release()
  }
}
