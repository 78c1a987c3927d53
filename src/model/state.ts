/**
 * The state of a run: a fold of its journal, plain JSON, so a snapshot is just this.
 * Indexes (`ready`, `active`, `counts`) are kept by `evolve`, never rebuilt.
 */
import type { RunConfig } from './config.ts'
import type {
  CheckRecord,
  Conclusion,
  Decision,
  Failure,
  Iteration,
  PauseReason,
  Question,
  Rung,
  StageName,
} from './event.ts'
import type { Pipeline } from './loop.ts'
import type { OutsideChange } from './outside.ts'
import type { BlockKind, Evidence, TaskSpec, TaskStatus } from './task.ts'
import type { AntiPattern, Baseline, Checkpoint, Convergence, FlakyCheck, Landing } from './convergence.ts'
import type { Usage } from './usage.ts'
import type { Finding, Verdict } from './verdict.ts'
import type { Outcome, Quota, TurnOutcome, Work } from './work.ts'

export type RunStatus = 'new' | 'running' | 'completed' | 'failed' | 'paused' | 'aborted'

export interface AttemptState {
  n: number
  agent: string
  startedAt: string
  /** 0 while implementing, k during the kth fix. */
  round: number
  /** Where a merge moved this attempt to: what it is measured against, and what the fix starts from. */
  base: string | null
  tree: string | null
  /** What the current fix is to mend. */
  failure: Failure | null
  /** Its change met another on the way: both sides' checks must pass. */
  conflicted?: true
  /** Which of several attempts at once, from 1; absent: the only one, or the first. */
  lane?: number
  /** Whether its new tests fail without its change, and why that cannot be told. */
  proof?: 'proved' | 'no proof'
  unproven?: string
  /** Checks judged in this round. */
  checks: CheckRecord[]
  verdict: Verdict | null
}

/** A failure of the past, and whose it was. */
export interface PastFailure extends Failure {
  attempt?: number
  agent?: string
  /** Names of tests that failed, as far as the checks told. */
  failing?: string[]
}

export interface TaskState extends TaskSpec {
  origin: string
  /** Place in the order of adding; breaks ties of priority. */
  index: number
  status: TaskStatus
  reason: string | null
  block: BlockKind | null
  /** Attempts begun, and how many more the ladder grants. */
  attempts: number
  attemptsLeft: number
  fixCycles: number
  conflicts: number
  attempt: AttemptState | null
  /** Attempts that race against it. */
  rivals?: AttemptState[]
  /** Decided but not carried out yet, between two attempts. */
  next: Rung | null
  failures: PastFailure[]
  evidence: Evidence[]
  verdict: Verdict | null
  commit: string | null
  /** What the coder says it did. */
  summary: string | null
  children: string[]
  /** Dependencies that are not satisfied yet. */
  waitingOn: number
  usage: Usage
  startedAt: string | null
  endedAt: string | null
  /** Whether the tests that came with it fail without it, and why that cannot be told. */
  proof?: 'proved' | 'no proof'
  unproven?: string
  /** The last race at it: who won, by how many fixes of its own, and who was kept aside. */
  race?: { winner: number; fixes: number; losers: number[] }
  /** Running time of the run when work on it began, while it is under way, and what it took before. */
  begunMs?: number
  tookMs?: number
  /** How often it was done and then was not any more. */
  falls?: number
  /** Which recovery it is part of, and why: another agent, another approach. */
  detour?: { n: number; why: string }
  /** It was under way in its source already, so it comes first. */
  begun?: true
  /** Permissions that a person gave it by answering a question of the tamper guard. */
  granted?: string[]
  /** It was blocked where it came from, or somebody else has taken it there: nothing that happens here opens it. */
  held?: 'blocked' | 'taken'
  /** How many tasks the run had done when it was blocked: more since then may be what it needs. */
  doneBefore?: number
}

/** What a run knows of the place its tasks come from. */
export interface BacklogState {
  looks: number
  /** Claimed there and not begun yet. */
  claimed: string | null
  /** Nothing has happened since the last look. */
  fresh: boolean
  problems: string[]
  /** What cannot be understood, for whoever mends it. */
  text?: string
  reviews: number
  complete: boolean
  /** How often a planner's backlog was put there since a person last looked. */
  written: number
  /** Tasks that this run has done. */
  finished: number
}

/** One line of what happened, for whoever comes next. */
export type ProgressEntry = Pick<Iteration, 'name' | 'iteration' | 'status' | 'summary' | 'notes' | 'changed'> & {
  at: string
}

