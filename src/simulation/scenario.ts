/**
 * What happens in one simulated world, drawn from its seed: configuration, plan, trouble and faults. Plain data, so it
 * can be shrunk.
 */
import type { RunConfig } from '../model/config.ts'
import type { StageName } from '../model/event.ts'
import type { Pipeline } from '../model/loop.ts'
import type { SourceStatus } from '../model/source.ts'
import type { Complexity } from '../model/task.ts'
import type { Tail } from './virtual-disk.ts'

export interface PlannedTask {
  id: string
  dependsOn: string[]
  checks: string[]
  /** Its coder also writes a file that others write: merges may conflict. */
  shared: boolean
  /** Green alone, red beside another one like it, until a fix. */
  clash: boolean
  /** Where tasks come from a source: their rank there, and how they stand at first. */
  priority?: number
  status?: SourceStatus
  /** What the planner says it will change, and how hard it is. */
  files?: string[]
  complexity?: Complexity
  /** Which task's own check its change breaks, or `whole`: at first, and now and then in later attempts. */
  breaks?: string
  /** It comes with new tests, which fail without it or not. */
  tests?: 'proving' | 'idle'
  /** It is to mend what was red before, or to take tests out. */
  asks?: 'mend' | 'weaken'
  /** What the planner lets it weaken; its words alone let it weaken nothing. */
  allows?: string[]
}

/** What keeps work from converging. */
export interface Unrest {
  /** By the name of a check: how likely it is red for no reason. */
  flaky: Record<string, number>
  /** Whether something is red before the first task, and whether checks tell which tests fail. */
  base: 'green' | 'told' | 'untold'
  /** How likely a coder makes tests weaker. */
  tampering: number
  /** How often the user rolls back a run that rests. */
  regrets: number
}

/** A place with the tasks of a run: a file that is the run's own, or one that others work with at the same time. */
export interface SourcePlace {
  kind: 'file' | 'shared'
  /** What is there at first; `plan`: the tasks of the scenario. */
  holds: 'plan' | 'nothing' | 'rubbish'
}

/** While such work is under way. */
export const moments = [
  'baseline',
  'overlay',
  'proof',
  'bisect',
  'revert',
  'take-back',
  'checkpoint',
  'rollback',
  'review',
  'resolve',
] as const
export type Moment = (typeof moments)[number]

/** What a person does to it; `nth` names a task by its place there. */
export type HandEdit =
  | { do: 'add'; id: string; priority: number; after: number | null }
  | { do: 'rename' | 'remove' | 'reopen'; nth: number }
  | { do: 'rank'; nth: number; priority: number }
  | { do: 'close'; nth: number; as: 'done' | 'cancelled' | 'blocked' }
  | { do: 'break' }
  | { do: 'mend' }
  /** Somebody else begins it; only where others work, too. */
  | { do: 'take'; nth: number }

/** Strikes so long after that many events are durable and, where a stage or a moment is named, the run is in it. */
export type Fault = {
  after: number
  delayMs: number
  stage?: StageName
  during?: Moment
} /** `writing`: in the middle of a write, else just after one. A machine takes its agents along. */ & (
  | { kind: 'crash'; machine: boolean; writing: boolean; tail: Tail }
  | { kind: 'disk-full'; forMs: number }
  /** The next sync fails, once, and leaves what was written as `tail` says. */
  | { kind: 'disk-error'; tail: Tail }
  /** A second engine that does not know of the first. */
  | { kind: 'rival' }
  | { kind: 'clock-jump'; ms: number }
  | { kind: 'worktrees-deleted' }
  | { kind: 'command'; command: UserCommand }
  /** A person changes the source of tasks. */
  | { kind: 'hand'; edit: HandEdit }
  /** The source of tasks cannot be reached. */
  | { kind: 'outage'; forMs: number }
)

/** `nth` names a task by its place, because the user sees the plan only then. */
export type UserCommand =
  | { do: 'pause' | 'stop' | 'abort' }
  | { do: 'skip' | 'retry'; nth: number }
  | { do: 'add' }
  | { do: 'limit'; turns: number }
  | { do: 'answer' }
  /** `nth`: of the checkpoints, or of what has landed. */
  | { do: 'rollback'; to: 'last' | 'base' | 'checkpoint' | 'commit' | 'nonsense'; nth: number }

export interface Scenario {
  seed: number
  config: RunConfig
  plan: PlannedTask[]
  /** How likely each turn is to go wrong. */
  trouble: number
  /** Coders find more tasks. */
  discovery: boolean
  /** Hints that something happened get lost, come late or twice. */
  badHints: boolean
  faults: Fault[]
  /** How often the user resumes a run that paused or failed. */
  resumes: number
  /** The user does whatever a pause asks for, so that only a failed run is left alone. */
  patient: boolean
  /** The tasks come from there, and not from a planner. */
  source?: SourcePlace
  /** The run walks through these stages. */
  pipeline?: Pipeline
  /** Absent: checks are never wrong, nobody breaks or weakens anything, and what landed stays. */
  unrest?: Unrest
}

export const defaultConfig = (changes: Partial<RunConfig> = {}): RunConfig => ({
  workflow: 'supervised',
  source: 'todo-file',
  sourceName: null,
  backlog: 'to-do.json',
  agent: 'virtual',
  agents: { virtual: { command: ['virtual'] } },
  roles: {},
  schedule: 'single',
  rotation: [],
  parallel: 4,
  checksParallel: 2,
  workspace: { mode: 'worktree', setup: [], copy: [], commit: true },
  checks: [{ name: 'test', run: 'test' }],
  interaction: 'auto',
  limits: {
    timeMinutes: null,
    costUsd: null,
    tokens: null,
    turns: null,
    iterations: 50,
    goalIterations: 1,
    fixCycles: 2,
    attempts: 2,
    splitDepth: 1,
    planRevisions: 1,
    recoveries: 2,
    waitMinutes: null,
    newTasks: 20,
  },
  secrets: [],
  race: {},
  thresholds: { approve: 70, revise: 50, failedTasksAbort: 0.5 },
  review: true,
  sessions: 'fresh',
  onUsageLimit: 'wait',
  onPlanRejected: 'skip_and_continue',
  hooks: { postIteration: [], onQuestion: [], onLimit: [], onEnd: [], timeoutSeconds: 30 },
  notify: { desktop: false, bell: false, webhook: null, on: ['question', 'limit', 'end'] },
  ...changes,
})

/** What people do to a source, and that it cannot be reached, changes what a run has to do. */
const isOutside = ({ kind }: Fault): boolean =>
  kind === 'command' || kind === 'worktrees-deleted' || kind === 'hand' || kind === 'outage'

/** Nothing here depends on who is quicker, so every history of this world must come to the same end. */
export const isPredictable = ({ config, plan, discovery, faults, patient, source, unrest }: Scenario): boolean =>
  patient
  && ((source === undefined && unrest === undefined) || config.parallel === 1)
  && Object.keys(unrest?.flaky ?? {}).length === 0
  && (unrest?.regrets ?? 0) === 0
  && config.workspace.mode === 'worktree'
  && !discovery
  && plan.every(({ shared, clash }) => !shared && !clash)
  && !faults.some(isOutside)
  && config.limits.timeMinutes === null
  && config.limits.costUsd === null
  && config.limits.tokens === null
  && config.limits.turns === null
  && config.thresholds.failedTasksAbort === 1
  && (config.limits.iterations ?? Infinity) >= 50
  && config.limits.waitMinutes === null
