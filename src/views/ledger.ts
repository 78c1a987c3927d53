/** Finds answers in the ledger by the steps of their work ids. */
import type { RunState } from '../model/state.ts'
import { isPlan, isStep } from '../model/work-id.ts'

export const planAnswer = isPlan
export const coderAnswer = (id: string): boolean => isStep(id, 'implement', 'fix')
export const testerAnswer = (id: string): boolean => isStep(id, 'test')

/** The newest answer to such a question, or undefined. */
export function newestAnswer(state: RunState, owner: string, isWanted: (id: string) => boolean): unknown {
  let answer: unknown
  for (const [id, { outcome }] of Object.entries(state.ledger[owner] ?? {})) {
    if (isWanted(id) && outcome.kind === 'turn' && outcome.status === 'ok') answer = outcome.result
  }
  return answer
}
