/** The removal of workspaces and folders whose run no longer exists. */
import { loadConfig } from '../../config/layers.ts'
import { LooperError } from '../../model/error.ts'
import { diskUsage } from '../../platform/disk-usage.ts'
import { runKey } from '../../platform/mark.ts'
import { removePrivateFolders } from '../../platform/private-folders.ts'
import { endRun } from '../../platform/end-run.ts'
import { removeTree } from '../../workspace/clones/remove-tree.ts'
import { orphanedFolders } from '../../workspace/workspaces-folder.ts'
import type { AppContext } from '../context.ts'
import { runsOf } from '../runs/runs.ts'
import type { CleanStep } from './clean-run.ts'

/** Workspaces of runs that have no folder any more. */
export async function orphanSteps(context: Pick<AppContext, 'env' | 'home'>, root: string): Promise<CleanStep[]> {
  const steps: CleanStep[] = []
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
export function configuredFolder({ env, home }: Pick<AppContext, 'env' | 'home'>, root: string): string | null {
  try {
    return loadConfig({ root, env, home }).config.workspace.folder ?? null
  } catch (error) {
    if (error instanceof LooperError) return null
    throw error
  }
}

/** Removes folders that an interrupted clean left behind. */
export async function leftoverSteps(root: string): Promise<CleanStep[]> {
  return (await runsOf(root).retired()).map(({ id, folder }) => ({
    row: { run: id, status: 'leftover', applied: false, discarded: false, bytes: diskUsage(folder), branch: null },
    remove: () => removeTree(folder),
  }))
}
