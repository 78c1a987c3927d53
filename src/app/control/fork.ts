/**
 * `looper fork`: creates a new run from another run's events up to a point, with the current configuration. Only reads
 * the other run.
 */
import { maskDeep } from '../../agents/mask.ts'
import { initialState } from '../../core/initial.ts'
import { LooperError } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import type { ForkRequest, Forked } from '../../api/runs.ts'
import { createRunBranch } from '../../workspace/landing/create-run-branch.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import { missingObjects } from '../../workspace/git/missing-objects.ts'
import { refuseBranch, survey } from '../../workspace/git/repository.ts'
import { refuseChanged } from '../settings/changed-settings.ts'
import type { AppContext } from '../context.ts'
import { forkPoint } from './fork-point.ts'
import { own } from '../launch/launch.ts'
import { ready } from '../prepare/ready.ts'
import { fold } from '../runs/read-run.ts'
import { createRecount } from '../runs/recount.ts'
import { findRunId } from '../runs/find-run.ts'
import { runsOf } from '../runs/runs.ts'
import { workflowOf } from '../prepare/workflow.ts'

export async function fork(context: AppContext, name: string | null, request: ForkRequest): Promise<Forked> {
  const { repository, taken, barred } = await survey(context.cwd)
  const { root } = repository
  const from = await findRunId(root, name)
  const runs = runsOf(root)
  const events = await runs.open(from).journal.events()
  if (events.length === 0) throw new LooperError('USAGE_RUN_STATE', `${from} never started: there is nothing to fork.`)
  const { at, flags, model } = request
  if (request.settings !== true) {
    const recounted = createRecount()
    events.forEach(recounted.add)
    refuseChanged(context, root, recounted, `looper fork ${from} --at ${at} --settings`)
  }
  const history = events.slice(0, forkPoint(from, events, at))
  const state = fold(initialState(), history)
  refuseInPlace(state, from)
  refuseBranch(barred)
  const {
    effective,
    read,
    warnings,
    launch: { mask },
  } = await ready(
    context,
    repository,
    { goal: state.goal, flags, ...(model === undefined ? {} : { model }) },
    { begunFrom: state.base.commit, workflow: workflowOf(state), secrets: state.config.secrets },
  )
  const config = maskDeep(effective, mask)
  if (config.workspace.mode === 'in-place')
    throw new LooperError('USAGE_ARGUMENTS', 'A fork works in worktrees, not in place.', {
      hint: 'Add --workspace worktree.',
    })
  const commit = tipAfter(history, state)
  await refuseGone(root, commit, from)

  await ensureLooperFolder(root)
  const created = await runs.create(state.goal, taken)
  const { id: run } = created
  const branch = `looper/${run}`
  // The branch is created before the journal: a run without its branch would start from nothing.
  await createRunBranch(root, { run, branch, commit })
  const origin = { run: from, seq: state.seq }
  await keep(created, [
    ...history.map((event) => (event.type === 'run.started' ? { ...event, run, branch } : event)),
    {
      type: 'run.forked',
      seq: state.seq + 1,
      at: new Date(Math.max(Date.now(), Date.parse(state.lastAt))).toISOString(),
      from: origin,
      config,
      looper: context.version,
      ...(read ? { read } : {}),
    },
  ])
  return { run, branch, commit, from: origin, warnings }
}

/** The last commit that the journal landed or rolled back to, else the base. */
function tipAfter(history: readonly Event[], { base }: RunState): string {
  const tips = history.flatMap((event) => {
    if (event.type === 'rolled.back') return event.to
    return event.type === 'work.finished' && event.outcome.kind === 'integrate' && event.outcome.status === 'landed'
      ? (event.outcome.commit ?? [])
      : []
  })
  return tips.at(-1) ?? base.commit
}

function refuseInPlace({ config }: RunState, id: string): void {
  if (config.workspace.mode !== 'in-place') return
  const hint = 'Its steps are in your checkout only. Start a new run from where you are: looper run "<goal>"'
  throw new LooperError('USAGE_RUN_STATE', `${id} worked in place: it cannot be forked.`, { hint })
}

async function refuseGone(root: string, commit: string, id: string): Promise<void> {
  if ((await missingObjects(root, [commit])).length === 0) return
  const hint = 'Fork at an earlier event, or start a new run: looper run "<goal>"'
  throw new LooperError(
    'USAGE_RUN_STATE',
    `The commit ${commit.slice(0, 12)}, which ${id} had landed by then, is gone from git.`,
    { hint },
  )
}

async function keep(run: StoredRun, events: readonly Event[]): Promise<void> {
  const lock = await own(run)
  try {
    const { journal } = await run.journal.open()
    try {
      await journal.append(0, events)
    } finally {
      await journal.close()
    }
  } finally {
    await lock.release()
  }
}
