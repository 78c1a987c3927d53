/** Prepares a new run or the next stretch of an old one (repository, configuration, agents, checks) and launches it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig, type LoadedConfig } from '../config/layers.ts'
import type { CheckConfig, Config, ReadSettings, RunConfig } from '../model/config.ts'
import { LooperError } from '../model/error.ts'
import { eventVersion, type Fact } from '../model/event.ts'
import type { StoredRun } from '../model/ports.ts'
import { usualGoal } from '../model/source.ts'
import type { RunState } from '../model/state.ts'
import type { Finished, NewRun, Observer, PreparedRun, ResumeOptions } from '../api/runs.ts'
import { cardOfRun, rolesOf, stagesOf } from '../views/card.ts'
import { ensureLooperFolder } from '../workspace/looper-folder.ts'
import { findRepository, refuseBranch, refuseDirty, type Repository, type Survey } from '../workspace/repository.ts'
import { isDiscarded } from '../workspace/review.ts'
import { discoverSetup } from '../workspace/setup.ts'
import { chooseWorkspacesFolder, makeWorkspacesBase } from '../workspace/workspaces-folder.ts'
import {
  admissionsOf,
  checksInForce,
  importWarnings,
  refuseSecretCommands,
  withoutVariables,
  type ChecksInForce,
} from './check-settings.ts'
import { readDifferently, refuseChanged } from './changed-settings.ts'
import { refuseOccupied } from './checkout.ts'
import { agentsInUse, chooseAgent, entryOf, type Choice } from './choose-agent.ts'
import type { Context } from './context.ts'
import { costWarnings } from './cost-warnings.ts'
import { acquire, holders, takeOver } from './exclusive.ts'
import { exposedChecks, refuseExposed } from './exposed-checks.ts'
import { findRunId } from './find-run.ts'
import { apply } from './hand-over.ts'
import { editedSince, fingerprints, keptOf } from './kept-settings.ts'
import { launch, type Launch } from './launch.ts'
import { locateAgent, placeIn } from './locate-agent.ts'
import { keptNotes, readNotes } from './setting-notes.ts'
import { readState } from './read-run.ts'
import { readSettings } from './read-settings.ts'
import { recount, type Recounted } from './recount.ts'
import { refuseContradictedEnd } from './refuse-contradicted.ts'
import { maskOf, withSecretsOf } from './run-mask.ts'
import { runOf, runsOf } from './runs.ts'
import { chooseSandbox, missingAllowed } from './sandbox.ts'
import { refuseBrokenSession } from './sessions.ts'
import { nameOfSource } from './task-source.ts'
import { exclusivesOf, sourceOf, workflowFor, workflowOf, type Workflow } from './workflow.ts'

interface Ready {
  loaded: LoadedConfig
  /** The configuration without flags, which apply to one run: only the files can be edited later. */
  written: LoadedConfig
  /** What was read from the files; null in a sandbox. */
  read: ReadSettings | null
  choice: Choice
  checks: ChecksInForce
  /** The configuration that a run started now would record. */
  effective: RunConfig
  warnings: string[]
  workflow: Workflow
  launch: Omit<Launch, 'id'>
}

interface Past {
  /** The commit that the earlier run started from. */
  begunFrom: string
  workflow: Workflow
  /** The `secrets` that the earlier run started with. */
  secrets: readonly string[]
  /** Absent: chosen again. */
  sandbox?: 'off' | 'os'
}

/** Finds every problem before any file of a run is written. */
export async function ready(
  context: Context,
  repository: Repository,
  request: Omit<NewRun, 'apply'>,
  past?: Past,
): Promise<Ready> {
  const { root } = repository
  const { flags } = request
  const loaded = withSecretsOf(loadConfig({ root, env: context.env, flags, home: context.home }), past?.secrets)
  const { config } = loaded
  const workflow =
    past?.workflow ?? (await workflowFor(request, { workflow: nameOf(request, loaded, root) }, { ...context, root }))
  const place = placeIn(context, root, past?.begunFrom ?? null)
  const choice = await chooseAgent(config, loaded.sources['agent']?.source ?? 'default', place)
  const agents: Config['agents'] = { ...config.agents }
  const inUse = [
    ...new Set([
      ...agentsInUse(config, choice.agent),
      ...(workflow.pipeline?.stages ?? []).flatMap(({ agent }) => agent ?? []),
    ]),
  ]
  for (const name of inUse) agents[name] = await locateAgent(name, entryOf(config, name), place)
  await readScripts(agents)
  const checks = await checksInForce(loaded, root)
  const setup = setupFor(config, root)
  const mask = maskOf(context.env, loaded)
  refuseSecretCommands(checks.list, setup, mask)
  const exposed = await exposedChecks(loaded, root)
  // The commit that a resumed or forked run started from cannot be changed any more.
  if (past === undefined) await refuseExposed(root, exposed)
  const sandbox = past?.sandbox ?? chooseSandbox(config.sandbox, context)
  const written = loadConfig({ root, env: context.env, home: context.home })
  const files = fingerprints(written.config)
  const sourceName = past
    ? config.sourceName
    : await nameOfSource(sourceOf(workflow, config), config.sourceName, context)
  return {
    loaded,
    written,
    read: sandbox === 'os' ? null : readSettings({ ...context, root }, written),
    choice,
    checks,
    workflow,
    effective: bounded(
      { ...runConfig(withFallbacks(loaded), choice, checks.list, setup), sourceName, files, sandbox },
      workflow,
      loaded,
    ),
    warnings: [
      ...loaded.warnings,
      ...withoutEffect(loaded),
      ...costWarnings(config, inUse),
      ...checks.notes,
      ...exposed.map(({ detail }) => detail),
      ...missingAllowed({ ...config, sandbox }, context, root),
      ...importWarnings(config, checks.list, { root, home: context.home, env: context.env }),
    ],
    launch: {
      root,
      agents,
      hooks: config.hooks,
      notify: config.notify,
      secrets: config.secrets,
      mask,
      admissions: admissionsOf(checks.list, config),
      setup,
      copy: config.workspace.copy,
      sandboxAllow: config.sandboxAllow ?? [],
    },
  }
}

