/** Chooses the answer among the outputs of an agent. */
import type { TurnAnswer } from './adapter.ts'
import { readAnswer } from './protocol/read-answer.ts'

export interface Answers {
  /** The answer given through the agent's own mechanism, valid as far as the agent can check. */
  given: Record<string, unknown> | null
  /** The text of the result file. */
  file: string | null
  /** An answer given through that mechanism and rejected by the agent itself. */
  refused?: Record<string, unknown> | null
  /** The last message. */
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
