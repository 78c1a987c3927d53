/** Tasks that remain when none can start: another goal iteration, a pause, or the failure of the run. */
import { firstLines } from '../../../model/and-more.ts'
import type { PauseReason } from '../../../model/event.ts'
import type { RunState } from '../../../model/state.ts'
import { blockHint } from '../../../model/block-hint.ts'
import { isHopeless, within } from '../../policies/ladder.ts'
import { conclude, pause, record, type Proposal } from '../../proposal.ts'
import { waitingFor } from '../../questions/questions.ts'
import { leafCount, taskOf } from '../../tasks/task-graph.ts'

/** Reopens failed tasks while goal iterations are left, but none whose next attempt would end as those before. */
export function retryFailed(state: RunState): Proposal | null {
  if (state.counts.failed === 0 || !within(state.goalIteration, state.config.limits.goalIterations)) return null
  const tasks = state.order.filter((id) => {
    const task = taskOf(state, id)
    return task.status === 'failed' && !isHopeless(state, task)
  })
  return tasks.length === 0 ? null : record({ type: 'task.reopened', tasks, why: 'goal-iteration' })
}

/** The remaining tasks cannot be done; null when none remains. */
export function stuck(state: RunState): Proposal | null {
  const { failed, blocked, todo } = state.counts
  if (blocked > 0) return pause(blockage(state))
  if (failed > 0) return conclude({ status: 'failed', reason: failedOf(failed, leafCount(state), state) })
  return todo > 0
    ? conclude({ status: 'failed', reason: `${todo} task${todo === 1 ? '' : 's'} can never start` })
    : null
}

function blockage(state: RunState): PauseReason {
  const open = waitingFor(state.questions.filter(({ answer, blocks }) => answer === null && blocks.length > 0))
  if (open) return open
  const blocked = state.order.map((id) => taskOf(state, id)).filter(({ status }) => status === 'blocked')
  const [first] = blocked
  return {
    kind: 'blocked',
    detail: blocked
      .map(({ id, reason, block }) => `${id} is blocked (${block}): ${reason ?? 'no reason is given'}`)
      .join('; '),
    ...blockHint(first?.block ?? 'external', first?.id ?? ''),
  }
}

export const failedOf = (failed: number, all: number, state: RunState): string =>
  `${failed} of ${all} task${all === 1 ? '' : 's'} failed: ${reasons(state)}`

function reasons(state: RunState): string {
  const failed = state.order.map((id) => taskOf(state, id)).filter(({ status }) => status === 'failed')
  const lines = failed.map(({ id, reason }) => `${id}: ${reason}`)
  return firstLines(lines, 3).join('; ')
}
