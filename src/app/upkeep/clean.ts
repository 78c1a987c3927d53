/** `looper clean`: removes old runs with their workspaces and refs. It removes exactly what it showed in advance. */
import { LooperError } from '../../model/error.ts'
import type { CleanRequest, PreparedClean } from '../../api/upkeep.ts'
import type { Cleaning, KeptRun, RemovedRun } from '../../views/history/cleaning.ts'
import { reasonToStay } from './clean-choice.ts'
import type { AppContext } from '../context.ts'
import { runsOf } from '../runs/runs.ts'
import { rowOf, runStep, runSnapshots, sizeOf, turnsStep, type CleanStep } from './clean-run.ts'
import { orphanSteps, leftoverSteps } from './clean-leftovers.ts'

export async function prepareClean(
  context: Pick<AppContext, 'env' | 'home'>,
  root: string,
  request: CleanRequest,
  now: string,
): Promise<PreparedClean> {
  const steps: CleanStep[] = request.turns
    ? []
    : [...(await leftoverSteps(root)), ...(await orphanSteps(context, root))]
  const kept: KeptRun[] = []
  const runs = await runSnapshots(root)
  for (const [index, seen] of runs.entries()) {
    const stays = reasonToStay(seen, runs.length - index, request, now)
    const planned = stays ?? (request.turns ? turnsStep(context, root, seen) : await runStep(root, seen, request))
    if (typeof planned === 'string') kept.push({ ...rowOf(seen), bytes: sizeOf(root, seen, request), why: planned })
    else steps.push(planned)
  }
  const wanted = steps.filter(({ row }) => !request.turns || row.bytes > 0)
  return {
    plan: resultOf(
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
  steps: readonly CleanStep[],
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
  return resultOf(request, false, removed, kept, failed)
}

function resultOf(
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
