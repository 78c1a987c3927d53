/** Everything that a run needs before it starts or resumes: settings, agents, checks, set-up and the sandbox. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { loadConfig, type LoadedConfig } from '../../config/layers.ts'
import type { CheckConfig, Config, ReadSettings, RunConfig } from '../../model/config.ts'
import type { NewRun } from '../../api/runs.ts'
import { type Repository } from '../../workspace/git/repository.ts'
import {
  admissionsOf,
  checksInForce,
  importWarnings,
  refuseSecretCommands,
  withoutVariables,
  type ChecksInForce,
} from './check-settings.ts'
import { agentsInUse, chooseAgent, entryOf, withModel, type Choice } from './choose-agent.ts'
import type { AppContext } from '../context.ts'
import { costWarnings } from './cost-warnings.ts'
import { discoverIn, type Discover } from './discover.ts'
import { hookWarnings } from './hook-warnings.ts'
import { exposedChecks, refuseExposed } from './exposed-checks.ts'
import { fingerprints } from '../settings/kept-settings.ts'
import type { Launch } from '../launch/stretch.ts'
import { locateAgent, programSearchIn } from './locate-agent.ts'
import { probeLogins } from './missing-login.ts'
import { refuseMissingScript } from './missing-script.ts'
import { readSettings } from '../settings/read-settings.ts'
import { maskOf, withSecretsOf } from '../launch/run-mask.ts'
import { chooseSandbox, missingAllowed } from './sandbox.ts'
import { nameOfSource } from '../launch/task-source.ts'
import { refuseWithoutGoal, sourceOf, workflowFor, type Workflow } from './workflow.ts'

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
  /** Waits until it is known whether the agents are logged in. Throws AGENT_LOGIN when one is not. */
  confirmLogins(): Promise<void>
}

export interface EarlierRun {
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
  context: AppContext,
  repository: Repository,
  request: Omit<NewRun, 'apply'>,
  earlier?: EarlierRun,
): Promise<Ready> {
  const { root } = repository
  const { flags } = request
  const configured = withSecretsOf(loadConfig({ root, env: context.env, flags, home: context.home }), earlier?.secrets)
  const workflow =
    earlier?.workflow
    ?? (await workflowFor(request, { workflow: nameOf(request, configured, root) }, { ...context, root }))
  if (earlier === undefined) refuseWithoutGoal(request, workflow)
  const search = programSearchIn(context, root, earlier?.begunFrom ?? null)
  const choice = await chooseAgent(configured.config, configured.sources['agent']?.source ?? 'default', search)
  const loaded = { ...configured, config: withModel(configured.config, choice.agent, request.model) }
  const { config } = loaded
  // Git looks for hooks while the rest is found out.
  const hooks = earlier === undefined ? hookWarnings(root, config) : Promise.resolve([])
  hooks.catch(() => {})
  const agents: Config['agents'] = { ...config.agents }
  const inUse = [
    ...new Set([
      ...agentsInUse(config, choice.agent),
      ...(workflow.pipeline?.stages ?? []).flatMap(({ agent }) => agent ?? []),
    ]),
  ]
  for (const name of inUse) {
    agents[name] = await locateAgent(name, entryOf(config, name), search)
    await refuseMissingScript(name, entryOf(config, name), search)
  }
  const confirmLogins = probeLogins(context, config, choice.agent, agents, root)
  await readScripts(agents)
  const discover = discoverIn(root, context.env)
  const checks = await checksInForce(loaded, discover)
  const setup = await setupFor(config, discover)
  const mask = maskOf(context.env, loaded)
  refuseSecretCommands(checks.list, setup, mask)
  const exposed = await exposedChecks(loaded, root)
  // The commit that a resumed or forked run started from cannot be changed any more.
  if (earlier === undefined) await refuseExposed(root, exposed)
  const sandbox = earlier?.sandbox ?? chooseSandbox(config.sandbox, context)
  const written = loadConfig({ root, env: context.env, home: context.home })
  const files = fingerprints(written.config)
  const sourceName = earlier
    ? config.sourceName
    : await nameOfSource(sourceOf(workflow, config), config.sourceName, context)
  return {
    loaded,
    written,
    read: sandbox === 'os' ? null : readSettings({ ...context, root }, written),
    choice,
    checks,
    workflow,
    confirmLogins,
    effective: bounded(
      {
        ...runConfig(withFallbacks(loaded), choice, checks.list, setup),
        sourceName,
        files,
        sandbox,
        inspectsInPlace: true,
        ...(config.checks === null && checks.list.length === 0 ? { noChecksFound: true } : {}),
      },
      workflow,
      loaded,
    ),
    warnings: [
      ...loaded.warnings,
      ...withoutEffect(loaded),
      ...repairWarnings(config, workflow),
      ...costWarnings(config, inUse),
      ...checks.notes,
      ...exposed.map(({ detail }) => detail),
      ...missingAllowed({ ...config, sandbox }, context, root),
      ...importWarnings(config, checks.list, { root, home: context.home, env: context.env }),
      ...(await hooks),
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
  const { loadScript } = await import('../../agents/scripted/load-script.ts')
  for (const script of scripts) await loadScript(script)
}

export const setupFor = async ({ workspace }: Pick<Config, 'workspace'>, discover: Discover): Promise<string[]> =>
  workspace.setup ?? (workspace.mode === 'in-place' ? [] : (await discover()).setup)

/** Keys that are valid and have no effect in this version: the user gets a warning. */
const idle = /^interaction\b/

const withoutEffect = ({ sources }: LoadedConfig): string[] =>
  Object.entries(sources)
    .filter(([key, { source }]) => source !== 'default' && idle.test(key))
    .map(([key]) => `"${key}" has no effect in this version`)

/** Only a run with a plan or a backlog has tasks that others wait for. */
const repairWarnings = ({ baseline }: Config, { pipeline }: Workflow): string[] =>
  pipeline !== null && baseline === 'fix-first'
    ? ['in a pipeline, "baseline": "fix-first" acts as "no-worse": no task is added that repairs red checks']
    : []

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