/** Without a goal and a configured workflow, a repository with a backlog runs the backlog workflow. */
function nameOf({ goal }: Pick<NewRun, 'goal'>, { config, sources }: LoadedConfig, root: string): string {
  const isSaid = goal !== '' || sources['workflow']?.source !== 'default'
  return isSaid || !existsSync(join(root, config.backlog)) ? config.workflow : 'backlog'
}

/** Loads the scripts now, so that an invalid one is reported before the run. */
async function readScripts(agents: Config['agents']): Promise<void> {
  const scripts = Object.values(agents).flatMap(({ script }) => script ?? [])
  if (scripts.length === 0) return
  const { loadScript } = await import('../agents/scripted/load-script.ts')
  for (const script of scripts) await loadScript(script)
}

const setupFor = ({ workspace }: Config, root: string): string[] =>
  workspace.setup ?? (workspace.mode === 'in-place' ? [] : discoverSetup(root))

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

/** Keys that are valid and have no effect in this version: the user gets a warning. */
const idle = /^interaction\b/

const withoutEffect = ({ sources }: LoadedConfig): string[] =>
  Object.entries(sources)
    .filter(([key, { source }]) => source !== 'default' && idle.test(key))
    .map(([key]) => `"${key}" has no effect in this version`)

/** The goal of the request, else a default one. */
function goalOf({ goal }: NewRun, { pipeline, stages, name }: Workflow, config: Config): string {
  if (goal !== '') return goal
  if (pipeline) return pipeline.description || pipeline.name
  if (stages.includes('backlog')) return usualGoal(config)
  throw new LooperError('USAGE_NO_GOAL', `The workflow ${name} needs a goal.`)
}

/**
 * Limits a stage that works through tasks to its own number of passes, one task at a time, unless the configuration
 * sets these keys.
 */
function bounded(config: RunConfig, { pipeline }: Workflow, { sources }: LoadedConfig): RunConfig {
  const runs = pipeline?.stages.find(({ completion }) => completion.kind === 'tasks-empty')?.runs
  if (runs === undefined) return config
  const isUsual = (key: string): boolean => sources[key]?.source === 'default'
  const iterations = isUsual('limits.iterations') ? runs : config.limits.iterations
  return { ...config, parallel: isUsual('parallel') ? 1 : config.parallel, limits: { ...config.limits, iterations } }
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

/** Configured fallbacks are used by default, unless `onUsageLimit` is set. */
const withFallbacks = ({ config, sources }: LoadedConfig): Config =>
  sources['onUsageLimit']?.source === 'default'
  && Object.values(config.agents).some(({ fallback = [] }) => fallback.length > 0)
    ? { ...config, onUsageLimit: 'fallback' }
    : config

/**
 * The configuration for the journal: all effective settings, without environments and webhook, which may contain
 * secrets.
 */
function runConfig(config: Config, { agent }: Choice, checks: CheckConfig[], setup: string[]): RunConfig {
  const agents = Object.entries(config.agents).map(([name, { env: _env, ...rest }]) => [name, rest] as const)
  const notify = { ...config.notify, webhook: null }
  const workspace = { ...config.workspace, setup }
  return withoutVariables({ ...config, agent, checks, workspace, agents: Object.fromEntries(agents), notify })
}

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

/** `observer` is false when the run is not to be applied; otherwise it also receives the events of the apply. */
async function finish(context: Context, state: RunState, root: string, observer: Observer | false): Promise<Finished> {
  const { folder: dir } = runOf(root, state.run)
  if (!observer || state.status !== 'completed' || state.config.workspace.mode === 'in-place')
    return { state, dir, applied: null }
  try {
    const { state: after, message } = await apply(context, root, state.run, { watch: observer.onEvent })
    return { state: after, dir, applied: { ok: true, message } }
  } catch (error) {
    if (error instanceof LooperError)
      return { state, dir, applied: { ok: false, message: `${error.message} ${error.hint}` } }
    throw error
  }
}
