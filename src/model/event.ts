/**
 * Events: everything that ever happened to a run. The journal is a list of them and the only truth.
 * `work.*` tell what the world did; the others are what the core concluded or a person asked for.
 */
import type { AgentErrorKind } from './agent-error.ts'
import type { KeptSettings, Limits, RunConfig } from './config.ts'
import type { Pipeline } from './loop.ts'
import type { OutsideChange } from './outside.ts'
import type {
  AntiPattern,
  BaselineCheck,
  Checkpoint,
  Excuse,
  FlakyRuns,
  Health,
  NextStep,
  RollbackReason,
  Trouble,
} from './convergence.ts'
import type { BlockKind, Evidence, TaskEdit, TaskSpec, TaskStatus, Was } from './task.ts'
import type { Finding, Subject, Verdict } from './verdict.ts'
import type { Usage } from './usage.ts'
import type { Outcome, Work } from './work.ts'

export const eventVersion = 1

export type StageName = 'plan' | 'scaffold' | 'execute' | 'gate' | 'backlog' | 'loop' | 'report'

/** Why an attempt did not work out. The whole failure is in the next coder's prompt. */
export interface Failure {
  kind:
    | 'check'
    | 'test'
    | 'verdict'
    | 'agent'
    | 'no-change'
    | 'conflict'
    | 'workspace'
    | 'unfinished'
    | 'tamper'
    | 'secret'
    | 'regression'
  /** The agent's error, when `kind` is `agent`. */
  error: AgentErrorKind | null
  summary: string
  detail: string
  /** Same failure, same fingerprint, whatever the paths, times and addresses in its text. */
  fingerprint: string | null
  /** Permissions (`allows`) without which the tamper guard does not let the change land. */
  needs?: string[]
}

export type PauseKind = 'limit' | 'question' | 'auth' | 'config' | 'blocked' | 'setup' | 'wait' | 'user' | 'health'
export interface PauseReason {
  kind: PauseKind
  /** One line: what stopped the run. */
  detail: string
  /** One line: what a person can do about it. */
  hint: string
}

export interface Conclusion {
  status: 'completed' | 'failed'
  reason: string | null
}

export interface Question {
  id: string
  text: string
  options: string[]
  default: string | null
  /** The tasks that wait for the answer. */
  blocks: string[]
  /** What raised it, so that no question is recorded twice. */
  origin: string
  /** Asked by the tamper guard: the permissions that the answer `allow` gives to the tasks in `blocks`. */
  allows?: string[]
}

export interface Decision {
  id: string
  title: string
  context: string
  choice: string
  alternatives: { option: string; why: string }[]
  dependsOn: string[]
  invalidatedIf: string | null
  task: string | null
  origin: string
}

export interface CheckRecord {
  task: string | null
  attempt: number
  round: number
  /** True when the check ran on the result of the merge rather than on the task's own tree. */
  merged: boolean
  check: string
  passed: boolean
  /** False for a command an agent proposed and nobody can run: it proves nothing and blames nobody. */
  usable: boolean
  /** Why it did not pass although its exit code is 0, or why it does not count. */
  note: string | null
  exitCode: number | null
  durationMs: number
  tests: number | null
  tree: string | null
  tail: string
  fingerprint: string | null
  /** On one tree it passed in some runs and failed in others; then `passed` is true, for Looper has seen it pass. */
  flaky?: FlakyRuns
  /** Why it blames nobody although it is red. */
  excuse?: Excuse
  /** Held out from agents. */
  hidden?: true
}

/** What a person may ask of a live or paused run; each becomes exactly one event. `id` is its name in the inbox. */
export type Command = { id: string } & (
  | { do: 'pause' }
  | { do: 'stop' }
  | { do: 'abort' }
  | { do: 'answer'; question: string; answer: string }
  | { do: 'add'; task: TaskRequest }
  | { do: 'retry'; task: string }
  | { do: 'skip'; task: string; reason: string | null }
  | { do: 'limit'; limits: Partial<Limits> }
  /** `to`: a checkpoint, a commit that landed, or `base`; null: the last good checkpoint. */
  | { do: 'rollback'; to: string | null }
)

export interface TaskRequest {
  title: string
  description: string
  dependsOn: string[]
  criteria: string[]
  priority: number | null
  repairs?: string[]
  allows?: string[]
}

/** `none`: others are at it still. */
export type Rung = 'retry' | 'split' | 'fail' | 'none'

