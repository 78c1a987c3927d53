/** Questions for people, and their answers. */
import type { Question } from '../event.ts'

export interface QuestionState extends Question {
  answer: string | null
  by: 'default' | 'person' | null
  /** What the answer permits, for a question of the tamper guard. */
  granted?: string[]
}

export interface QuestionsSlice {
  questions: QuestionState[]
}
