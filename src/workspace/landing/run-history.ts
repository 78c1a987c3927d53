/** The commits and trees of a run in the user's repository: reads them, makes new ones, and moves the branch back. */
import { join } from 'node:path'
import type { TreeOverlay } from '../../model/ports/site.ts'
import type { ChangedFile } from '../../model/tamper.ts'
import type { CheckpointOutcome, CheckpointWork, RollbackOutcome, RollbackWork } from '../../model/work.ts'
import { plain } from '../../views/text/plain-text.ts'
import { readChanged } from '../git/contents.ts'
import { pathsMentioning } from '../git/mentions.ts'
import { overlayTree } from '../git/overlay.ts'
import { safeName } from '../git/safe-name.ts'
import { compareTrees } from '../git/tree-changes.ts'
import type { OwnGit } from '../own-git.ts'
import { makeCheckpoint } from './checkpoint.ts'
import { makeCommit } from './commit.ts'
import { rollBack, type RollbackOptions } from './rollback.ts'
import { runRefFolder } from './run-refs.ts'

export interface RunHistoryOptions extends RollbackOptions {
  git: OwnGit
  /** The folder for Looper's own files about the workspaces. */
  stateFolder: string
  mark: (workId: string) => string
}

export function openRunHistory({ git, stateFolder, mark, ...options }: RunHistoryOptions) {
  const { run, refs, landings } = options
  return {
    /** A ref keeps the tree, because the user's git may prune unreachable objects while the run is paused. */
    overlay: async (overlay: TreeOverlay): Promise<string> => {
      const call = await git.call(mark(overlay.id))
      const tree = await overlayTree(overlay, join(stateFolder, `${safeName(overlay.id)}.overlay`), call)
      const commit = await makeCommit({ tree, parents: [], message: `Overlay for ${plain(overlay.id)}\n` }, call)
      await refs.move(
        { candidate: { ref: `${runRefFolder(run)}/overlays/${safeName(overlay.id)}`, commit } },
        call.mark,
      )
      return tree
    },

    checkpoint: async (work: CheckpointWork): Promise<CheckpointOutcome> =>
      makeCheckpoint(work, run, refs, await git.call(mark(work.id))),

    rollback: async (work: RollbackWork): Promise<RollbackOutcome> => rollBack(work, options, mark(work.id)),

    /** The commit of this work's landing; null when it is not on the branch. */
    landed: async (workId: string): Promise<string | null> =>
      landings.find(workId, (await refs.tip(mark(workId))).commit),

    contents: async (
      from: string,
      tree: string,
      maxBytes: number,
      also: readonly string[] = [],
      binary = false,
    ): Promise<ChangedFile[]> => readChanged(from, tree, maxBytes, await git.call(mark('contents')), also, binary),

    changedPaths: async (from: string, tree: string): Promise<string[]> =>
      (await compareTrees(from, tree, await git.call(mark('contents')))).map(({ path }) => path),

    mentioning: async (tree: string, words: readonly string[]): Promise<string[]> =>
      pathsMentioning(tree, words, await git.call(mark('contents'))),
  }
}
