/** A site on one machine: workspaces are folders of its file system, turns and checks are its processes. */
import type { Dispatch } from '../dispatch/dispatch.ts'
import type { Site, SiteWork } from '../model/ports/site.ts'
import { verificationWorkspace, type WorkspaceId } from '../model/work.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import { createSiteJobs } from './site-jobs.ts'
import type { StartMeans } from './start-work.ts'
import type { HooksOf } from './turn-hooks.ts'

export interface LocalSiteOptions extends Pick<StartMeans, 'prompt' | 'recall'> {
  workspaces: Workspaces
  dispatch: Dispatch
  hooksOf?: HooksOf
}

export function createLocalSite(options: LocalSiteOptions): Site {
  const { workspaces, dispatch, hooksOf = () => ({}) } = options
  const watchers = new Set<() => void>()
  const littered = new Set<WorkspaceId>()
  const jobs = createSiteJobs({
    ...options,
    hooksOf,
    littered,
    onChange() {
      for (const onHint of watchers) onHint()
    },
  })
  const folderOf = ({ workspace }: SiteWork): string =>
    workspace === verificationWorkspace ? '' : workspaces.path(workspace)

  return {
    async prepare(work) {
      const outcome = await workspaces.prepare(work)
      // What earlier work left there is gone.
      littered.delete(work.workspace)
      return outcome
    },
    inspect: workspaces.inspect,
    integrate: workspaces.integrate,
    overlay: workspaces.overlay,
    checkpoint: workspaces.checkpoint,
    rollback: workspaces.rollback,
    contents: workspaces.contents,
    changedPaths: workspaces.changedPaths,
    mentioning: workspaces.mentioning,

    ensure: jobs.ensure,
    cancel: jobs.cancel,
    statesOf: jobs.statesOf,
    forget(id) {
      jobs.forget(id)
      dispatch.release(id)
    },
    releaseWorkspace(workspace) {
      littered.delete(workspace)
      workspaces.release(workspace)
    },
    watch(onHint) {
      watchers.add(onHint)
      const unwatch = dispatch.watch(onHint)
      return () => {
        watchers.delete(onHint)
        unwatch()
      }
    },
    quiet: dispatch.quiet,
    async recover(left, used) {
      await dispatch.recover(left.map(({ work, starts }) => ({ work, starts, cwd: folderOf(work) })))
      for (const started of left) jobs.adopt(started)
      for (const workspace of used) littered.add(workspace)
    },
  }
}
