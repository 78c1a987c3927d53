/** Dispatch on this machine: turns are detached processes whose streams go to files, checks are children. */
import { homedir } from 'node:os'
import { basename } from 'node:path'
import type { AgentAdapter } from '../agents/adapter.ts'
import { agentEnvironment } from '../agents/environment.ts'
import type { Mask } from '../agents/mask.ts'
import { createAdapters } from '../agents/registry.ts'
import { agentTypeOf } from '../model/agent-type.ts'
import type { AgentConfig } from '../model/config.ts'
import type { CheckRequest, Dispatch, TurnRequest } from '../model/ports.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import { startCheck, type RunCheck } from './check.ts'
import type { Job } from './job.ts'
import { defaultOutputLimits, type OutputLimits } from './output.ts'
import { recoverJobs } from './recover.ts'
import { createFileKeeper } from './schema-file.ts'
import { startTurn } from './start-turn.ts'
import { defaultTimings, type Timings } from './supervise.ts'
import type { ConfiguredAgent, TurnSetting } from './turn.ts'

export interface LocalDispatchOptions {
  runDir: string
  /** `runKey(runDir)`: what the marks of this run's processes begin with. */
  key: string
  agents: Readonly<Record<string, AgentConfig>>
  /** The run's own: takes every secret out of everything that is kept. */
  mask: Mask
  /** Agents see the allowed part of it. */
  env: NodeJS.ProcessEnv
  /** The program of the scripted agent. */
  playerPath: string
  /** The program that gives agents Looper's tools. */
  mcpPath: string
  /** The program that makes a command agent of one that speaks the Agent Client Protocol. */
  driverPath: string
  runCheck: RunCheck
  /** Absent or null: agents run with the rights of the user. */
  sandbox?: Sandbox | null
  home?: string
  /** By agent's name, before the choice by its configuration. */
  adapters?: Readonly<Record<string, AgentAdapter>>
  limits?: Partial<OutputLimits>
  timings?: Partial<Timings>
}

export interface LocalDispatch extends Dispatch {
  /** Stops following; agents go on and can be recovered. */
  close(): void
}

export function createLocalDispatch(options: LocalDispatchOptions): LocalDispatch {
  const jobs = new Map<string, Job>()
  const watchers = new Set<() => void>()
  const setting: TurnSetting = {
    runDir: options.runDir, run: basename(options.runDir), key: options.key, agentOf: agentBook(options),
    mask: options.mask,
    limits: { ...defaultOutputLimits, ...options.limits }, timings: { ...defaultTimings, ...options.timings },
    keepFile: createFileKeeper(), mcpPath: options.mcpPath,
    sandbox: options.sandbox ?? null, home: options.home ?? homedir(),
    hint: () => { for (const onHint of watchers) onHint() },
  }
  /** A later start of work that ended is new work. */
  const isKnown = ({ work: { id }, starts }: TurnRequest | CheckRequest): boolean => {
    const job = jobs.get(id)
    return job !== undefined && (job.starts >= starts || job.state().state === 'running')
  }
  return {
    ensure(request) {
      if (isKnown(request)) return
      const job = isTurn(request) ? startTurn(setting, request) : startCheck(setting, request, options.runCheck)
      jobs.set(request.work.id, job)
    },
    cancel: (id, how) => jobs.get(id)?.cancel(how),
    inspect: (ids) => new Map(ids.map((id) => [id, jobs.get(id)?.state() ?? { state: 'absent' }])),
    release(id) {
      if (jobs.get(id)?.state().state !== 'running') jobs.delete(id)
    },
    watch(onHint) {
      watchers.add(onHint)
      return () => { watchers.delete(onHint) }
    },
    quiet: () => new Promise((resolve) => {
      const look = (): void => {
        if ([...jobs.values()].some((job) => job.state().state === 'running')) return
        watchers.delete(look)
        resolve()
      }
      watchers.add(look)
      look()
    }),
    async recover(left) {
      for (const [id, job] of await recoverJobs(setting, left)) jobs.set(id, job)
    },
    close() {
      for (const job of jobs.values()) job.close()
    },
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
    // Looked through once: asking the process for its environment is slow.
    return { config, adapter, env: agentEnvironment(options.env, config), mask: options.mask }
  }
  return (name) => {
    const agent = known.has(name) ? known.get(name) ?? null : describe(name)
    known.set(name, agent)
    return agent
  }
}
