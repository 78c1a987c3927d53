/** Shows the result of a run: its report and its diff. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maskBytes } from '../../agents/mask.ts'
import { LooperError } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import { clock } from '../../views/text/format.ts'
import { reportMd } from '../../views/report/report-md.ts'
import { createInPlace } from '../../workspace/in-place.ts'
import { diffRun, diffTrees, isDiscarded, type DiffOptions } from '../../workspace/landing/review.ts'
import { missingObjects } from '../../workspace/git/missing-objects.ts'
import type { AppContext } from '../context.ts'
import { readRun } from '../runs/read-run.ts'
import { maskFor } from '../launch/run-mask.ts'

export async function report(root: string, id: string): Promise<string> {
  const { state, live } = await readRun(root, id)
  return reportMd(state, { live })
}

export async function diff(context: AppContext, root: string, id: string, options: DiffOptions): Promise<Buffer> {
  const { state } = await readRun(root, id)
  await refuseDiscarded(root, state)
  return maskBytes(await diffOf(root, state, options), maskFor(context, root, state.config.secrets))
}

/** Throws USAGE_RUN_STATE when the user has discarded the changes of the run. */
export async function refuseDiscarded(root: string, { run, branch, config, discardedAt }: RunState): Promise<void> {
  if (discardedAt === null || config.workspace.mode === 'in-place' || !(await isDiscarded(root, { run, branch })))
    return
  throw new LooperError('USAGE_RUN_STATE', `${run} was discarded (${clock(discardedAt)}): its changes are gone.`, {
    hint: `\`looper report ${run}\` shows what it did. Start a new run: looper run "<goal>"`,
  })
}

async function diffOf(root: string, state: RunState, options: DiffOptions): Promise<Buffer> {
  if (state.config.workspace.mode === 'worktree') return diffRun(root, state.base.commit, state.branch, options)
  return diffTrees(root, await startOf(root, state), await checkoutTree(root, state), options)
}

/** The checkout before the first task, with the user's own untracked files, as long as git has it. */
async function startOf(root: string, { base, baseline }: RunState): Promise<string> {
  const tree = baseline?.tree ?? null
  return tree === null || (await missingObjects(root, [tree])).length > 0 ? base.commit : tree
}

/** In place there is no run branch: uses the current files of the checkout, including untracked ones. */
async function checkoutTree(root: string, { run, base, config }: RunState): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'looper-diff-'))
  try {
    const workspaces = createInPlace({ root, runDir: scratch, run, workspace: config.workspace, mark: (id) => id })
    return (
      await workspaces.inspect({ kind: 'inspect', id: 'diff', workspace: 'main', base: base.commit, restore: null })
    ).tree
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
