/**
 * Decides when a loop stage is over. Agents only advise: declared fields count, and a pass that its checks reject never
 * completes the stage.
 */
import { maxPassesOf, type LoopStage } from '../../model/loop.ts'
import type { LoopState } from '../../model/state.ts'

/** `why` is a text for people; null while the stage continues. */
export type StageEnd = { over: 'complete' | 'failed'; why: string } | null

/** The stage fails after this many failed passes in a row. */
const mostFailures = 3

export function stageEnd(stage: LoopStage, loop: LoopState): StageEnd {
  const { iterations, failures, failure } = loop
  if (failures >= mostFailures) return { over: 'failed', why: `${failures} passes in a row failed` }
  const most = maxPassesOf(stage)
  const reached = iterations >= stage.minIterations && iterations > 0 ? achieved(stage, loop) : null
  if (reached === null && iterations < most) return null
  if (failure !== null)
    return iterations < most ? null : { over: 'failed', why: `after ${most} passes: ${failure.summary}` }
  if (loop.succeeded === 0) return { over: 'failed', why: iterations === 0 ? 'it ran nothing' : 'no pass had a result' }
  if (reached !== null) return { over: 'complete', why: reached }
  return stage.completion.kind === 'until'
    ? { over: 'failed', why: `\`${stage.completion.command}\` did not succeed within ${most} passes` }
    : { over: 'complete', why: most === 1 ? 'its one pass is done' : `all ${most} passes are used` }
}

function achieved({ completion }: LoopStage, { iterations, agreed, stop }: LoopState): string | null {
  switch (completion.kind) {
    case 'plateau':
      return agreed >= 2 ? 'two agents in a row found no further improvement' : null
    case 'judge':
      return stop ? 'the judge found it complete' : null
    case 'until':
      return stop ? `\`${completion.command}\` succeeded` : null
    case 'all-items':
      return iterations >= completion.items.length ? `all ${completion.items.length} items are done` : null
    case 'fixed-n':
    case 'tasks-empty':
      return null
  }
}
