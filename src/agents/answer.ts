/** Which of the things an agent left behind is its answer. */
import type { TurnAnswer } from './adapter.ts'
import { readAnswer } from './protocol/read-answer.ts'

export interface Answers {
  /** Given in the way the agent has for it, and in the right shape as far as the agent can tell. */
  given: Record<string, unknown> | null
  /** The text of the result file. */
  file: string | null
  /** Given in that way, and refused by the agent itself. */
  refused?: Record<string, unknown> | null
  /** What it said last. */
  words: string | null
}

export function chooseAnswer({ given, file, refused = null, words }: Answers): Pick<TurnAnswer, 'value' | 'problem'> {
  if (given !== null) return { value: given, problem: null }
  const written = readAnswer(file ?? '')
  const said = readAnswer(words ?? '')
  const value = written.value ?? refused ?? said.value
  const flaw = written.flaw ?? said.flaw
  const problem = flaw === null ? 'no JSON object was given as the answer' : `malformed JSON near: ${flaw.trim()}`
  return { value, problem: value === null || flaw !== null ? problem : null }
}
