/** Prepares a new run: repository, configuration, agents and checks. Launches it. */
import type { Config, RunConfig } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { eventVersion, type Fact } from '../model/event.ts'
import type { StoredRun } from '../model/ports.ts'
import { usualGoal } from '../model/source.ts'
import type { NewRun, PreparedRun } from '../api/runs.ts'
import { rolesOf, stagesOf } from '../views/card.ts'
import { ensureLooperFolder } from '../workspace/looper-folder.ts'
import { refuseBranch, refuseDirty, type Repository, type Survey } from '../workspace/repository.ts'
import { chooseWorkspacesFolder, makeWorkspacesBase } from '../workspace/workspaces-folder.ts'
import { refuseOccupied } from './checkout.ts'
import type { Context } from './context.ts'
import { acquire, holders, takeOver } from './exclusive.ts'
import { launch } from './launch.ts'
import { readState } from './read-run.ts'
import { ready } from './ready.ts'
import { finish } from './finish-run.ts'
import { runsOf } from './runs.ts'
import { refuseBrokenSession } from './sessions.ts'
import { exclusivesOf, type Workflow } from './workflow.ts'

/** `surveying` is a promise that started before this module was loaded, to save time. */
export async function prepareRun(context: Context, request: NewRun, surveying: Promise<Survey>): Promise<PreparedRun> {
  const { repository, tracked, untracked, taken, barred } = await surveying
  const {
    loaded: { config },
    choice,
    checks,
    workflow,
    effective,
    read,
    warnings,
    launch: how,
  } = await ready(context, repository, request)
  const { root } = repository
  const { force = false } = request
  if (workflow.session !== null) await refuseBrokenSession(root, workflow.session, force)
  const exclusives = exclusivesOf({ root, workflow, config })
  // Masked, because the id, the folder and the branch of the run contain words of the goal.
  const goal = how.mask(goalOf(request, workflow, config))
  const subject = workflow.session ?? (how.mask(request.goal) || workflow.name)
  if (config.workspace.mode === 'in-place') refuseDirty(tracked, config.backlog)
  else refuseBranch(barred)
  const runs = runsOf(root)
  const run = await runs.nextId(subject, taken)
  if (config.workspace.mode === 'worktree') {
    chooseWorkspacesFolder(root, run, config.workspace.folder, context.env)
    makeWorkspacesBase(config.workspace.folder, context.env)
  }
  return {
    warnings,
    ...(force ? { stops: await holders(root, exclusives) } : {}),
    hangup: config.onHangup ?? 'detach',
    card: {
      run,
      goal,
      workflow: workflow.name,
      stages: stagesOf(workflow.pipeline),
      agent: { name: choice.agent, model: config.agents[choice.agent]?.model ?? null, from: choice.from },
      roles: rolesOf(effective),
      checks: { ...checks, list: effective.checks },
      setup: how.setup,
      review: effective.review,
      mode: effective.workspace.mode,
      parallel: effective.parallel,
      limits: effective.limits,
      sandbox: effective.sandbox ?? 'off',
      hasNoSandbox: effective.sandbox === 'off' && config.sandbox !== 'off',
      branch: branchOf(effective, repository, run),
      base: { commit: repository.head, branch: repository.branch },
      uncommitted: [...tracked, ...untracked].filter((path) => !path.startsWith('.looper/') && path !== config.backlog)
        .length,
    },
    async start(observer) {
      // With `force`, the run that occupies the checkout may be the one to stop, so this is checked after it was
      // stopped.
      if (config.workspace.mode === 'in-place' && !force) await refuseOccupied(root)
      await ensureLooperFolder(root)
      const holding = await (force ? takeOver : acquire)(root, exclusives)
      try {
        if (config.workspace.mode === 'in-place' && force) await refuseOccupied(root)
        const created = await runs.create(subject, taken)
        const { id } = created
        await holding.tell(id)
        const start: Fact = {
          ...startOf(id, goal, workflow, effective, repository),
          ...(request.prompt ? { prompt: request.prompt } : {}),
          ...(read ? { read } : {}),
        }
        const state = launch(context, { ...how, id }, () => start, observer)
        const ended = await state.catch((error: unknown) => refuseNew(error, created))
        return await finish(context, ended, root, request.apply && observer)
      } finally {
        await holding.release()
      }
    },
  }
}

/** A run whose start was not recorded cannot be resumed, so the hint must not suggest it. */
async function refuseNew(error: unknown, run: StoredRun): Promise<never> {
  const { status } = await readState(run)
  if (status !== 'new' || !(error instanceof LooperError)) throw error
  const hint = error.hint.replace(/`looper resume[^`]*`/, 'start the run again')
  throw new LooperError(error.code, error.message, { hint, cause: error, details: error.details })
}

/** The goal of the request, else a default one. */
function goalOf({ goal }: NewRun, { pipeline, stages, name }: Workflow, config: Config): string {
  if (goal !== '') return goal
  if (pipeline) return pipeline.description || pipeline.name
  if (stages.includes('backlog')) return usualGoal(config)
  throw new LooperError('USAGE_NO_GOAL', `The workflow ${name} needs a goal.`)
}

function startOf(
  run: string,
  goal: string,
  { name, stages, session, pipeline }: Workflow,
  config: RunConfig,
  repository: Repository,
): Fact<'run.started'> {
  return {
    type: 'run.started',
    version: eventVersion,
    run,
    goal,
    workflow: name,
    stages,
    config,
    ...(session === null ? {} : { session }),
    ...(pipeline === null ? {} : { pipeline }),
    base: { commit: repository.head, branch: repository.branch },
    branch: branchOf(config, repository, run),
  }
}

/** In place, the run works on the user's own branch. */
const branchOf = ({ workspace }: RunConfig, { branch }: Repository, run: string): string =>
  workspace.mode === 'in-place' ? (branch ?? 'HEAD') : `looper/${run}`
