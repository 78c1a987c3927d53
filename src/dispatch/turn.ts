/** What is known about a turn before and while its process runs, whoever started that process. */
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
  /** What it sees of the environment. */
  env: Record<string, string>
  mask: Mask
}

/** What all turns of a run share. */
export interface TurnSetting {
  runDir: string
  run: string
  key: string
  /** Null when it is not configured, or no adapter can start it. */
  agentOf(name: string): ConfiguredAgent | null
  /** The run's own. */
  mask: Mask
  limits: OutputLimits
  timings: Timings
  /** Sees to it that a file of all turns has this content. */
  keepFile(path: string, content: string): void
  /** The program that gives agents Looper's tools. */
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
  /** Makes sure that a keeper outlives this process. Does not wait, does not throw. */
  keep(): void
  hint(): void
}

export interface Turn extends ConfiguredAgent {
  setting: TurnSetting
  work: TurnWork
  mark: string
  folder: TurnFolder
  parser: AgentParser
  /** Null means no limit: 0 in the configuration switches the watch off. */
  timeoutMs: number | null
  stallMs: number | null
  maxSteps: number | null
}

export interface RunningTurn extends Turn {
  output: Output
  pid: number
  leader: Leader
  /** On the steady clock: the other one may be set meanwhile. */
  begunAt: number
  disk: TurnDisk
  kin: Kin
  /** Where it works. */
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

/** How often the processes of a turn are listed while it runs, for those that a tag does not show. */
const kinMs = 250

/** Calls back at the first call, and then at most once in that time. */
function everyNow(ms: number, act: () => void): () => void {
  let last = -Infinity
  return () => {
    if (performance.now() - last < ms) return
    last = performance.now()
    act()
  }
}

/** Holds the turn to its bounds, for an engine and for the keeper that outlives it. */
export function boundTurn(turn: RunningTurn, on: { progress(): void; excess?(why: Excess): void }): Supervision {
  const { setting, parser, output, disk } = turn
  const sample = everyNow(kinMs, turn.kin.sample)
  return supervise({
    ...turn,
    stopSignals: turn.adapter.stopSignals,
    totalBytes: setting.limits.totalBytes,
    timings: setting.timings,
    isDoomed: () => parser.doomed() !== null,
    isCircling: () => turn.maxSteps !== null && parser.steps() > turn.maxSteps,
    isOverspent: setting.isOverspent,
    isOverDisk: () => disk.isOver(output.size()),
    onProgress() {
      sample()
      on.progress()
    },
    ...(on.excess ? { onExcess: on.excess } : {}),
  })
}
