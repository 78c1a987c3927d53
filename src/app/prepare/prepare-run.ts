/** Prepares a new run: repository, configuration, agents and checks. Launches it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config, RunConfig } from '../../model/config.ts'
import { LooperError } from '../../model/error.ts'
import { eventVersion, type Fact } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import { usualGoal } from '../../model/source.ts'
import type { NewRun, PreparedRun } from '../../api/runs.ts'
import { reserveOf, rolesOf, stagesOf } from '../../views/status/card.ts'
import { ensureLooperFolder } from '../../workspace/looper-folder.ts'
import { refuseBranch, refuseDirty, type Repository, type Survey } from '../../workspace/git/repository.ts'
import { chooseWorkspacesFolder, makeWorkspacesBase } from '../../workspace/workspaces-folder.ts'
import { refuseOccupied } from './checkout.ts'
import { consentFor } from './consent.ts'
import type { AppContext } from '../context.ts'
import { acquire, holders, takeOver } from './exclusive.ts'
import type { Follower } from '../follow/follow.ts'
import { performRun } from '../launch/perform-run.ts'
import { readState } from '../runs/read-run.ts'
import { ready } from './ready.ts'
import { runsOf } from '../runs/runs.ts'
import { refuseBrokenSession } from './named-sessions.ts'
import { exclusivesOf, sourceOf, type Workflow } from './workflow.ts'

/** `surveying` is a promise that started before this module was loaded, to save time. */
export async function prepareRun(
  context: AppContext,
  follower: Follower,
  request: NewRun,
  surveying: Promise<Survey>,
): Promise<PreparedRun> {
  return prepare(context, follower, request, surveying).catch((error: unknown) => {
    throw withoutResume(error)
  })
}

async function prepare(
  context: AppContext,
  follower: Follower,
  request: NewRun,
  surveying: Promise<Survey>,
): Promise<PreparedRun> {
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
    confirmLogins,
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
    activity: config.activity ?? false,
    confirmLogins,
    consent: await consentFor(context, root, effective),
    card: {
      run,
      goal,
      workflow: workflow.name,
      stages: stagesOf(workflow.pipeline),
      agent: { name: choice.agent, model: config.agents[choice.agent]?.model ?? null, from: choice.from },
      roles: rolesOf(effective),
      reserve: reserveOf(effective),
      checks: { ...checks, list: effective.checks },
      ...writesOf(request, workflow, config, root),
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
      await confirmLogins()
      // With `force`, the run that occupies the checkout may be the one to stop, so this is checked after it was
      // stopped.
      if (config.workspace.mode === 'in-place' && !force) await refuseOccupied(root)
      await ensureLooperFolder(root)
      const holding = await (force ? takeOver : acquire)(root, exclusives)
      try {
        if (config.workspace.mode === 'in-place' && force) await refuseOccupied(root)
        const created = await runs.create(subject, taken)
        const { id } = created
        await holding.publish(id)
        const start: Fact = {
          ...startOf(id, goal, workflow, effective, repository),
          ...(request.prompt ? { prompt: request.prompt } : {}),
          ...(read ? { read } : {}),
        }
        const performed = performRun(context, follower, { ...how, id, apply: request.apply }, () => start, observer)
        return await performed.catch((error: unknown) => refuseNew(error, created))
      } finally {
        await holding.release()
      }
    },
  }
}

/** A planner writes a backlog file that does not exist, also without a goal. */
function writesOf(
  { goal }: NewRun,
  workflow: Workflow,
  config: Config,
  root: string,
): Pick<PreparedRun['card'], 'writes'> {
  const isMissing =
    workflow.stages.includes('backlog')
    && sourceOf(workflow, config) === 'todo-file'
    && !existsSync(join(root, config.backlog))
  return isMissing ? { writes: { file: config.backlog, from: goal === '' ? 'repository' : 'goal' } } : {}
}

async function refuseNew(reason: unknown, run: StoredRun): Promise<never> {
  const known = await readState(run).catch(() => null)
  throw known?.status === 'new' ? withoutResume(reason) : reason
}

/** A run whose start was not recorded cannot be resumed, so the hint must not suggest it. */
function withoutResume(reason: unknown): unknown {
  if (!(reason instanceof LooperError)) return reason
  const hint = reason.hint.replace(/(?:run )?`looper resume[^`]*`/, 'start the run again')
  return new LooperError(reason.code, reason.message, { hint, cause: reason, details: reason.details })
}

/** The goal of the request, else a default one. */
function goalOf({ goal }: NewRun, { pipeline }: Workflow, config: Config): string {
  if (goal !== '') return goal
  return pipeline ? pipeline.description || pipeline.name : usualGoal(config)
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
