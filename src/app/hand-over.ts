/** After a run: applies its commits to the user's branch, or discards them. Either is recorded in its journal. */
import { LooperError } from '../model/error.ts'
import type { RunState } from '../model/state.ts'
import { runKey } from '../platform/mark.ts'
import { endRun } from '../platform/end-run.ts'
import type { Observer } from '../api/runs.ts'
import { attentionText } from '../views/attention.ts'
import { plural } from '../views/format.ts'
import { applyRun, discardRun, type Applied } from '../workspace/review.ts'
import type { Context } from './context.ts'
import { createProjections } from './projections.ts'
import { recount, type Recounted } from './recount.ts'
import { refuseContradicted } from './refuse-contradicted.ts'
import { withRestingRun } from './resting-run.ts'
import { runOf } from './runs.ts'

interface HandedOver {
  state: RunState
  /** The result as text for the user. */
  message: string
}

type Watch = Observer['onEvent']

interface ApplyOptions {
  watch?: Watch
  /**
   * Checks the commit that would be applied, and throws when it must not be applied. Returns the names of passed
   * checks.
   */
  check?: (recounted: Recounted, commit: string) => Promise<readonly string[]>
}

export const apply = (
  context: Context,
  root: string,
  id: string,
  { watch, check }: ApplyOptions = {},
): Promise<HandedOver> =>
  atRest(root, id, { hint: `Wait for it, or stop it: looper stop ${id}`, watch }, async (_, record) => {
    // Reads the journal, because an agent may have written the snapshot.
    const recounted = await recount(runOf(root, id))
    const { state } = recounted
    const { run, branch, base, config } = state
    if (config.workspace.mode === 'in-place') return `${run} worked in place: its changes are in your checkout already.`
    let passed: readonly string[] = []
    const applied = await applyRun(
      root,
      { run, branch, base: base.commit },
      {
        compare: (commit) => refuseContradicted(context, root, recounted, commit),
        async verify(commit) {
          passed = check ? await check(recounted, commit) : []
        },
      },
    )
    // A merge by hand, or an apply that was interrupted before it was recorded, counts as applied too.
    if (applied.status === 'applied' || (applied.status === 'already' && state.applied === null)) {
      record({ type: 'run.applied', commit: applied.commit, onto: applied.onto })
    }
    const green = passed.length === 0 ? '' : ` ${plural(passed.length, 'check')} green on it: ${passed.join(', ')}.`
    return `${appliedText(run, applied)}${green}${applied.status === 'applied' ? worthALook(state) : ''}`
  })

/** Open problems that the user should see after applying the run. */
function worthALook(state: RunState): string {
  const { next } = state.convergence
  const known = next?.do === 'escalate' ? next.evidence : attentionText(state)
  return known === '' ? '' : ` Review this: ${known}.`
}

function appliedText(run: string, { status, commit, merged, files }: Applied): string {
  const tip = `${commit.slice(0, 8)}${merged ? ' (a merge)' : ''}`
  switch (status) {
    case 'nothing':
      return `Nothing to apply: ${run} has landed no changes. \`looper report ${run}\` shows what it did.`
    case 'already':
      return `${run} is already in your branch.`
    case 'applied':
      return `Applied ${run}: ${plural(files, 'file')} changed, your branch is at ${tip}.`
  }
}

export const discard = (root: string, id: string): Promise<HandedOver> =>
  atRest(root, id, { hint: `Stop it first: looper stop ${id}` }, async (state, record) => {
    refuseInPlace(state)
    // Agents can outlive a killed engine.
    await endRun(runKey(runOf(root, id).folder))
    const { refs, commit } = await discardRun(root, { run: state.run, branch: state.branch })
    if (refs.length > 0 || state.discardedAt === null) record({ type: 'run.discarded', commit })
    return `${discardedText(id, refs.length)}${await (await import('./reopen-tasks.ts')).reopenTasks(root, state)}`
  })

function refuseInPlace({ run, base, config }: RunState): void {
  if (config.workspace.mode !== 'in-place') return
  throw new LooperError('USAGE_RUN_STATE', `${run} worked in place: Looper never discards changes in your checkout.`, {
    hint: `Review them with git diff ${base.commit.slice(0, 8)}, and undo what you do not want.`,
  })
}

function discardedText(id: string, gone: number): string {
  if (gone === 0) return `${id} has no branch.`
  return `Discarded ${id}: ${gone === 1 ? 'its branch is' : 'its branches are'} gone. Its journal and report stay.`
}

type Act = (state: RunState, record: Parameters<Parameters<typeof withRestingRun>[1]>[1]['record']) => Promise<string>

/** Holds the lock of the run while `act` runs. */
async function atRest(
  root: string,
  id: string,
  { hint, watch }: { hint: string; watch?: Watch | undefined },
  act: Act,
): Promise<HandedOver> {
  const run = runOf(root, id)
  const lock = await run.lock.acquire()
  if (lock === null) throw new LooperError('USAGE_RUN_STATE', `${id} is still under way.`, { hint })
  try {
    return await withRestingRun(
      run,
      async (state, recorder) => {
        if (state.status === 'new') throw new LooperError('USAGE_RUN_STATE', `${id} never started.`)
        const { seq } = state
        const message = await act(state, recorder.record)
        await recorder.flush()
        // A crashed run has no report yet, so there is nothing to update.
        if (state.seq > seq && state.status !== 'running') createProjections(run.folder, state).write(state)
        return { state, message }
      },
      watch,
    )
  } finally {
    await lock.release()
  }
}
