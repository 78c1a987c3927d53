/** Dispatch on this machine: turns are detached processes with streams in files, checks are children. */
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { AgentAdapter } from '../agents/adapter.ts'
import { agentEnvironment } from '../agents/environment.ts'
import type { Mask } from '../agents/mask.ts'
import { createAdapters } from '../agents/registry.ts'
import type { TurnClaim } from '../core/claims/turn-claims.ts'
import { agentTypeOf } from '../model/agent-type.ts'
import type { AgentConfig } from '../model/config.ts'
import type { CheckRequest, Dispatch, TurnRequest } from './dispatch.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { startCheck, type RunCheck } from './check.ts'
import type { ConfirmCheck } from './confirm-check.ts'
import { createDiskMeter } from './disk-meter.ts'
import type { Job } from './job.ts'
import { boundsOf } from './keeper-greeting.ts'
import { defaultOutputLimits, type OutputLimits } from './output.ts'
import { contradiction } from './recheck.ts'
import { recoverJobs } from './recover.ts'
import { createFileKeeper } from './schema-file.ts'
import { createKeeper, type Keeper } from './start-keeper.ts'
import { startTurn } from './start-turn.ts'
import { defaultTimings, type Timings } from './supervise.ts'
import type { ConfiguredAgent, TurnSetting } from './turn.ts'

export interface LocalDispatchOptions {
  runDir: string
  /** `runKey(runDir)`: prefix of the marks of this run's processes. */
  key: string
  agents: Readonly<Record<string, AgentConfig>>
  /** The run's mask: removes every secret from everything that is stored. */
  mask: Mask
  /** Agents see only the allowed part of it. */
  env: NodeJS.ProcessEnv
  /** The program of the scripted agent. */
  playerPath: string
  /** Path of Looper's MCP server for agents. */
  mcpPath: string
  /** Path of the driver that runs an ACP agent as a command agent. */
  driverPath: string
  /** Path of the keeper, which enforces the bounds of turns when this process is gone; absent: no keeper. */
  keeperPath?: string
  runCheck: RunCheck
  /** Decides whether a passed check tested its own tree; absent: assumed. */
  confirm?: ConfirmCheck
  /** Absent or null: agents run with the rights of the user. */
  sandbox?: Sandbox | null
  home?: string
  /** Whether the run has spent more than its limits allow; running turns are then ended. */
  isOverspent?: () => boolean
  /** Disk limit for the turns of the run; null means no limit. */
  diskLimitBytes?: () => number | null
  /** Whether only agents work in the workspaces of turns; false when absent. */
  hasOwnWorkspaces?: () => boolean
  /** Delay before a workspace is first measured; the meter's default when absent. */
  firstWalkMs?: number
  /** By agent name; takes precedence over the choice by configuration. */
  adapters?: Readonly<Record<string, AgentAdapter>>
  limits?: Partial<OutputLimits>
  timings?: Partial<Timings>
}

export interface LocalDispatch extends Dispatch {
  /** Why the folder of a turn contradicts its recorded answer; null when it does not. */
  contradiction(claim: TurnClaim): Promise<string | null>
  /** Stops watching; agents continue and can be recovered. */
  close(): void
  /** Ends the keeper, because no work is running any more. */
  dismissKeeper(): void
}

/** The setting that all turns of the run share, for an engine and for its keeper. */
export function createSetting(options: LocalDispatchOptions, hint: () => void, keep: () => void): TurnSetting {
  const { runDir, key, mcpPath, isOverspent = () => false, diskLimitBytes = () => null, firstWalkMs } = options
  const { hasOwnWorkspaces = () => false } = options
  return {
    runDir,
    run: basename(runDir),
    key,
    agentOf: agentBook(options),
    mask: options.mask,
    sandbox: options.sandbox ?? null,
    home: options.home ?? homedir(),
    limits: { ...defaultOutputLimits, ...options.limits },
    timings: { ...defaultTimings, ...options.timings },
    keepFile: createFileKeeper(),
    mcpPath,
    isOverspent,
    hasOwnWorkspaces,
    hint,
    keep,
    disk: createDiskMeter({
      turnsDir: join(runDir, 'turns'),
      limitBytes: diskLimitBytes,
      ...(firstWalkMs === undefined ? {} : { firstWalkMs }),
    }),
  }
}

function keeperFor(
  { keeperPath, runDir, key, agents, firstWalkMs }: LocalDispatchOptions,
  { limits, timings }: TurnSetting,
): Keeper {
  if (keeperPath === undefined) return { ensure() {}, release() {} }
  const walks = firstWalkMs === undefined ? {} : { firstWalkMs }
  return createKeeper(keeperPath, { runDir, key, agents: boundsOf(agents), limits, timings, ...walks })
}

export function createLocalDispatch(options: LocalDispatchOptions): LocalDispatch {
  const jobs = new Map<string, Job>()
  const watchers = new Set<() => void>()
  const setting = createSetting(
    options,
    () => {
      for (const onHint of watchers) onHint()
    },
    () => keeper.ensure(),
  )
  const keeper = keeperFor(options, setting)
  /** A later start of work that has ended is new work. */
  const isKnown = ({ work: { id }, starts }: TurnRequest | CheckRequest): boolean => {
    const job = jobs.get(id)
    return job !== undefined && (job.starts >= starts || job.state().state === 'running')
  }
  return {
    ensure(request) {
      if (isKnown(request)) return
      const job = isTurn(request) ? startTurn(setting, request) : startCheck(setting, request, options)
      jobs.set(request.work.id, job)
    },
    cancel: (id, how) => jobs.get(id)?.cancel(how),
    inspect: (ids) => new Map(ids.map((id) => [id, jobs.get(id)?.state() ?? { state: 'absent' }])),
    release(id) {
      if (jobs.get(id)?.state().state !== 'running') jobs.delete(id)
    },
    watch(onHint) {
      watchers.add(onHint)
      return () => {
        watchers.delete(onHint)
      }
    },
    quiet: () =>
      new Promise((resolve) => {
        const poll = (): void => {
          if ([...jobs.values()].some((job) => job.state().state === 'running')) return
          watchers.delete(poll)
          resolve()
        }
        watchers.add(poll)
        poll()
      }),
    async recover(left) {
      for (const [id, job] of await recoverJobs(setting, left)) jobs.set(id, job)
    },
    contradiction: (claim) => contradiction(setting, claim),
    close() {
      for (const job of jobs.values()) job.close()
    },
    dismissKeeper: keeper.release,
  }
}

const isTurn = (request: TurnRequest | CheckRequest): request is TurnRequest => request.work.kind === 'turn'

function agentBook(options: LocalDispatchOptions): TurnSetting['agentOf'] {
  const known = new Map<string, ConfiguredAgent | null>()
  const adapters = createAdapters(options)
  const adapterOf = (name: string, config: AgentConfig): AgentAdapter | null => {
    const type = agentTypeOf(name, config)
    return options.adapters?.[name] ?? (type === null ? null : adapters[type])
  }
  const describe = (name: string): ConfiguredAgent | null => {
    const config = options.agents[name]
    const adapter = config === undefined ? null : adapterOf(name, config)
    if (config === undefined || adapter === null) return null
    // Computed once, because reading the process environment is slow.
    return { config, adapter, env: agentEnvironment(options.env, config), mask: options.mask }
  }
  return (name) => {
    const agent = known.has(name) ? (known.get(name) ?? null) : describe(name)
    known.set(name, agent)
    return agent
  }
}
