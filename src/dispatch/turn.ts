/** Describes a turn before and while its process runs, whether this engine or an earlier one started it. */
import type { AgentAdapter, AgentParser } from '../agents/adapter.ts'
import type { Mask } from '../agents/mask.ts'
import { turnDefaults, type AgentConfig } from '../model/config.ts'
import type { TurnWork } from '../model/work.ts'
import { markOf } from '../platform/mark.ts'
import type { Sandbox } from '../platform/sandbox/sandbox.ts'
import type { Kin } from '../platform/strays.ts'
import type { Output, OutputLimits } from './output.ts'
import type { DiskMeter, TurnDisk } from './disk-meter.ts'
import type { Excess } from './excess.ts'
import { supervise, type Leader, type Supervision, type Timings } from './supervise.ts'
import { promptTime, turnFolder, type TurnFolder } from './turn-folder.ts'

export interface ConfiguredAgent {
  config: AgentConfig
  adapter: AgentAdapter
  /** The environment of the agent. */
  env: Record<string, string>
  mask: Mask
}

/** The setting that all turns of a run share. */
export interface TurnSetting {
  runDir: string
  run: string
  key: string
  /** Null when the agent is not configured, or no adapter can start it. */
  agentOf(name: string): ConfiguredAgent | null
  /** The mask of the run. */
  mask: Mask
  limits: OutputLimits
  timings: Timings
  /** Ensures that a file shared by all turns has this content. */
  keepFile(path: string, content: string): void
  /** Path of Looper's MCP server for agents. */
  mcpPath: string
  /** Null: agents run with the rights of the user. */
  sandbox: Sandbox | null
  /** The user's home folder. */
  home: string
  /** Whether the run has spent more than its limits allow. */
  isOverspent(): boolean
  disk: DiskMeter
  /** Whether only agents work in the workspaces of turns. */
  hasOwnWorkspaces(): boolean
  /** Ensures that a keeper outlives this process. Does not wait, does not throw. */
  keep(): void
  hint(): void
}

export interface Turn extends ConfiguredAgent {
  setting: TurnSetting
  work: TurnWork
  mark: string
  folder: TurnFolder
  parser: AgentParser
  /** Null means no limit; 0 in the configuration disables the bound. */
  timeoutMs: number | null
  stallMs: number | null
  maxSteps: number | null
}

export interface RunningTurn extends Turn {
  output: Output
  pid: number
  leader: Leader
  /** Time on the steady clock, because the wall clock may be set meanwhile. */
  begunAt: number
  disk: TurnDisk
  kin: Kin
  /** The working directory of the agent. */
  cwd: string
}

export function describeTurn(setting: TurnSetting, work: TurnWork, starts: number): Turn | null {
  const agent = setting.agentOf(work.agent)
  if (agent === null) return null
  const folder = turnFolder(setting.runDir, work.id, starts)
  const startedAt = new Date(promptTime(folder)).toISOString()
  return {
    ...agent,
    setting,
    work,
    folder,
    mark: markOf(setting.key, work.id, starts),
    parser: agent.adapter.parser({ agent: agent.config, work, startedAt }),
    timeoutMs: (agent.config.timeoutMinutes ?? turnDefaults.timeoutMinutes) * 60_000 || null,
    stallMs: (agent.config.stallSeconds ?? turnDefaults.stallSeconds) * 1_000 || null,
    maxSteps: (agent.config.maxSteps ?? turnDefaults.maxSteps) || null,
  }
}

/** Interval at which the processes of a running turn are listed, to find those without a tag. */
const kinMs = 250

/** Calls `act` at the first call, and then at most once per interval. */
function everyNow(ms: number, act: () => void): () => void {
  let last = -Infinity
  return () => {
    if (performance.now() - last < ms) return
    last = performance.now()
    act()
  }
}

/** Enforces the bounds of a turn, for an engine and for the keeper that outlives it. */
export function boundTurn(turn: RunningTurn, on: { progress(): void; excess?(why: Excess): void }): Supervision {
  const { setting, parser, output, disk } = turn
  const sample = everyNow(kinMs, turn.kin.sample)
  return supervise({
    ...turn,
    stopSignals: turn.adapter.stopSignals,
    totalBytes: setting.limits.totalBytes,
    timings: setting.timings,
    isUnrecoverable: () => parser.unrecoverable() !== null,
    isLooping: () => turn.maxSteps !== null && parser.steps() > turn.maxSteps,
    isOverspent: setting.isOverspent,
    isOverDisk: () => disk.isOver(output.size()),
    onProgress() {
      sample()
      on.progress()
    },
    ...(on.excess ? { onExcess: on.excess } : {}),
  })
}
