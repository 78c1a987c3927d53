/** Shows the result of a run: its report and its diff. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { maskBytes } from '../agents/mask.ts'
import type { RunState } from '../model/state.ts'
import { reportMd } from '../views/report-md.ts'
import { createInPlace } from '../workspace/in-place.ts'
import { diffRun, diffTrees, type DiffOptions } from '../workspace/review.ts'
import type { Context } from './context.ts'
import { readRun } from './read-run.ts'
import { maskFor } from './run-mask.ts'

export async function report(root: string, id: string): Promise<string> {
  const { state, live } = await readRun(root, id)
  return reportMd(state, { live })
}

export async function diff(context: Context, root: string, id: string, options: DiffOptions): Promise<Buffer> {
  const { state } = await readRun(root, id)
  return maskBytes(await diffOf(root, state, options), maskFor(context, root, state.config.secrets))
}

async function diffOf(root: string, state: RunState, options: DiffOptions): Promise<Buffer> {
  if (state.config.workspace.mode === 'worktree') return diffRun(root, state.base.commit, state.branch, options)
  return diffTrees(root, state.base.commit, await checkoutTree(root, state), options)
}

/** In place there is no run branch: uses the current files of the checkout, including untracked ones. */
async function checkoutTree(root: string, { run, base, config }: RunState): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'looper-diff-'))
  try {
    const places = createInPlace({ root, runDir: scratch, run, workspace: config.workspace, mark: (id) => id })
    return (await places.inspect({ kind: 'inspect', id: 'diff', workspace: 'main', base: base.commit, restore: null }))
      .tree
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
