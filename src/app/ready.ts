/** Everything that a run needs before it starts or resumes: settings, agents, checks, set-up and the sandbox. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig, type LoadedConfig } from '../config/layers.ts'
import type { CheckConfig, Config, ReadSettings, RunConfig } from '../model/config.ts'
import type { NewRun } from '../api/runs.ts'
import { type Repository } from '../workspace/repository.ts'
import { discoverSetup } from '../workspace/setup.ts'
import {
  admissionsOf,
  checksInForce,
  importWarnings,
  refuseSecretCommands,
  withoutVariables,
  type ChecksInForce,
} from './check-settings.ts'
import { agentsInUse, chooseAgent, entryOf, type Choice } from './choose-agent.ts'
import type { Context } from './context.ts'
import { costWarnings } from './cost-warnings.ts'
import { exposedChecks, refuseExposed } from './exposed-checks.ts'
import { fingerprints } from './kept-settings.ts'
import type { Launch } from './launch.ts'
import { locateAgent, placeIn } from './locate-agent.ts'
import { readSettings } from './read-settings.ts'
import { maskOf, withSecretsOf } from './run-mask.ts'
import { chooseSandbox, missingAllowed } from './sandbox.ts'
import { nameOfSource } from './task-source.ts'
import { sourceOf, workflowFor, type Workflow } from './workflow.ts'

export interface Ready {
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

export interface Past {
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

/** Keys that are valid and have no effect in this version: the user gets a warning. */
const idle = /^interaction\b/

const withoutEffect = ({ sources }: LoadedConfig): string[] =>
  Object.entries(sources)
    .filter(([key, { source }]) => source !== 'default' && idle.test(key))
    .map(([key]) => `"${key}" has no effect in this version`)

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
