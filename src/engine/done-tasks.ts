/** Releases the workspaces of done tasks, once no work is left in them. */
import { workspacesOf } from '../core/tasks/workspace-needs.ts'
import type { Site } from '../model/ports/site.ts'
import type { RunState } from '../model/state.ts'
import type { Work } from '../model/work.ts'

export interface DoneTasks {
  /** Called when the work is over. An attempt that lost a race may end long after its task is done. */
  ended(work: Work | undefined): void
  /** Releases the workspaces of these tasks, and of those whose last work has ended since. */
  release(tasks: readonly string[]): void
}

export function createDoneTasks(state: RunState, site: Pick<Site, 'releaseWorkspace'>): DoneTasks {
  /** Tasks that were done while work was still running in their workspaces. */
  const late = new Set<string>()

  /** Does nothing when the task was reopened at once. */
  const leave = (task: string): void => {
    const done = state.tasks[task]
    if (done?.status !== 'done') return
    const busy = new Set(
      Object.values(state.works).flatMap(({ work }) => ('workspace' in work ? [work.workspace] : [])),
    )
    // An attempt that lost the race may still be ending in its workspace.
    for (const workspace of workspacesOf(done).filter((each) => !busy.has(each))) site.releaseWorkspace(workspace)
  }
  return {
    ended(work) {
      const task = work && 'task' in work && 'workspace' in work ? work.task : null
      if (typeof task === 'string' && state.tasks[task]?.status === 'done') late.add(task)
    },
    release(tasks) {
      for (const task of new Set([...tasks, ...late])) leave(task)
      late.clear()
    },
  }
}
