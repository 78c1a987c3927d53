/** The state of one pass of a pipeline stage, and the event that ends it. All steps of a pass use it. */
import type { Fact, EndedPass } from '../../../model/event.ts'
import type { LoopStage } from '../../../model/loop.ts'
import type { IteratorResult } from '../../../model/results.ts'
import type { LoopState, RunState } from '../../../model/state.ts'
import { outcomeOf } from '../../work/ledger.ts'

/** The state of one pass. */
export interface Pass {
  state: RunState
  loop: LoopState
  stage: LoopStage
  /** Prefix of its work ids. Each retry of a failed pass has its own prefix. */
  id: string
  base: string | null
  tree: string | null
}

export const mainOnly = { workspace: 'main', task: null, attempt: 1 } as const

export function passOutcome(
  { state, loop, stage, base, tree }: Pass,
  result: IteratorResult,
  turn: string,
): Omit<EndedPass, 'changed' | 'failure' | 'stop'> {
  const said = outcomeOf(state, turn)
  const left = said?.kind === 'turn' ? said.left : undefined
  const blocked = result.status === 'blocked'
  return {
    stage: loop.stage,
    name: stage.name,
    iteration: loop.iterations + 1,
    status: blocked ? 'blocked' : 'done',
    summary: blocked ? result.blockers.join('; ') || result.summary : result.summary,
    plateau: result.plateau === true || result.status === 'stop',
    patterns: result.patterns,
    output: result.output ?? left?.output ?? (result.summary || null),
    notes: left?.progress ?? null,
    base,
    tree,
  }
}

export const failedPass = ({ loop, stage, base, tree }: Pass, summary: string): Fact => ({
  type: 'iteration.finished',
  stage: loop.stage,
  name: stage.name,
  iteration: loop.iterations + 1,
  status: 'failed',
  summary,
  plateau: false,
  stop: false,
  patterns: [],
  output: null,
  notes: null,
  changed: 0,
  base,
  tree,
  failure: null,
})