export interface LoopState {
  /** Which stage of the pipeline, from 0, and the run's wave when it began. */
  stage: number
  wave: number
  /** Passes of this stage that count, how often the one at hand was tried, and how many of them came to something. */
  iterations: number
  tries: number
  succeeded: number
  /** In a row: passes that failed, that were blocked, and that declared a plateau. */
  failures: number
  blocked: number
  agreed: number
  stop: boolean
  /** What is wrong with what the workspace holds. */
  failure: Failure | null
  /** What is landed, and what the workspace holds; null before the first pass. */
  base: string | null
  tree: string | null
  /** Checks judged in the pass under way. */
  checks: CheckRecord[]
  endedAt: string | null
  /** Passes whose changes landed, and how many of those Looper saw pass its checks. */
  landed: number
  verified: number
  entries: ProgressEntry[]
  patterns: string[]
  /** By the name of the stage: of the newest passes that gave any, which one it was and what it gave. */
  outputs: Record<string, { from: string; text: string }[]>
}

export interface LedgerEntry {
  outcome: Outcome
  at: string
  /** Who took the turn, if it was one. */
  by?: { agent: string; model: string | null }
}

export interface QuestionState extends Question {
  answer: string | null
  by: 'default' | 'person' | null
}

export interface RunState {
  seq: number
  lastAt: string
  run: string
  goal: string
  workflow: string
  stages: StageName[]
  config: RunConfig
  base: { commit: string; branch: string | null }
  branch: string

  status: RunStatus
  reason: string | null
  pause: PauseReason | null
  /** Null until the first stage is entered. */
  stage: StageName | null
  conclusion: Conclusion | null
  /** What a person asked for and the run has not reached yet. */
  request: 'pause' | 'stop' | 'abort' | null
  /** After a resume, tasks that had failed are to be opened again. */
  reopening: boolean

  /** What a person did with the changes, until the run goes on and makes others. */
  applied: { commit: string; onto: string | null; at: string } | null
  discardedAt: string | null

  startedAt: string
  endedAt: string | null
  /** Running time before the current stretch, and when that stretch began. */
  elapsedMs: number
  activeSince: string | null

  plan: {
    revision: number
    accepted: boolean
    score: number | null
    /** The reviewer's words on the last rejected revision. */
    feedback: string | null
    verdict: Verdict | null
  }
  gate: { round: number; checks: CheckRecord[]; verdict: Verdict | null }
  /** Null unless tasks come from a source. */
  backlog: BacklogState | null
  session: string | null
  pipeline: Pipeline | null
  /** What agents read for each task of a backlog, where the user has words of their own. */
  prompt: string | null
  /** Null unless the run has a pipeline. */
  loop: LoopState | null

  tasks: Record<string, TaskState>
  order: string[]
  /** Todo tasks whose dependencies are satisfied, in the order to start them. */
  ready: string[]
  /** Tasks with an attempt under way or a rung to carry out. */
  active: string[]
  counts: Record<TaskStatus, number>
  /** Criteria of the tasks that are done; a task without any is one itself. */
  met: number
  /** The last few that were done, the newest last. */
  recent: string[]
  /** For each task, those that wait for it. */
  dependents: Record<string, string[]>

  /** Work started and not finished, by id. */
  works: Record<string, { work: Work; at: string; starts: number }>
  /** Outcomes that decisions still look at, by owner (`plan`, `gate`, a task) and work id. */
  ledger: Record<string, Record<string, LedgerEntry>>
  /** How often work was started before, kept while its owner's ledger is. */
  starts: Record<string, number>
  /** Answers of turns that are to be wrapped up once more, by work id. */
  unwrapped?: Record<string, TurnOutcome>
  /** A recorded event that is not believed although the run has built on it: it cannot go on. */
  distrusted?: { id: string; seq: number; why: string }

  /** Until when each agent and model is out of quota, as far as it was told. */
  quotas: Record<string, string>
  /** What each agent last told of its quotas. */
  allowances: Record<string, Quota[]>

  /** Null until the checks have been run on the base. */
  baseline: Baseline | null
  /** Checks that cannot be trusted, by name. */
  flaky: Record<string, FlakyCheck>
  convergence: Convergence
  /** What is on the run branch of this run, in order. */
  landings: Landing[]
  checkpoints: Checkpoint[]
  antiPatterns: AntiPattern[]

  wave: number
  waveTasks: string[]
  /** The last wave that was judged as a whole. */
  waveReviewed: number
  goalIteration: number
  turns: number
  usage: Usage
  /** Usage of turns under way, by work id, and the dearest turn so far: what a new turn is reckoned to cost. */
  spending: Record<string, Usage>
  dearest: Usage
  waitedMs: number
  /** What turns had written to the disk when that was last above the limit; absent while it never was. */
  diskBytes?: number

  questions: QuestionState[]
  decisions: Decision[]
  findings: (Finding & { origin: string })[]
  /** Changes outside the workspaces, the first of them; absent while there is none. */
  outside?: OutsideChange[]
}
