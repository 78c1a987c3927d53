/** The interface of every agent adapter: how to start a turn, parse its output and stop it. */
import type { AgentError } from '../model/agent-error.ts'
import type { AgentConfig } from '../model/config.ts'
import type { Usage } from '../model/usage.ts'
import type { Quota, TurnWork } from '../model/work.ts'
import type { StateOf } from './state.ts'

export interface PlanRequest {
  run: string
  work: TurnWork
  /** Already located: `bin` is the full path of the program. */
  agent: AgentConfig
  /** The environment of the agent, including its configured `env`. */
  env: Readonly<Record<string, string>>
  prompt: string
  /** The working directory of the agent. */
  cwd: string
  /** The turn's own folder, for files that only this turn needs. */
  folder: string
  /** A folder shared only by this agent's turns of this run. */
  home: string
  /** Whether the role may change files. A diff check enforces this for agents that have no read-only mode. */
  rights: 'read' | 'write'
  /** Whether the turn runs in Looper's sandbox. Most systems do not allow a nested sandbox. */
  confined?: boolean
  /** The file for the agent's answer, and the file with the answer's JSON Schema. */
  resultFile: string
  schemaFile: string
  schema: string
  /**
   * Command of Looper's MCP server on stdio. Its tools write the answer to `resultFile` and everything else to the
   * turn's outbox.
   */
  mcp: { command: string; args: string[]; env: Record<string, string> }
}

export interface SpawnSpec {
  argv: readonly [string, ...string[]]
  /** Added to the allow-listed environment. */
  env: Record<string, string>
  stdin: string
  /** Asks Looper's sandbox to mount the workspace read-only, because the agent has no such mode. */
  readOnly?: boolean
  /** Files to write before the start. */
  files: readonly { path: string; content: string }[]
}

export type AgentEvent =
  | { type: 'session'; id: string }
  | { type: 'message'; text: string }
  | { type: 'tool_use'; name: string; input: unknown }
  | { type: 'command'; command: string; exitCode: number | null }
  /** Consumption since the previous usage event: a turn's usage is the sum of them. */
  | { type: 'usage'; usage: Usage }
  /** The agent itself retries after this error. */
  | { type: 'retry'; error: AgentError }
  | ({ type: 'quota' } & Quota)
  | { type: 'error'; error: AgentError }
  | { type: 'raw'; text: string }

/** How the process ended and the files it left. Code and signal are both null when the exit was not observed. */
export interface Ending {
  code: number | null
  signal: string | null
  /** The text of the result file; null when there is none. */
  file: string | null
  /** The end of stderr. */
  stderr: string
  /** The result of the adapter's `gather`. */
  extra: string | null
}

export interface TurnAnswer {
  value: Record<string, unknown> | null
  /** Why there is no value, or what else is malformed. */
  problem: string | null
  /** The error of the turn unless the value is valid; null when the turn ended well and only the answer is invalid. */
  failure: AgentError | null
  /** The end of the agent's messages. */
  text: string
  usage: Usage
  /** Null unless the session can be resumed. */
  sessionId: string | null
  /** Quotas that the agent wrote to a file instead of its output. */
  quotas?: Quota[]
}

export interface AgentParser {
  /** Parses one line of stdout. Never throws. */
  push(line: string): AgentEvent[]
  /** Reports a line that is too long to parse. */
  skip(bytes: number): void
  /** Usage reported by the lines so far. */
  usage(): Usage
  /** The session id so far; null when there is none, or none that can be resumed. */
  session(): string | null
  /** The newest timestamp in the lines so far, ISO; absent for agents that print none. */
  lastTime?(): string
  /** Number of model answers and tool uses so far. A limit on it ends an agent that loops. */
  steps(): number
  /** An error that is certain before the turn ends and that the agent's own retries cannot fix. */
  unrecoverable(): AgentError | null
  end(ending: Ending): TurnAnswer
}

export interface ParserContext {
  agent: AgentConfig
  work: TurnWork
  /** ISO time at which the turn started: the reference for a time of day in a message. */
  startedAt: string
}

export interface Capabilities {
  /** How the agent returns a structured answer: its own schema option, a tool of Looper, or text. */
  structured: 'schema' | 'tool' | 'words'
  resumes: boolean
  readOnly: boolean
  budget: boolean
  /**
   * Source of the cost of a turn: the agent; the agent, for models whose price it knows; a price table; or no source.
   */
  cost: 'reported' | 'partly' | 'priced' | 'unknown'
  /** The version these capabilities were tested with; another version may differ. */
  testedWith?: string
}

/** Facts about an installed agent that cost no tokens to find out. */
export interface Probe {
  version: string | null
  login: 'yes' | 'no' | 'unknown'
  /** Set when it depends on the login. */
  structured?: Capabilities['structured']
  /** What is missing, each with advice. */
  problems: string[]
}

export interface ProbeRequest {
  agent: AgentConfig
  env: Record<string, string>
  home: string
  /** Runs the agent's program with these arguments; never rejects. */
  ask(args: readonly string[]): Promise<{ exitCode: number | null; stdout: string; stderr: string }>
}

export interface AgentAdapter {
  id: string
  /** Name of the program to find on the PATH; null when the configuration names it. */
  program: string | null
  capabilities: Capabilities
  /** Pure. Throws LooperError CONFIG_INVALID when the agent's configuration is incomplete. */
  plan(request: PlanRequest): SpawnSpec
  parser(context: ParserContext): AgentParser
  /**
   * In order, graceful first, with a grace period after each. These are data because an adopted turn has no child
   * process object.
   */
  stopSignals: readonly NodeJS.Signals[]
  /** Returns the program to start when the one on the PATH is only a wrapper. */
  native?(path: string): Promise<string>
  /** Reads at the end what the agent stores outside its output. Never rejects. */
  gather?(found: { env: Record<string, string>; sessionId: string | null }): Promise<string | null>
  probe?(request: ProbeRequest): Promise<Probe>
  /**
   * How to log in, when the agent is certainly not logged in; else null. Starts no program where a file or a variable
   * shows a login.
   */
  missingLogin?(request: ProbeRequest): Promise<string | null>
  /** Paths that the agent may write besides its workspace in a sandbox; absent when it keeps no state. */
  stateOf?: StateOf
}

/** The part of an adapter that does not depend on the paths of Looper's own programs. */
export type AgentKind = Omit<AgentAdapter, 'plan'>
