/** Prepares the next stretch of a run that paused, failed or crashed, and launches it. */
import { LooperError } from '../model/error.ts'
import { type Fact } from '../model/event.ts'
import type { RunState } from '../model/state.ts'
import type { Observer, PreparedRun, ResumeOptions } from '../api/runs.ts'
import { cardOfRun } from '../views/card.ts'
import { findRepository } from '../workspace/repository.ts'
import { isDiscarded } from '../workspace/review.ts'
import { readDifferently, refuseChanged } from './changed-settings.ts'
import type { Context } from './context.ts'
import { acquire } from './exclusive.ts'
import { findRunId } from './find-run.ts'
import { editedSince, keptOf } from './kept-settings.ts'
import { launch } from './launch.ts'
import { keptNotes, readNotes } from './setting-notes.ts'
import { ready } from './ready.ts'
import { finish } from './finish-run.ts'
import { recount, type Recounted } from './recount.ts'
import { refuseContradictedEnd } from './refuse-contradicted.ts'
import { runOf } from './runs.ts'
import { missingAllowed } from './sandbox.ts'
import { exclusivesOf, workflowOf } from './workflow.ts'

export async function prepareResume(
  context: Context,
  name: string | null,
  options: ResumeOptions,
): Promise<PreparedRun> {
  const repository = await findRepository(context.cwd)
  const { root: top } = repository
  const id = await findRunId(top, name)
  const recounted = await runToResume(context, top, id)
  const { state: before, stretch } = recounted
  refuseFinished(before, id)
  await refuseDiscarded(before, top)
  refuseUsedUp(before, options)
  if (options.settings !== true) refuseChanged(context, top, recounted, `looper resume ${id} --settings`)
  const { config } = before
  const workflow = workflowOf(before)
  const flags = { agent: config.agent }
  const {
    launch: today,
    loaded,
    written,
    read,
    effective,
  } = await ready(
    context,
    repository,
    { goal: before.goal, flags },
    { begunFrom: before.base.commit, workflow, secrets: config.secrets, sandbox: config.sandbox ?? 'off' },
  )
  const kept = options.settings === true ? keptOf(effective) : keptOf(config)
  const how = { ...today, ...kept, setup: kept.setup ?? today.setup }
  const settings = options.settings === true ? { settings: { ...kept, files: effective.files ?? {} } } : {}
  return {
    warnings: [
      ...loaded.warnings,
      ...missingAllowed({ ...loaded.config, sandbox: config.sandbox }, context, top),
      ...(options.settings === true ? [] : keptNotes(editedSince(config, written.config), id)),
      ...(options.settings === true || read === null ? [] : readNotes(readDifferently(stretch, read))),
    ],
    hangup: loaded.config.onHangup ?? 'detach',
    card: {
      ...cardOfRun({ ...before, run: id, config: { ...config, limits: { ...config.limits, ...options.limits } } }),
      setup: how.setup,
    },
    async start(observer: Observer) {
      const again = (state: RunState): Fact => {
        refuseFinished(state, id)
        return { type: 'run.resumed', limits: options.limits, ...settings, ...(read ? { read } : {}) }
      }
      const holding = await acquire(top, exclusivesOf({ root: top, workflow, config }))
      try {
        await holding.tell(id)
        const ended = await launch(context, { ...how, id }, again, observer)
        return await finish(context, ended, top, options.apply && observer)
      } finally {
        await holding.release()
      }
    },
  }
}

/**
 * Reads the journal and not the snapshot, which an agent may have written. Throws JOURNAL_CONTRADICTED for a run that
 * is recorded as completed without its evidence, or as aborted without a request.
 */
async function runToResume(context: Context, root: string, id: string): Promise<Recounted> {
  const recounted = await recount(runOf(root, id))
  const { state } = recounted
  if (state.status === 'completed' || state.status === 'aborted') await refuseContradictedEnd(context, root, recounted)
  return recounted
}

function refuseFinished({ status, convergence: { next } }: RunState, id: string): void {
  if (status === 'new')
    throw new LooperError('USAGE_RUN_STATE', `${id} never started.`, { hint: 'Start a new one: looper run "<goal>"' })
  // The process that resumes the run carries out an interrupted rollback.
  if (status === 'completed' && next?.do === 'roll-back') return
  if (status === 'completed' || status === 'aborted') {
    throw new LooperError('USAGE_RUN_STATE', `${id} is ${status}: there is nothing to resume.`, {
      hint: 'Start a new one: looper run "<goal>"',
    })
  }
}

/** Limits apply to the whole run: an iteration limit that is already used up would only pause it again. */
function refuseUsedUp({ wave, waveTasks }: RunState, { limits: { iterations = null } }: ResumeOptions): void {
  const isEnough = iterations === null || iterations > wave || (iterations === wave && waveTasks.length > 0)
  if (isEnough || wave === 0) return
  const ran = wave === 1 ? '1 has run already' : `${wave} have run already`
  throw new LooperError(
    'USAGE_ARGUMENTS',
    `--iterations ${iterations} leaves none: it is the total of the run, and ${ran}`,
    { hint: `Give more than ${wave}, or none for no limit.` },
  )
}

/** The remaining tasks depend on landed changes that were discarded. */
async function refuseDiscarded({ run, branch, config, tasks, loop }: RunState, root: string): Promise<void> {
  const landed = (loop?.landed ?? 0) > 0 || Object.values(tasks).some(({ commit }) => commit !== null)
  if (config.workspace.mode === 'in-place' || !landed || !(await isDiscarded(root, { run, branch }))) return
  throw new LooperError('USAGE_RUN_STATE', `${run} was discarded: its branch is gone.`, {
    hint: 'Start a new one: looper run "<goal>"',
  })
}
