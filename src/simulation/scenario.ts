/**
 * The scenario of one simulated world, drawn from its seed: configuration, plan, trouble and faults. Plain data, so it
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
  /** Its coder also writes a file that other tasks write, so merges may conflict. */
  shared: boolean
  /** Its checks pass alone and fail next to another such task, until a fix. */
  clash: boolean
  /** With a task source: the initial rank and status of the task there. */
  priority?: number
  status?: SourceStatus
  /** The files and the complexity that the planner declares. */
  files?: string[]
  complexity?: Complexity
  /** The task whose own check its change breaks, or `whole`: in the first attempt, and sometimes in later ones. */
  breaks?: string
  /** It adds new tests: `proving` ones fail without the change, `idle` ones do not. */
  tests?: 'proving' | 'idle'
  /** Its purpose is to fix a check that failed before, or to remove tests. */
  asks?: 'fix' | 'weaken'
  /** What the planner permits it to weaken; prose alone permits nothing. */
  allows?: string[]
}

/** Conditions that keep work from converging. */
export interface Unrest {
  /** By check name: the probability that it fails without a reason. */
  flaky: Record<string, number>
  /** Whether a check fails before the first task, and whether checks name the failing tests. */
  base: 'green' | 'named' | 'unnamed'
  /** The probability that a coder weakens tests. */
  tampering: number
  /** How often the user rolls back a resting run. */
  regrets: number
  /** A check that cannot run any more after that many checks, on any tree, until the user repairs the machine. */
  gone?: { check: string; after: number }
  /** A check that fails in the same way with the change of any task, until the user repairs the machine. */
  alike?: string
}

/** A task source: a file of the run's own, or a shared one that others use at the same time. */
export interface SourceScenario {
  kind: 'file' | 'shared'
  /** The initial content; `plan`: the tasks of the scenario. */
  content: 'plan' | 'nothing' | 'rubbish'
}

/** Moments at which a fault may strike: while such work is running. */
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

/** A person's edit of the source; `nth` is the position of a task there. */
export type HandEdit =
  | { do: 'add'; id: string; priority: number; after: number | null }
  | { do: 'rename' | 'remove' | 'reopen'; nth: number }
  | { do: 'rank'; nth: number; priority: number }
  | { do: 'close'; nth: number; as: 'done' | 'cancelled' | 'blocked' }
  | { do: 'break' }
  | { do: 'repair' }
  /** Another actor starts the task; only in a shared source. */
  | { do: 'take'; nth: number }

/**
 * Strikes this long after that many events are durable and, if a stage or a moment is named, while the run is in it.
 */
export type Fault = {
  after: number
  delayMs: number
  stage?: StageName
  during?: Moment
} /** `writing`: during a write, else just after one. A machine crash ends its agents too. */ & (
  | { kind: 'crash'; machine: boolean; writing: boolean; tail: Tail }
  | { kind: 'disk-full'; forMs: number }
  /** The next sync fails once; `tail` says what happens to the written data. */
  | { kind: 'disk-error'; tail: Tail }
  /** A second engine that does not know of the first. */
  | { kind: 'second-engine' }
  | { kind: 'clock-jump'; ms: number }
  | { kind: 'worktrees-deleted' }
  | { kind: 'command'; command: UserCommand }
  /** A person edits the task source. */
  | { kind: 'hand'; edit: HandEdit }
  /** The task source cannot be reached. */
  | { kind: 'outage'; forMs: number }
)

/** `nth` is the position of a task, because ids are unknown before the plan exists. */
export type UserCommand =
  | { do: 'pause' | 'stop' | 'abort' }
  | { do: 'skip' | 'retry'; nth: number }
  | { do: 'add' }
  | { do: 'limit'; turns: number }
  | { do: 'answer' }
  /** `nth`: of the checkpoints, or of the landings. */
  | { do: 'rollback'; to: 'last' | 'base' | 'checkpoint' | 'commit' | 'nonsense'; nth: number }

export interface Scenario {
  seed: number
  config: RunConfig
  plan: PlannedTask[]
  /** The probability that a turn goes wrong. */
  trouble: number
  /** Coders discover more tasks. */
  discovery: boolean
  /** Change hints get lost, are late or arrive twice. */
  badHints: boolean
  faults: Fault[]
  /** How often the user resumes a paused or failed run. */
  resumes: number
  /** The user does whatever a pause asks for, so only a failed run is left alone. */
  patient: boolean
  /** The task source that replaces the planner. */
  source?: SourceScenario
  /** The pipeline of the run. */
  pipeline?: Pipeline
  /** Absent: checks are never wrong, no agent breaks or weakens anything, and landed changes stay. */
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
  inspectsInPlace: true,
  ...changes,
})

/** Edits and outages of a source change the work of a run. */
const isOutside = ({ kind }: Fault): boolean =>
  kind === 'command' || kind === 'worktrees-deleted' || kind === 'hand' || kind === 'outage'

/** Nothing here depends on timing, so every history of this world must end the same way. */
export const isPredictable = ({ config, plan, discovery, faults, patient, source, unrest }: Scenario): boolean =>
  patient
  && ((source === undefined && unrest === undefined) || config.parallel === 1)
  && Object.keys(unrest?.flaky ?? {}).length === 0
  && (unrest?.regrets ?? 0) === 0
  && unrest?.gone === undefined
  && unrest?.alike === undefined
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
