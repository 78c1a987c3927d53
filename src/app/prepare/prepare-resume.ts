/** Prepares the next stretch of a run that paused, failed or crashed, and launches it. */
import { isDeepStrictEqual } from 'node:util'
import { LooperError } from '../../model/error.ts'
import { type Fact } from '../../model/event.ts'
import type { RunState } from '../../model/state.ts'
import type { PreparedRun, ResumeOptions } from '../../api/runs.ts'
import { cardOfRun } from '../../views/status/card.ts'
import { findRepository } from '../../workspace/git/repository.ts'
import { isDiscarded } from '../../workspace/landing/review.ts'
import { readDifferently, refuseChanged } from '../settings/changed-settings.ts'
import { consentFor } from './consent.ts'
import type { AppContext } from '../context.ts'
import { acquire } from './exclusive.ts'
import { findRunId } from '../runs/find-run.ts'
import type { Follower } from '../follow/follow.ts'
import { performRun } from '../launch/perform-run.ts'
import { resumedSettings } from '../settings/resumed-settings.ts'
import { readNotes } from '../settings/setting-notes.ts'
import { ready } from './ready.ts'
import { recount, type Recounted } from '../runs/recount.ts'
import { refuseContradictedEnd } from '../runs/refuse-contradicted.ts'
import { runOf } from '../runs/runs.ts'
import { missingAllowed } from './sandbox.ts'
import { exclusivesOf, workflowOf } from './workflow.ts'

export async function prepareResume(
  context: AppContext,
  follower: Follower,
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
    confirmLogins,
  } = await ready(
    context,
    repository,
    { goal: before.goal, flags },
    { begunFrom: before.base.commit, workflow, secrets: config.secrets, sandbox: config.sandbox ?? 'off' },
  ).catch(goneAgent(id, config.agent))
  const { kept, settings, warnings, notes } = resumedSettings(
    recounted,
    { written: written.config, effective },
    options.settings === true,
  )
  const { setup, copy, hooks, checks = config.checks } = kept
  const how = { ...today, copy, hooks, setup: setup ?? today.setup }
  return {
    warnings: [
      ...loaded.warnings,
      ...missingAllowed({ ...loaded.config, sandbox: config.sandbox }, context, top),
      ...warnings,
      ...(options.settings === true || read === null ? [] : readNotes(readDifferently(stretch, read))),
    ],
    notes,
    isContinued: settings === undefined,
    confirmLogins,
    consent: await consentFor(context, top, { ...config, sandboxAllow: how.sandboxAllow }),
    hangup: loaded.config.onHangup ?? 'detach',
    activity: loaded.config.activity ?? false,
    card: {
      ...cardOfRun({
        ...before,
        run: id,
        config: { ...config, checks, limits: { ...config.limits, ...options.limits } },
      }),
      setup: how.setup,
      ...(isDeepStrictEqual(checks, config.checks)
        ? {}
        : { checks: { list: checks, from: 'changed, used from now on' } }),
    },
    async start(observer) {
      await confirmLogins()
      const again = (state: RunState): Fact => {
        refuseFinished(state, id)
        return {
          type: 'run.resumed',
          limits: options.limits,
          ...(settings ? { settings } : {}),
          ...(read ? { read } : {}),
        }
      }
      const holding = await acquire(top, exclusivesOf({ root: top, workflow, config }))
      try {
        await holding.publish(id)
        return await performRun(context, follower, { ...how, id, apply: options.apply }, again, observer)
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
async function runToResume(context: AppContext, root: string, id: string): Promise<Recounted> {
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

/** No flag named the agent: the run did, when it was started. */
const goneAgent =
  (id: string, agent: string) =>
  (error: unknown): never => {
    if (!(error instanceof LooperError) || error.code !== 'CONFIG_UNKNOWN_AGENT' || error.details['key'] !== 'agent')
      throw error
    const name = JSON.stringify(agent)
    throw new LooperError(error.code, `${id} was started with the agent ${name}, which is no longer configured.`, {
      hint: `Configure it again under "agents", or use another one: looper fork ${id} --at last --agent <agent>`,
      cause: error,
      details: error.details,
    })
  }
