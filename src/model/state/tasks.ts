/** Tasks and attempts, with indexes that `evolve` updates incrementally and never rebuilds. */
import type { CheckRecord, Failure, Rung } from '../event.ts'
import type { BlockKind, Evidence, TaskSpec, TaskStatus } from '../task.ts'
import type { Usage } from '../usage.ts'
import type { Verdict } from '../verdict.ts'

export interface AttemptState {
  n: number
  agent: string
  startedAt: string
  /** 0 while implementing, k during the kth fix. */
  round: number
  /** The commit that a merge moved this attempt to: the base of its diff, and the start of the fix. */
  base: string | null
  tree: string | null
  /** The failure that the current fix addresses. */
  failure: Failure | null
  /** How often that failure has shown in a row, unchanged; absent: once. */
  repeats?: number
  /** Its change conflicted with another: the checks of both tasks must pass. */
  conflicted?: true
  /** Which of several concurrent attempts, from 1; absent: the only one, or the first. */
  racer?: number
  /** Whether its new tests fail without its change, and why that is unknown. */
  proof?: 'proved' | 'no proof'
  unproven?: string
  /** Checks judged in this round. */
  checks: CheckRecord[]
  verdict: Verdict | null
}

/** An earlier failure, the attempt and agent it belongs to, and the tree that was left. */
export interface PastFailure extends Failure {
  attempt?: number
  agent?: string
  tree?: string
  /** Names of failing tests, if the checks named them. */
  failing?: string[]
}

/** Only a blocked task has something that blocks it. */
export type TaskStatusFields =
  { status: 'blocked'; block: BlockKind } | { status: Exclude<TaskStatus, 'blocked'>; block: null }

interface TaskFields extends TaskSpec {
  origin: string
  /** Position in the order of adding; breaks ties of priority. */
  index: number
  reason: string | null
  /** The question that the task waits for, if that is why it is blocked. */
  question?: string
  /** Attempts started, and how many more the ladder allows. */
  attempts: number
  attemptsLeft: number
  fixCycles: number
  conflicts: number
  attempt: AttemptState | null
  /** Concurrent attempts that race against this one. */
  racers?: AttemptState[]
  /** The rung that was decided between two attempts and not carried out yet. */
  next: Rung | null
  failures: PastFailure[]
  evidence: Evidence[]
  verdict: Verdict | null
  commit: string | null
  /** Done, although the agent changed nothing. */
  unchanged?: true
  /** The coder's summary. */
  summary: string | null
  children: string[]
  /** Dependencies that are not satisfied yet. */
  waitingOn: number
  usage: Usage
  startedAt: string | null
  endedAt: string | null
  /** Whether its new tests fail without its change, and why that is unknown. */
  proof?: 'proved' | 'no proof'
  unproven?: string
  /** The last race at it: the winner, the number of its fixes, and the losers. */
  race?: { winner: number; fixes: number; losers: number[] }
  /** The run's running time when the current work on it began, and the time spent on it before. */
  begunMs?: number
  tookMs?: number
  /** How often it was done and then undone. */
  falls?: number
  /** The recovery it is part of, and the reason: another agent or another approach. */
  alternate?: { n: number; why: string }
  /** The task was already in progress in its source, so it has precedence. */
  begun?: true
  /** Permissions that a person granted by answering a question of the tamper guard. */
  granted?: string[]
  /** Attempts before a person last gave it another chance: their failures do not count as repeated. */
  triedBefore?: number
  /** It was blocked in its source, or another actor has taken it there: nothing in this run unblocks it. */
  held?: 'blocked' | 'taken'
  /** Number of done tasks when it was blocked. If more are done since, it may be unblocked. */
  doneBefore?: number
}

export type TaskState = TaskFields & TaskStatusFields

export interface TasksSlice {
  tasks: Record<string, TaskState>
  order: string[]
  /** Todo tasks whose dependencies are satisfied, in the order to start them. */
  ready: string[]
  /** Tasks with a running attempt or a pending rung. */
  active: string[]
  counts: Record<TaskStatus, number>
  /** Criteria met by done tasks; a task without criteria counts as one. */
  met: number
  /** The most recently done tasks, newest last. */
  recent: string[]
  /** Tasks that repair a check of the base: all others wait for them. */
  repairs?: string[]
  /** For each task, the tasks that depend on it. */
  dependents: Record<string, string[]>
}
