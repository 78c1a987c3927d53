/** The shape of every agent adapter: how to start a turn, how to read what comes back, how to ask it to stop. */
import type { AgentError } from '../model/agent-error.ts'
import type { AgentConfig } from '../model/config.ts'
import type { Usage } from '../model/usage.ts'
import type { TurnWork } from '../model/work.ts'

export interface PlanRequest {
  run: string
  work: TurnWork
  agent: AgentConfig
  prompt: string
  /** Where the agent may leave its answer, and where it finds the answer's JSON Schema. */
  resultFile: string
  schemaFile: string
  schema: string
}

export interface SpawnSpec {
  argv: readonly [string, ...string[]]
  /** On top of the allow-listed environment. */
  env: Record<string, string>
  stdin: string
  /** Written before the start. */
  files: readonly { path: string; content: string }[]
}

export type AgentEvent =
  | { type: 'session'; id: string }
  | { type: 'message'; text: string }
  | { type: 'tool_use'; name: string; input: unknown }
  | { type: 'command'; command: string; exitCode: number | null }
  /** What was consumed since the last one: a turn's usage is the sum of them. */
  | { type: 'usage'; usage: Usage }
  | { type: 'error'; error: AgentError }
  | { type: 'raw'; text: string }

/** How the process ended and what it left; code and signal are both null when nobody saw the end. */
export interface Ending {
  code: number | null
  signal: string | null
  /** The text of the result file; null when there is none. */
  file: string | null
  /** The end of stderr. */
  stderr: string
}

export interface TurnAnswer {
  value: Record<string, unknown> | null
  /** Why there is no value, or what was malformed besides. */
  problem: string | null
  /** What the turn amounts to unless the value is valid; null when it ended well and only the answer is wrong. */
  failure: AgentError | null
  /** The end of what the agent said. */
  text: string
  usage: Usage
  sessionId: string | null
}

export interface AgentParser {
  /** Takes one line of stdout, never throws. */
  push(line: string): AgentEvent[]
  /** A line too long to be looked at. */
  skip(bytes: number): void
  /** What the lines so far say was consumed. */
  usage(): Usage
  end(ending: Ending): TurnAnswer
}

export interface AgentAdapter {
  id: string
  /** Pure. Throws LooperError CONFIG_INVALID when the agent's configuration lacks what it needs. */
  plan(request: PlanRequest): SpawnSpec
  parser(): AgentParser
  /** Graceful first, each given a grace; data, because an adopted turn has no child process object. */
  stopSignals: readonly NodeJS.Signals[]
}
