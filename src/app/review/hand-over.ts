/** After a run: applies its commits to the user's branch, or discards them. Either is recorded in its journal. */
import { loadConfig } from '../../config/layers.ts'
import type { Recorder } from '../../engine/recorder.ts'
import type { ApplyStyle } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import type { RunState } from '../../model/state.ts'
import { runKey } from '../../platform/mark.ts'
import { endRun } from '../../platform/end-run.ts'
import { applyRun, type ApplyTarget } from '../../workspace/landing/apply-run.ts'
import { squashText } from '../../workspace/landing/commit-message.ts'
import { discardRun } from '../../workspace/landing/review.ts'
import type { AppContext } from '../context.ts'
import { appliedText } from './applied-text.ts'
import { refuseDiscarded } from './review.ts'
import type { PerformedRun } from '../follow/performed-run.ts'
import { createProjections } from '../launch/projections.ts'
import { recount } from '../runs/recount.ts'
import { refuseContradicted } from '../runs/refuse-contradicted.ts'
import { withRestingRun } from '../runs/resting-run.ts'
import { runOf } from '../runs/runs.ts'
import { refuseChanged } from '../settings/changed-settings.ts'
import type { VerifyOptions } from './verify-apply.ts'

export interface HandedOver {
  state: RunState
  /** The result as text for the user. */
  message: string
}

interface ApplyOptions extends VerifyOptions {
  /** Called with the event of the apply. */
  publish?: PerformedRun['publish']
  /** Default: the one of the configuration. */
  style?: ApplyStyle | undefined
  hooks?: 'run' | 'skip' | undefined
  /** Refuse another branch than the one that the run started from. */
  onlyThere?: boolean
}

export const apply = (
  context: AppContext,
  root: string,
  id: string,
  { publish, ...options }: ApplyOptions = {},
): Promise<HandedOver> =>
  atRest(root, id, { hint: `Wait for it, or stop it: looper stop ${id}`, publish }, async (_, record) => {
    // Reads the journal, because an agent may have written the snapshot.
    const recounted = await recount(runOf(root, id))
    const { state } = recounted
    const { run, branch, base, config } = state
    if (config.workspace.mode === 'in-place') return `${run} worked in place: its changes are in your checkout already.`
    await refuseDiscarded(root, state)
    const { config: now } = loadConfig({ root, env: context.env, home: context.home })
    const style = options.style ?? now.apply?.style ?? 'merge'
    const isHooked = (options.hooks ?? now.workspace.hooks) === 'run'
    // Hooks run programs as the user, so a changed setting needs the same consent as changed checks.
    if (isHooked && options.hooks === undefined && options.settings !== true)
      refuseChanged(context, root, recounted, `looper apply ${run} --settings`)
    let proof = ''
    let red: string[] = []
    const verify = async (target: ApplyTarget, isApplied = false): Promise<void> => {
      const { verifyApply } = await import('./verify-apply.ts')
      ;({ proof, red } = await verifyApply(context, root, recounted, target, { ...options, applied: isApplied }))
    }
    const applied = await applyRun(
      root,
      {
        run,
        branch,
        base: base.commit,
        style,
        squash: squashText(run, landedTasks(state), { goal: state.goal, settings: now.commit }),
        taken: state.taken ?? null,
        started: base.branch,
        onlyThere: options.onlyThere ?? false,
        hooks: isHooked ? { env: context.env, signal: options.signal } : null,
      },
      {
        // The commits of a squashed or replayed run have other ids: the run's own are compared.
        compare: ({ commit, tip }) => refuseContradicted(context, root, recounted, style === 'merge' ? commit : tip),
        verify,
      },
    )
    if (applied.status === 'already' && options.check === true) await verify(applied, true)
    // A merge by hand, or an apply that was interrupted before it was recorded, counts as applied too.
    if (applied.status === 'applied' || (applied.status === 'already' && state.applied === null)) {
      const { commit, onto, tip } = applied
      record({ type: 'run.applied', commit, onto, tip, style, ...(red.length > 0 ? { red } : {}) })
    }
    return appliedText(state, applied, { style, proof, isHooked })
  })

const landedTasks = (state: RunState): { id: string; title: string; type: string | null }[] =>
  state.order.flatMap((id) => {
    const task = state.tasks[id]
    return task?.status === 'done' && task.commit !== null ? [task] : []
  })

export const discard = (root: string, id: string): Promise<HandedOver> =>
  atRest(root, id, { hint: `Stop it first: looper stop ${id}` }, async (state, record) => {
    refuseInPlace(state)
    // Agents can outlive a killed engine.
    await endRun(runKey(runOf(root, id).folder))
    const { refs, commit } = await discardRun(root, { run: state.run, branch: state.branch })
    if (refs.length > 0 || state.discardedAt === null) record({ type: 'run.discarded', commit })
    const { reopenTasks } = await import('../backlog/reopen-tasks.ts')
    return `${discardedText(id, refs.length)}${await reopenTasks(root, state)}`
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

type Act = (state: RunState, record: Recorder['record']) => Promise<string>

/** Holds the lock of the run while `act` runs. */
async function atRest(
  root: string,
  id: string,
  { hint, publish }: { hint: string } & Pick<ApplyOptions, 'publish'>,
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
      publish,
    )
  } finally {
    await lock.release()
  }
}