export interface Iteration {
  /** The stage's place in the pipeline, and its name there. */
  stage: number
  name: string
  iteration: number
  status: 'done' | 'failed' | 'blocked'
  summary: string
  /** Declared by the agent: another pass would change nothing of worth. */
  plateau: boolean
  /** The judge, or the command that was waited for, ends the stage. */
  stop: boolean
  /** Lasting facts on the codebase. */
  patterns: string[]
  /** For the stages that follow. */
  output: string | null
  /** What the agent wrote into the progress file. */
  notes: string | null
  /** How many files differ from what landed last. */
  changed: number
  /** What is landed, and what the workspace holds. */
  base: string | null
  tree: string | null
  /** Why the checks, or the agent, say that it is not right. */
  failure: Failure | null
}

interface Payloads {
  /** A run begins: its goal, its workflow, and the configuration it will keep. */
  'run.started': {
    version: number
    run: string
    goal: string
    workflow: string
    stages: StageName[]
    config: RunConfig
    /** The commit the run starts from, and the branch the user had checked out. */
    base: { commit: string; branch: string | null }
    branch: string
    /** The name under which it can be found and of which only one can be live. */
    session?: string
    /** What agents read for each task, instead of the prompt that comes with Looper. */
    prompt?: string
    /** What the `loop` stage walks through. */
    pipeline?: Pipeline
  }
  /**
   * The run goes on from here by itself: all before happened in another run. What was under way is lost; what that
   * spent is its own.
   */
  'run.forked': { from: { run: string; seq: number }; config: RunConfig }
  /** Nothing can go on until a person acts or a limit is raised. */
  'run.paused': { reason: PauseReason }
  /** The run goes on; tasks that had failed get another chance. */
  'run.resumed': { limits: Partial<Limits>; settings?: KeptSettings & { files: Record<string, string> } }
  /** The run is over. */
  'run.ended': { status: 'completed' | 'failed' | 'aborted'; reason: string | null }
  /** A person took the run's changes over: their branch (null: no branch) is at this commit since. */
  'run.applied': { commit: string; onto: string | null }
  /** A person threw the run's changes away; the commit is what its branch was at, if it had one. */
  'run.discarded': { commit: string | null }
  /** A stage begins. The report stage carries the conclusion that the run will end with. */
  'stage.entered': { stage: StageName; conclusion: Conclusion | null }
  /** A person wants the run to pause after the turns under way, to stop now, or to be aborted. */
  'stop.requested': { how: 'pause' | 'stop' | 'abort' }
  /**
   * The clock is ahead by so much although no time passed: it was set, or the machine slept. It counts as no running
   * time.
   */
  'clock.jumped': { ms: number }
  /** A person raised or lowered limits. */
  'limits.changed': { limits: Partial<Limits> }
  /** The plan is what the run will carry out. */
  'plan.accepted': { revision: number; score: number | null; why: 'approved' | 'unreviewed' | 'skipped' | 'lowered' }
  /** The plan goes back to the planner with this feedback. */
  'plan.rejected': { revision: number; score: number | null; feedback: string }
  /** A task joined the plan. */
  'task.added': { task: TaskSpec; origin: string; was?: Was }
  /** Somebody changed a task where it came from. */
  'task.edited': { task: string; edit: TaskEdit }
  /** An attempt at a task begins. */
  'task.started': { task: string; attempt: number; agent: string; wave: number; lane?: number }
  /** Tasks go back to `todo`. */
  'task.reopened': {
    tasks: string[]
    why: 'goal-iteration' | 'resumed' | 'answered' | 'asked' | 'changed' | 'cooldown' | 'source'
  }
  /** A task left its attempts: done with its evidence, or not done with the reason. */
  'task.finished': {
    task: string
    status: Extract<TaskStatus, 'done' | 'failed' | 'blocked' | 'split' | 'cancelled'>
    reason: string | null
    block: BlockKind | null
    evidence: Evidence[]
    commit: string | null
    /** What the coder says it did; null unless done. */
    summary: string | null
    /** What its change made of each file it touched: the hash of its content, null where it is gone. */
    files?: Record<string, string | null>
    /** The same of before, for files that nothing on the run branch had changed until then. */
    was?: Record<string, string | null>
    /** Who closed it, when it was neither an attempt's end nor a person's command. */
    by?: 'agent' | 'source'
    /** It is blocked because its source has given it to somebody else. */
    taken?: true
    /** What whoever comes next should know, in a loop. */
    patterns?: string[]
    notes?: string
  }
  /** The task source was looked at, and what it had to tell is recorded. */
  'source.looked': {
    look: number
    changes: number
    claimed: string | null
    complete: boolean
    problems: string[]
    text?: string
  }
  /** Nothing was left to do, and somebody looked whether that is so. */
  'backlog.reviewed': { round: number; added: number }
  /** One pass of a loop stage is over. A failed one is done again. */
  'iteration.finished': Iteration
  /** A loop stage is over; the next one of the pipeline follows. */
  'loop.finished': { stage: number; name: string; iterations: number; why: string }
  /** Of several attempts at a task, this one is to land. */
  'race.decided': { task: string; winner: number; losers: number[] }
  /**
   * New tests were run without the change: they fail there, or they prove nothing. `why`: that cannot be told, for this
   * reason.
   */
  'proof.given': { task: string; attempt: number; proved: boolean; files: string[]; why?: string }
  /** The attempt goes on with a fix of this failure. */
  'attempt.fixing': {
    task: string
    attempt: number
    fix: number
    failure: Failure
    base: string | null
    tree: string | null
  }
  /** The attempt is over without success; `next` is the rung of the ladder that follows. */
  'attempt.failed': { task: string; attempt: number; failure: Failure; next: Rung; tree?: string | null }
  /** All attempts started since the last wave closed have ended, and what that leads to. */
  'wave.closed': { wave: number; tasks: string[]; health?: Health; next?: NextStep | null }
  /** The monitor sees the run in another state than before, for this reason. */
  'health.changed': { health: Health; evidence: string | null; wave: number }
  /**
   * All that has landed was checked together; these were seen green, these red that nobody broke, these of them better
   * before.
   */
  'branch.audited': { landings: number; green: string[]; red?: string[]; worse?: string[] }
  /**
   * An audit saw a check pass and fail on one tree. `elsewhere`: in search of who broke it, so that the newest is
   * looked at again.
   */
  'check.flaky': FlakyRuns & { check: string; elsewhere?: true }
  /**
   * A task that was done is not any more: its change broke something (`revert` takes back `reverts`), or was turned
   * down with its wave.
   */
  'task.undone': { task: string; why: 'culprit' | 'review'; failure: Failure; revert: string | null; reverts?: string }
  /** What is being tried because work does not converge. */
  'recovery.begun': { from: Trouble; n: number; evidence: string; tasks: string[] }
  /** A known-good commit was kept. */
  'checkpoint.made': { checkpoint: Checkpoint }
  /** A person wants the run branch back at an earlier commit. */
  'rollback.requested': { to: string; checkpoint: string | null }
  /** The branch of a run at rest could not be moved: nothing has changed, and what was next before is next again. */
  'rollback.withdrawn': { why: string; next: NextStep | null }
  /**
   * The run branch is back at an earlier commit. What it undid is to be done again; what it left is kept under a ref.
   */
  'rolled.back': {
    from: string
    to: string
    checkpoint: string | null
    why: RollbackReason
    tasks: string[]
    landings: number
    kept: string | null
    antiPattern: AntiPattern
  }
  /** Looper is about to do this piece of work; durable before it happens. */
  'work.started': { work: Work }
  /** The work came to an outcome. */
  'work.finished': { id: string; outcome: Outcome }
  /**
   * The work came to nothing and will be done again if it is still wanted. `revokes`: the event that says otherwise is
   * not believed, because the folder of the turn contradicts it.
   */
  'work.lost': { id: string; why: string; revokes?: number }
  /** The configured checks have been run on what the run starts from. */
  'baseline.taken': { tree: string | null; checks: (BaselineCheck & { flaky?: FlakyRuns })[] }
  /** A check that Looper ran itself was judged. */
  'check.finished': CheckRecord
  /** A judge's score, with the level that Looper computed from it. */
  'verdict.given': { subject: Subject; verdict: Verdict }
  /** Something worth a person's eye. */
  'finding.raised': Finding & { origin: string }
  /** An agent's choice, with what it rejected and what would invalidate it. */
  'decision.recorded': { decision: Decision }
  /** An agent needs to know something. */
  'question.asked': { question: Question }
  /** The question has its answer, from a person or by its default. `allows`: permissions that a person gives by it. */
  'question.answered': { question: string; answer: string; by: 'default' | 'person'; allows?: string[] }
  /** Something outside the workspaces changed while this work was under way: by it, or by a person. */
  'outside.changed': OutsideChange
  /** What a turn has consumed so far, cumulative for that turn. */
  'budget.spent': { work: string; usage: Usage }
}

export type EventType = keyof Payloads
/** An event before the journal gave it its place and time. */
export type Fact<T extends EventType = EventType> = { [K in T]: { type: K } & Payloads[K] }[T]
export type Event<T extends EventType = EventType> = Fact<T> & { seq: number; at: string }

/** What comes after a time in which nobody ran the run: none of that was running time. */
export const afterRest: ReadonlySet<EventType> = new Set<EventType>([
  'run.resumed',
  'run.forked',
  'run.applied',
  'run.discarded',
])
