/** Questions for people, and their answers. */
import type { Question } from '../event.ts'

export interface QuestionState extends Question {
  answer: string | null
  by: 'default' | 'person' | null
}

export interface QuestionsSlice {
  questions: QuestionState[]
}
