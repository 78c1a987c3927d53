/** Answers that the ledger still holds, by the steps of their work. */
import type { RunState } from '../model/state.ts'
import { isPlan, isStep } from '../model/work-id.ts'

export const planAnswer = isPlan
export const coderAnswer = (id: string): boolean => isStep(id, 'implement', 'fix')
export const testerAnswer = (id: string): boolean => isStep(id, 'test')

/** What an agent answered last to such a question, or undefined. */
export function newestAnswer(state: RunState, owner: string, isWanted: (id: string) => boolean): unknown {
  let answer: unknown
  for (const [id, { outcome }] of Object.entries(state.ledger[owner] ?? {})) {
    if (isWanted(id) && outcome.kind === 'turn' && outcome.status === 'ok') answer = outcome.result
  }
  return answer
}
