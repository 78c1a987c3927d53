/** After a run: look at what it made, take it over, or throw it away. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { RunState } from '../model/state.ts'
import { reportMd } from '../views/report-md.ts'
import { plural } from '../views/format.ts'
import { acquireLock, lockName } from '../platform/lock.ts'
import { runKey } from '../platform/mark.ts'
import { endMarked } from '../platform/sweep.ts'
import { createInPlace } from '../workspace/in-place.ts'
import { applyRun, diffRun, diffTrees, discardRun, type DiffOptions } from '../workspace/review.ts'
import { isLive, readRun } from './read-run.ts'
import { runFolder } from './run-folder.ts'

export async function report(root: string, id: string): Promise<string> {
  const { state, live } = await readRun(root, id)
  return reportMd(state, { live })
}

export async function diff(root: string, id: string, options: DiffOptions): Promise<Buffer> {
  const { state } = await readRun(root, id)
  if (state.config.workspace.mode === 'worktree') return diffRun(root, state.base.commit, state.branch, options)
  return diffTrees(root, state.base.commit, await checkoutTree(root, state), options)
}

/** In place there is no branch: what counts is what the checkout holds now, files that git does not know yet included. */
async function checkoutTree(root: string, { run, base, config }: RunState): Promise<string> {
  const scratch = await mkdtemp(join(tmpdir(), 'looper-diff-'))
  try {
    const places = createInPlace({ root, runDir: scratch, run, workspace: config.workspace, mark: (id) => id })
    return (await places.inspect({ kind: 'inspect', id: 'diff', workspace: 'main', base: base.commit, restore: null })).tree
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

export async function applyById(root: string, id: string): Promise<string> {
  const { state, dir } = await readRun(root, id)
  if (await isLive(dir)) throw new LooperError('USAGE_RUN_STATE', `${id} is still under way.`, { hint: `Wait for it, or stop it: looper stop ${id}` })
  return apply(root, state)
}

export async function apply(root: string, { run, branch, base, config }: RunState): Promise<string> {
  if (config.workspace.mode === 'in-place') return `${run} worked in place: its changes are in your checkout already.`
  const { status, commit, merged, files } = await applyRun(root, { run, branch, base: base.commit })
  switch (status) {
    case 'nothing':
      return `${run} changed nothing.`
    case 'already':
      return `${run} is in your branch already.`
    case 'applied':
      return `Applied ${run}: ${plural(files, 'file')} changed, your branch is at ${commit.slice(0, 8)}${merged ? ' (a merge)' : ''}.`
  }
}

export async function discard(root: string, id: string): Promise<string> {
  const { state } = await readRun(root, id)
  if (state.config.workspace.mode === 'in-place') {
    throw new LooperError('USAGE_RUN_STATE', `${id} worked in place: Looper never throws away changes in your checkout.`, {
      hint: `Look at them with git diff ${state.base.commit.slice(0, 8)}, and undo what you do not want.`,
    })
  }
  const dir = runFolder(root, id)
  const lock = await acquireLock(lockName(dir))
  if (lock === null) throw new LooperError('USAGE_RUN_STATE', `${id} is still under way.`, { hint: `Stop it first: looper stop ${id}` })
  try {
    // Agents outlive an engine that was killed.
    await endMarked(`${runKey(dir)}:`)
    return told(id, await discardRun(root, { run: state.run, branch: state.branch }))
  } finally {
    await lock.release()
  }
}

function told(id: string, gone: readonly string[]): string {
  if (gone.length === 0) return `${id} had left no branch.`
  return `Discarded ${id}: ${gone.length === 1 ? 'its branch is' : 'its branches are'} gone. Its journal and report stay.`
}
