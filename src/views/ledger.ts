/** Answers that the ledger still holds, by the shape of their work ids. */
import type { RunState } from '../model/state.ts'

export const planAnswer = /^plan\/r\d+(?:\.\w+)?$/
export const coderAnswer = /\/(?:implement|fix\d+)(?:\.\w+)?$/
export const testerAnswer = /\/test\d+(?:\.\w+)?$/

/** What an agent answered last to such a question, or undefined. */
export function newestAnswer(state: RunState, owner: string, ids: RegExp): unknown {
  let answer: unknown
  for (const [id, { outcome }] of Object.entries(state.ledger[owner] ?? {})) {
    if (ids.test(id) && outcome.kind === 'turn' && outcome.status === 'ok') answer = outcome.result
  }
  return answer
}
