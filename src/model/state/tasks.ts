/** Tasks and attempts, with indexes that `evolve` keeps and never rebuilds. */
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
  /** Where a merge moved this attempt to: what it is measured against, and what the fix starts from. */
  base: string | null
  tree: string | null
  /** The failure that the current fix is about. */
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
  /** It was blocked where it came from, or another actor has taken it there: nothing that happens here opens it. */
  held?: 'blocked' | 'taken'
  /** How many tasks the run had done when it was blocked: more since then may be what it needs. */
  doneBefore?: number
}

export interface TasksSlice {
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
}
