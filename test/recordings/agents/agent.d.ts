/** What the recorder has to know of a CLI. */
import type { ScriptedModel, ScriptSource, ToolCall } from '../../../src/testing.ts'

export interface TurnOptions {
  retries?: number
  schema?: object
  /** Goes on with this session. */
  session?: string
  maxTurns?: number
  budgetUsd?: number
  mcp?: boolean
  subscription?: boolean
  logs?: boolean
  /** The mode of an ACP session without permission requests. */
  mode?: string
}

export interface Turn {
  name: string
  prompt?: string
  script: ScriptSource
  options?: TurnOptions
  /** Sent when the first answer hangs. */
  interrupt?: NodeJS.Signals
  /** How long it may take, where a CLI is known never to end. */
  patienceMs?: number
  /** When the limit of the answer is lifted. */
  resetsAt?: string
}

/** What follows goes on with the session of the first turn. */
export interface Case extends Turn {
  next?: Turn
}

export interface RecordingSetup {
  program: string
  home: string
  workspace: string
  mcpServer: [program: string, script: string]
  baseUrls: ScriptedModel['baseUrls']
  options: TurnOptions
}

export interface Start {
  argv: string[]
  env: Record<string, string>
  /** By their path. */
  files?: Record<string, string>
  /** The file in which the CLI leaves its last message. */
  lastMessage?: string
}

export interface Agent {
  name: string
  /** What is installed, where it is not the name itself. */
  install?: string
  /** A conversation instead of a prompt on stdin and a stream on stdout. */
  speaks?: 'acp'
  unknownSession: string
  /** Calls of the CLI's own tools. */
  write(path: string, content: string): ToolCall
  command(line: string): ToolCall
  report(summary: string): ToolCall
  start(setup: RecordingSetup): Start
  sessionIn(lines: string[]): string
  cases: Case[]
}
