/** The effective configuration of a run: every key present, every default applied. */
import type { Role } from './purposes.ts'
import type { SourceKind } from './source.ts'

/** US dollars per million tokens. */
export interface Price {
  input: number
  output: number
  /** Input that the provider had kept; `input` when absent. */
  cachedInput?: number
}

export const agentTypes = ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command', 'scripted'] as const
export type AgentType = (typeof agentTypes)[number]

export interface AgentConfig {
  /** How it is driven; told by the name, `command`, `acp` or `script` when absent. */
  type?: AgentType
  /** A program that speaks the command-agent protocol: argv, no shell. */
  command?: string[]
  /** A program that speaks the Agent Client Protocol on stdio: argv, no shell. */
  acp?: string[]
  /** A YAML script played by the scripted agent. */
  script?: string
  bin?: string
  model?: string
  args?: string[]
  env?: Record<string, string>
  /** Names of variables that it sees besides the usual ones. */
  pass?: string[]
  fallback?: string[]
  tiers?: string[]
  timeoutMinutes?: number
  stallSeconds?: number
  /** Answers of the model and uses of tools in one turn. */
  maxSteps?: number
  /** Turns of this agent at the same time. */
  concurrency?: number
  /** A subscription is not paid by the token: no dollars are counted. */
  billing?: 'api' | 'subscription'
  /** Paths that it may write in the sandbox, besides those of `sandboxAllow`. */
  sandboxAllow?: string[]
  /** By model, for agents that do not tell what they cost. */
  prices?: Record<string, Price>
}

/** What holds for a turn where its agent's configuration says nothing. */
export const turnDefaults = { timeoutMinutes: 30, stallSeconds: 300, maxSteps: 1_000 } as const
export const checkTimeoutMinutes = 15
/** Attempts at one task at the same time. */
export const mostAtOnce = 8

export interface CheckConfig {
  name: string
  run: string
  timeoutMinutes?: number
  /** `wave`: not for each task, but on the run branch when a wave closes and at the end. */
  when?: 'task' | 'wave'
  /** Held out: no prompt names it or shows what it printed. */
  hidden?: boolean
  /** Variables for this check. Never in a journal, and neither is `pass`. */
  env?: Record<string, string>
  /** Names of the user's variables that it sees besides the usual ones. */
  pass?: string[]
}

export interface Limits {
  timeMinutes: number | null
  costUsd: number | null
  tokens: number | null
  turns: number | null
  iterations: number | null
  goalIterations: number | null
  fixCycles: number | null
  attempts: number | null
  splitDepth: number | null
  planRevisions: number | null
  recoveries: number | null
  waitMinutes: number | null
  /** Tasks that agents add while the run goes on; absent in older runs. */
  newTasks?: number | null
  /** Absent in runs that began without. */
  diskMb?: number | null
}

/** What a person may want to be told of. */
export const occasions = ['question', 'limit', 'end'] as const
export type Occasion = (typeof occasions)[number]

/**
 * Workflows that are no pipelines. `converge` is the name people may rely on for the best there is; for now that is
 * `supervised`.
 */
export const builtInWorkflows = ['supervised', 'converge', 'backlog', 'meta'] as const

/** Where the backlog is when nobody says otherwise, from the root of the repository. */
export const usualBacklog = 'to-do.json'

export interface Config {
  workflow: string
  /** Where the tasks of a backlog come from, and which of several. */
  source: SourceKind
  sourceName: string | null
  /** From the repository's root. */
  backlog: string
  /** Null until an installed agent is chosen. */
  agent: string | null
  agents: Record<string, AgentConfig>
  roles: Partial<Record<Role, { agent?: string; model?: string }>>
  schedule: 'single' | 'odd-even' | 'round-robin'
  rotation: string[]
  parallel: number
  checksParallel: number
  workspace: {
    mode: 'worktree' | 'in-place'
    /** Null means: discovered from the lock file. */
    setup: string[] | null
    copy: string[]
    commit: boolean
    /** Where workspaces are made; null or absent: in the user's cache folder. */
    folder?: string | null
    /** The same as those of a check, for the commands of `setup`. */
    env?: Record<string, string>
    pass?: string[]
  }
  /** Null means: discovered. Empty means: switched off, everything is unverified. */
  checks: CheckConfig[] | null
  /** How often a red check is run again on the same tree before it is believed; absent in runs that began without. */
  checkReruns?: number
  /** What a check that was red before the first task means for those after; absent in runs that began without. */
  baseline?: 'no-worse' | 'off'
  /**
   * What happens when tests or checks were made weaker, and whether new tests must fail without the change; absent in
   * older runs.
   */
  guard?: 'block' | 'warn' | 'off'
  proof?: boolean
  /**
   * Whether agents, checks and set-up run in a sandbox of the system; null: where it works. Absent in runs that began
   * without.
   */
  sandbox?: 'off' | 'os' | null
  /** Paths that they may write besides; absent in runs that began without. */
  sandboxAllow?: string[]
  interaction: 'auto' | 'autonomous' | 'checkpoint' | 'interactive'
  limits: Limits
  /** Names of variables. */
  secrets: string[]
  race: Record<string, number>
  thresholds: { approve: number; revise: number; failedTasksAbort: number }
  review: boolean
  sessions: 'fresh' | 'resume'
  onUsageLimit: 'wait' | 'fallback' | 'pause'
  onPlanRejected: 'skip_and_continue' | 'lower_threshold' | 'abort'
  /** What a closed terminal means; absent in runs that began without. */
  onHangup?: 'detach' | 'stop'
  hooks: {
    postIteration: string[]
    onQuestion: string[]
    onLimit: string[]
    onEnd: string[]
    /** For each command; one that is slower is ended and reported. */
    timeoutSeconds: number
  }
  notify: {
    desktop: boolean
    bell: boolean
    /** Never in a journal: such addresses are secrets. */
    webhook: string | null
    on: Occasion[]
  }
}

/** A run's own copy: nothing left to discover. */
export interface RunConfig extends Config {
  agent: string
  checks: CheckConfig[]
  /** Fingerprints of what the configuration said when the run began, by key; absent in older runs. */
  files?: Record<string, string>
}

/** Settings of a run that a person may take from the configuration again. `setup` null: discovered. */
export interface KeptSettings {
  setup: string[] | null
  copy: string[]
  hooks: Config['hooks']
}
