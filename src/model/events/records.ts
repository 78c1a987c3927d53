/** Events for the eyes of people: questions, findings, decisions, changes outside the workspaces. */
import type { OutsideChange } from '../outside.ts'
import type { Decision, Question } from '../question.ts'
import type { Finding } from '../verdict.ts'

export interface RecordEvents {
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
}
