/** What turns consume, counted once however often it is told. */
import type { RunState } from '../model/state.ts'
import type { TurnOutcome } from '../model/work.ts'
import { addUsage, noUsage, subtractUsage, type Usage } from '../model/usage.ts'

/** Usage is cumulative per turn: only what is new counts. */
export function spend(state: RunState, id: string, usage: Usage, taskId: string | null): void {
  const fresh = subtractUsage(usage, state.spending[id] ?? noUsage)
  state.spending[id] = usage
  state.usage = addUsage(state.usage, fresh)
  const task = taskId === null ? undefined : state.tasks[taskId]
  if (task) task.usage = addUsage(task.usage, fresh)
}

/** What a turn that has ended consumed in all: money and tokens, and the disk when that is full. */
export function spendFinally(
  state: RunState,
  id: string,
  { usage, diskBytes }: TurnOutcome,
  taskId: string | null,
): void {
  spend(state, id, usage, taskId)
  if (diskBytes !== undefined) state.diskBytes = diskBytes
}

export function settle(state: RunState, id: string): void {
  const spent = state.spending[id]
  if (!spent) return
  delete state.spending[id]
  state.dearest = {
    inputTokens: Math.max(state.dearest.inputTokens, spent.inputTokens),
    outputTokens: Math.max(state.dearest.outputTokens, spent.outputTokens),
    costUsd: Math.max(state.dearest.costUsd, spent.costUsd),
  }
}
