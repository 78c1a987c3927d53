/** Says at the start of a run that the user's git hooks do not run for Looper's commits. */
import type { Config } from '../../model/config.ts'
import { findCommitHooks } from '../../workspace/landing/user-hooks.ts'

export async function hookWarnings(root: string, { workspace }: Config): Promise<string[]> {
  if (workspace.hooks === 'run' || (workspace.mode === 'in-place' && !workspace.commit)) return []
  const found = await findCommitHooks(root)
  return found.length === 0
    ? []
    : [
        `your git hooks (${found.join(', ')}) do not run for commits of this run; `
          + '"workspace": { "hooks": "run" } runs them in `looper apply`',
      ]
}
