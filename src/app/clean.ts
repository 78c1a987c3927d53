/** `looper clean`: removes old runs with their workspaces and refs. It removes exactly what it showed in advance. */
import { join } from 'node:path'
import { loadConfig } from '../config/layers.ts'
import { LooperError } from '../model/error.ts'
import type { StoredRun } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { diskUsage } from '../platform/disk-usage.ts'
import { runKey } from '../platform/mark.ts'
import { removePrivateFolders } from '../platform/private-folders.ts'
import { endRun } from '../platform/end-run.ts'
import type { CleanRequest, PreparedClean } from '../api/upkeep.ts'
import type { Cleaning, CleanStatus, KeptRun, RemovedRun } from '../views/cleaning.ts'
import { shownStatus } from '../views/progress.ts'
import { removeTree } from '../workspace/remove-tree.ts'
import {
  findLeftovers,
  removeLeftovers,
  scratchFolders,
  type Leftovers,
  type RunInGit,
} from '../workspace/run-leftovers.ts'
import { orphanedFolders } from '../workspace/workspaces-folder.ts'
import { reasonToStay } from './clean-choice.ts'
import { recordCleaned } from './cleaned-turns.ts'
import type { Context } from './context.ts'
import { readState } from './read-run.ts'
import { recount } from './recount.ts'
import { refuseContradictedClean } from './refuse-contradicted.ts'
import { runsOf } from './runs.ts'

/** A run as it was when the plan was made. */
interface Seen {
  run: string
  stored: StoredRun
  /** Null when its journal cannot be read. */
  state: RunState | null
  status: CleanStatus
  live: boolean
  at: string
}

/** One thing to remove. */
interface Step {
  row: RemovedRun
  remove(): Promise<void>
}

export async function prepareClean(
  context: Pick<Context, 'env' | 'home'>,
  root: string,
  request: CleanRequest,
  now: string,
): Promise<PreparedClean> {
  const steps: Step[] = request.turns ? [] : [...(await leftoverSteps(root)), ...(await orphanSteps(context, root))]
  const kept: KeptRun[] = []
  const runs = await seenRuns(root)
  for (const [index, seen] of runs.entries()) {
    const stays = reasonToStay(seen, runs.length - index, request, now)
    const planned = stays ?? (request.turns ? turnsStep(context, root, seen) : await runStep(root, seen, request))
    if (typeof planned === 'string') kept.push({ ...rowOf(seen), bytes: sizeOf(root, seen, request), why: planned })
    else steps.push(planned)
  }
  const wanted = steps.filter(({ row }) => !request.turns || row.bytes > 0)
  return {
    plan: told(
      request,
      true,
      wanted.map(({ row }) => row),
      kept,
      [],
    ),
    perform: () => perform(root, request, wanted, kept),
  }
}

async function perform(
  root: string,
  request: CleanRequest,
  steps: readonly Step[],
  kept: readonly KeptRun[],
): Promise<Cleaning> {
  const removed: RemovedRun[] = []
  const failed: Cleaning['failed'] = []
  for (const { row, remove } of steps) {
    try {
      await remove()
      removed.push(row)
    } catch (error) {
      if (!(error instanceof LooperError)) throw error
      failed.push({ run: row.run, why: error.message })
    }
  }
  await runsOf(root).refresh()
  return told(request, false, removed, kept, failed)
}

function told(
  { turns }: CleanRequest,
  dryRun: boolean,
  removed: RemovedRun[],
  kept: readonly KeptRun[],
  failed: Cleaning['failed'],
): Cleaning {
  const sum = (rows: readonly { bytes: number }[]): number => rows.reduce((total, { bytes }) => total + bytes, 0)
  return {
    dryRun,
    of: turns ? 'turns' : 'runs',
    removed,
    kept: [...kept],
    failed,
    freedBytes: sum(removed),
    totalBytes: sum(removed) + sum(kept),
  }
}

/** Oldest first. Skips links and folders without a journal: they are not runs. */
async function seenRuns(root: string): Promise<Seen[]> {
  const seen: Seen[] = []
  const runs = runsOf(root)
  for (const id of await runs.list()) {
    const stored = runs.open(id)
    const touched = await stored.journal.changedAt()
    if (touched !== null) seen.push(await look(stored, touched))
  }
  return seen
}

async function look(stored: StoredRun, touched: Date): Promise<Seen> {
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

const rowOf = ({ run, status, state }: Seen): Omit<KeptRun, 'bytes' | 'why'> => ({
  run,
  status,
  applied: (state?.applied ?? null) !== null,
  discarded: (state?.discardedAt ?? null) !== null,
})

function sizeOf(root: string, { run, stored: { folder: own } }: Seen, { turns }: CleanRequest): number {
  const folders = turns ? [turnsOf(own)] : [own, ...scratchFolders(root, run)]
  return folders.reduce((sum, folder) => sum + diskUsage(folder), 0)
}

const turnsOf = (folder: string): string => join(folder, 'turns')

/** The step that removes a whole run, or the reason to keep it: its changes are neither applied nor discarded. */
async function runStep(root: string, seen: Seen, request: CleanRequest): Promise<Step | string> {
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
function inGit({ run, state }: Seen): RunInGit {
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

function turnsStep(context: Pick<Context, 'env' | 'home'>, root: string, seen: Seen): Step {
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
async function atRest({ run, stored, state }: Seen, act: () => Promise<void>): Promise<void> {
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

/** Workspaces of runs that have no folder any more. */
async function orphanSteps(context: Pick<Context, 'env' | 'home'>, root: string): Promise<Step[]> {
  const steps: Step[] = []
  const runs = runsOf(root)
  const configured = configuredFolder(context, root)
  for (const { run, path } of orphanedFolders(root, await runs.list(), configured, context.env)) {
    const { folder, lock } = runs.open(run)
    if (await lock.isHeld()) continue
    steps.push({
      row: { run, status: 'leftover', applied: false, discarded: false, bytes: diskUsage(path), branch: null },
      async remove() {
        await endRun(runKey(folder))
        await removePrivateFolders(runKey(folder))
        await removeTree(path)
      },
    })
  }
  return steps
}

/** A configuration that cannot be read must not prevent the removal of runs. */
function configuredFolder({ env, home }: Pick<Context, 'env' | 'home'>, root: string): string | null {
  try {
    return loadConfig({ root, env, home }).config.workspace.folder ?? null
  } catch (error) {
    if (error instanceof LooperError) return null
    throw error
  }
}

/** Removes folders that an interrupted clean left behind. */
async function leftoverSteps(root: string): Promise<Step[]> {
  return (await runsOf(root).retired()).map(({ id, folder }) => ({
    row: { run: id, status: 'leftover', applied: false, discarded: false, bytes: diskUsage(folder), branch: null },
    remove: () => removeTree(folder),
  }))
}
