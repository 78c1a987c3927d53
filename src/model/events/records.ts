/** Events that inform people: questions, findings, decisions, changes outside the workspaces. */
import type { OutsideChange } from '../outside.ts'
import type { Decision, Question } from '../question.ts'
import type { Finding } from '../verdict.ts'

export interface RecordEvents {
  /** A finding that a person should see. */
  'finding.raised': Finding & { origin: string }
  /** An agent's decision, with the rejected options and what would invalidate it. */
  'decision.recorded': { decision: Decision }
  /** An agent asks a question. */
  'question.asked': { question: Question }
  /**
   * A question was answered by a person or by its default. `allows`: permissions that the person grants with the
   * answer.
   */
  'question.answered': { question: string; answer: string; by: 'default' | 'person'; allows?: string[] }
  /** Files outside the workspaces changed during this work. Either the work or a person changed them. */
  'outside.changed': OutsideChange
}
