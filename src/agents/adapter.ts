/** The shape of every agent adapter: how to start a turn, how to read what comes back, how to ask it to stop. */
import type { AgentError } from '../model/agent-error.ts'
import type { AgentConfig } from '../model/config.ts'
import type { Usage } from '../model/usage.ts'
import type { Quota, TurnWork } from '../model/work.ts'
import type { StateOf } from './state.ts'

export interface PlanRequest {
  run: string
  work: TurnWork
  /** Located by now: `bin` is the full path of the program. */
  agent: AgentConfig
  /** What the agent sees of the environment, its own `env` included. */
  env: Readonly<Record<string, string>>
  prompt: string
  /** Where the agent works. */
  cwd: string
  /** The turn's own folder, for files that only this turn needs. */
  folder: string
  /** A folder that only this agent's turns of this run share. */
  home: string
  /** What the role may do to the files; where an agent has no such mode, a diff check still catches it. */
  rights: 'read' | 'write'
  /** It runs in Looper's sandbox, in which most systems do not let it make one of its own. */
  confined?: boolean
  /** Where the agent may leave its answer, and where it finds the answer's JSON Schema. */
  resultFile: string
  schemaFile: string
  schema: string
  /**
   * Starts Looper's MCP server on stdio: its tools leave the answer in `resultFile` and everything else in the turn's
   * outbox.
   */
  mcp: { command: string; args: string[]; env: Record<string, string> }
}

export interface SpawnSpec {
  argv: readonly [string, ...string[]]
  /** On top of the allow-listed environment. */
  env: Record<string, string>
  stdin: string
  /** The workspace is to be read-only in Looper's sandbox, in place of a mode of the agent's own. */
  readOnly?: boolean
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
  /** The agent tries again by itself. */
  | { type: 'retry'; error: AgentError }
  | ({ type: 'quota' } & Quota)
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
  /** What the adapter's own `gather` found. */
  extra: string | null
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
  /** Only of a session that can be resumed. */
  sessionId: string | null
  /** What the agent wrote of its quotas instead of printing it. */
  quotas?: Quota[]
}

export interface AgentParser {
  /** Takes one line of stdout, never throws. */
  push(line: string): AgentEvent[]
  /** A line too long to be looked at. */
  skip(bytes: number): void
  /** What the lines so far say was consumed. */
  usage(): Usage
  /** The session so far known; null when there is none, or none that can be resumed. */
  session(): string | null
  /** The newest time that the lines so far tell, ISO; absent where an agent tells none. */
  told?(): string
  /** Answers of the model and uses of tools so far: an agent that goes round in circles is ended by their number. */
  steps(): number
  /** An error that is certain before the end, and that no trying again by the agent itself will mend. */
  doomed(): AgentError | null
  end(ending: Ending): TurnAnswer
}

export interface ParserContext {
  agent: AgentConfig
  work: TurnWork
  /** ISO time at which the turn started: what a time of day in a message is relative to. */
  startedAt: string
}

export interface Capabilities {
  /** How an answer of the right shape is had: the agent's own schema option, a tool of Looper's, or words. */
  structured: 'schema' | 'tool' | 'words'
  resumes: boolean
  readOnly: boolean
  budget: boolean
  /**
   * Who knows what a turn costs: the agent, the agent of models whose price it knows, a table of prices, perhaps
   * nobody.
   */
  cost: 'reported' | 'partly' | 'priced' | 'unknown'
  /** The version all of this was tried with; another may differ. */
  testedWith?: string
}

/** What can be told of an installed agent without spending a token. */
export interface Probe {
  version: string | null
  login: 'yes' | 'no' | 'unknown'
  /** Where it depends on the login. */
  structured?: Capabilities['structured']
  /** What is missing, each with what to do about it. */
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
  /** The program looked for on the PATH; null where the configuration names it. */
  program: string | null
  capabilities: Capabilities
  /** Pure. Throws LooperError CONFIG_INVALID when the agent's configuration lacks what it needs. */
  plan(request: PlanRequest): SpawnSpec
  parser(context: ParserContext): AgentParser
  /** Graceful first, each given a grace; data, because an adopted turn has no child process object. */
  stopSignals: readonly NodeJS.Signals[]
  /** What to start when the program that was found is only a wrapper around it. */
  native?(path: string): Promise<string>
  /** Reads at the end what the agent keeps to itself elsewhere. Never rejects. */
  gather?(found: { env: Record<string, string>; sessionId: string | null }): Promise<string | null>
  probe?(request: ProbeRequest): Promise<Probe>
  /** What it may write besides its workspace when it runs in a sandbox; absent where it keeps no state. */
  stateOf?: StateOf
}

/** All of an adapter that can be known without knowing where Looper's own programs are. */
export type AgentKind = Omit<AgentAdapter, 'plan'>
