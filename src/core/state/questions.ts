/** Questions for people, and their answers. */
import type { QuestionsSlice } from '../../model/state/questions.ts'
import { setFields } from '../../model/set-fields.ts'
import type { Slice } from './slice.ts'

export const questionsSlice = {
  initial: () => ({ questions: [] }),

  on: {
    'question.asked'(state, { question }) {
      state.questions.push({ ...question, answer: null, by: null })
    },

    'question.answered'(state, { question: id, answer, by, allows }) {
      const question = state.questions.find((candidate) => candidate.id === id)
      if (!question) return
      setFields(question, { answer, by })
      if (allows) question.granted = allows
      else delete question.granted
    },
  },
} satisfies Slice<QuestionsSlice>
