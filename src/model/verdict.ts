/** Judgments: agents give scores, the engine computes levels. */
import type { issueSeverities } from './vocabulary.ts'

export type IssueSeverity = (typeof issueSeverities)[number]
export interface Issue {
  severity: IssueSeverity
  message: string
}

export type EscalationLevel = 'none' | 'remind' | 'correct' | 'refocus' | 'critical' | 'abort'

/** The subject of a verdict: the nth revision of the plan, one attempt at a task, or the goal. */
export type Subject =
  | { kind: 'plan'; revision: number }
  | { kind: 'task'; task: string; attempt: number; round: number }
  | { kind: 'wave'; wave: number }
  | { kind: 'goal'; round: number }

export interface Verdict {
  score: number
  level: EscalationLevel
  approved: boolean
  summary: string
  issues: Issue[]
  missing: string[]
  feedback: string
}

export type FindingSeverity = 'BLOCKER' | 'WARNING' | 'SUGGESTION'
export interface Finding {
  severity: FindingSeverity
  title: string
  detail: string
  task: string | null
}
