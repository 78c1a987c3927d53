/** The steps after an agent has answered: its hook, and the restoring of files that it must not change. */
import { failureOf } from '../model/failure-outcome.ts'
import { writes } from '../model/purposes.ts'
import type { FailureOutcome, TurnOutcome, TurnWork } from '../model/work.ts'
import type { Workspaces } from '../workspace/workspaces.ts'
import type { HooksOf } from './turn-hooks.ts'

export interface FinishMeans {
  workspaces: Pick<Workspaces, 'path' | 'restore'>
  hooksOf: HooksOf
}

/**
 * Null when the turn has no such steps. Never rejects: a failure contains the answer, so that only these steps are
 * repeated.
 */
export function finishTurn(
  work: TurnWork,
  outcome: TurnOutcome,
  { workspaces, hooksOf }: FinishMeans,
): Promise<TurnOutcome | FailureOutcome> | null {
  const { after } = hooksOf(work)
  const tree = writes(work.purpose) ? null : work.tree
  if (after === undefined && tree === null) return null
  const finish = async (): Promise<TurnOutcome> => {
    const read = after ? await after(workspaces.path(work.workspace), outcome) : outcome
    return tree === null ? read : { ...read, edited: await workspaces.restore(work.workspace, tree) }
  }
  return finish().catch((error: unknown) => ({ ...failureOf(error), answer: outcome }))
}
