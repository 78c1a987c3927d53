/** The effective configuration of a run: every key present, every default applied. */
import type { Role } from './purposes.ts'
import type { SourceKind } from './source.ts'

/** US dollars per million tokens. */
export interface Price {
  input: number
  output: number
  /** Price of cached input; `input` applies when absent. */
  cachedInput?: number
}

export const agentTypes = ['claude', 'codex', 'gemini', 'opencode', 'acp', 'command', 'scripted'] as const
export type AgentType = (typeof agentTypes)[number]

export interface AgentConfig {
  /** How the agent is driven; when absent, derived from the name, `command`, `acp` or `script`. */
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
  /** Names of environment variables that the agent receives besides the usual ones. */
  pass?: string[]
  fallback?: string[]
  tiers?: string[]
  timeoutMinutes?: number
  stallSeconds?: number
  /** Maximum number of model answers and tool uses in one turn. */
  maxSteps?: number
  /** Maximum number of concurrent turns of this agent. */
  concurrency?: number
  /** A subscription is not billed per token, so no dollars are counted. */
  billing?: 'api' | 'subscription'
  /** Paths that the agent may write in the sandbox, besides those of `sandboxAllow`. */
  sandboxAllow?: string[]
  /** Prices by model, for agents that do not report their cost. */
  prices?: Record<string, Price>
}

/** Limits of a turn when the agent's configuration sets none. */
export const turnDefaults = { timeoutMinutes: 30, stallSeconds: 300, maxSteps: 1_000 } as const
export const checkTimeoutMinutes = 15
/** Maximum number of concurrent attempts at one task. */
export const mostAtOnce = 8

/** How much disk space the stored products of set-up may take, unless the user says otherwise. */
export const defaultCacheMb = 4096

export interface CheckConfig {
  name: string
  run: string
  timeoutMinutes?: number
  /** `wave`: runs on the run branch when a wave closes and at the end, not for each task. */
  when?: 'task' | 'wave'
  /** Globs: a task runs the check only when it changes a matching file; audits and the gate always do. */
  paths?: string[]
  /** Hidden: no prompt names the check or shows its output. */
  hidden?: boolean
  /** Variables for this check. Neither `env` nor `pass` is written to a journal. */
  env?: Record<string, string>
  /** Names of the user's variables that the check receives besides the usual ones. */
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
  /** Maximum number of tasks that agents may add during the run; absent in older runs. */
  newTasks?: number | null
  /** Absent in older runs. */
  diskMb?: number | null
}

/** Events that a person can be notified of. */
export const occasions = ['question', 'limit', 'end'] as const
export type Occasion = (typeof occasions)[number]

/** Workflows that are not pipelines. `converge` is a stable name for the best workflow, currently `supervised`. */
export const builtInWorkflows = ['supervised', 'converge', 'backlog', 'meta'] as const

/** The default path of the backlog, relative to the root of the repository. */
export const usualBacklog = 'to-do.json'

/**
 * `pause`: the run pauses when no check can prove anything. `no-worse`: a red check must not get worse. `fix-first`: a
 * task that repairs it comes first. `off`: the checks are not run before the first task.
 */
export const baselinePolicies = ['pause', 'no-worse', 'fix-first', 'off'] as const
export type BaselinePolicy = (typeof baselinePolicies)[number]

/** How `looper apply` brings a run into the user's branch. */
export const applyStyles = ['merge', 'squash', 'rebase'] as const
export type ApplyStyle = (typeof applyStyles)[number]

export interface CommitSettings {
  style: 'plain' | 'conventional'
  /** Null: the form of `style`. */
  template: string | null
  /** In columns. */
  subjectLength: number
}

export interface Config {
  workflow: string
  /** The kind of task source. */
  source: SourceKind
  sourceName: string | null
  /** Path relative to the repository's root. */
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
    /** Null: discovered from the files of the project. */
    setup: string[] | null
    copy: string[]
    commit: boolean
    /** Whether `looper apply` runs the user's git hooks; absent in older runs. */
    hooks?: 'run' | 'skip'
    /** Folder for workspaces; null or absent: the user's cache folder. */
    folder?: string | null
    /** Limit of the stored products of set-up; 0: none are stored. Absent in older runs: `defaultCacheMb`. */
    cacheMb?: number
    /** Variables for the commands of `setup`; same rules as `env` and `pass` of a check. */
    env?: Record<string, string>
    pass?: string[]
  }
  /** How commits are worded; absent in older runs. */
  commit?: CommitSettings
  /** Absent in older runs. */
  apply?: { style: ApplyStyle }
  /** Null: discovered. Empty: checks are off, and everything is unverified. */
  checks: CheckConfig[] | null
  /** How often a failing check is run again on the same tree before the failure counts; absent in older runs. */
  checkReruns?: number
  /** How a check that failed before the first task counts for later tasks; absent in older runs. */
  baseline?: BaselinePolicy
  /** Policy for weakened tests or checks, and whether new tests must fail without the change; absent in older runs. */
  guard?: 'block' | 'warn' | 'off'
  proof?: boolean
  /** Whether agents, checks and set-up run in a sandbox of the system; null: if it works. Absent in older runs. */
  sandbox?: 'off' | 'os' | null
  /** Additional paths that they may write; absent in older runs. */
  sandboxAllow?: string[]
  interaction: 'auto' | 'autonomous' | 'checkpoint' | 'interactive'
  limits: Limits
  /** Names of variables that hold secrets. */
  secrets: string[]
  race: Record<string, number>
  thresholds: { approve: number; revise: number; failedTasksAbort: number }
  review: boolean
  sessions: 'fresh' | 'resume'
  onUsageLimit: 'wait' | 'fallback' | 'pause'
  onPlanRejected: 'skip_and_continue' | 'lower_threshold' | 'abort'
  /** What happens when the terminal closes; absent in older runs. */
  onHangup?: 'detach' | 'stop'
  /** Whether a terminal shows what each agent does; absent in older runs. */
  activity?: boolean
  hooks: {
    postIteration: string[]
    onQuestion: string[]
    onLimit: string[]
    onEnd: string[]
    /** Timeout of each command; a slower one is ended and reported. */
    timeoutSeconds: number
  }
  notify: {
    desktop: boolean
    bell: boolean
    /** Never written to a journal, because webhook addresses are secrets. */
    webhook: string | null
    on: Occasion[]
  }
}

/** The configuration that a run keeps: nothing is left to discover. */
export interface RunConfig extends Config {
  agent: string
  checks: CheckConfig[]
  /** The project has no checks, and the user has not switched them off: checks of tasks run. Absent in older runs. */
  noChecksFound?: true
  /** In place, the checkout is inspected also without checks; absent in older runs. */
  inspectsInPlace?: true
  /** Fingerprints of the configured values when the run began, by key; absent in older runs. */
  files?: Record<string, string>
}

/**
 * Settings that every stretch of a run reads again from the files, as hashes: the journal cannot record their values,
 * which may be secrets.
 */
export interface ReadSettings {
  /** By the path of the file as shown to people. Files that do not exist are left out. */
  files: Record<string, string>
  /** By key, such as `agents.claude`, or `checks.test` for the variables of that check. */
  keys: Record<string, string>
}

/** Settings of a run that a person may reload from the configuration. `setup` null: discovered. */
export interface KeptSettings {
  setup: string[] | null
  copy: string[]
  hooks: Config['hooks']
  /** Only before the first task: no coder has worked, so a person's correction takes effect. */
  checks?: CheckConfig[]
  baseline?: BaselinePolicy
}
