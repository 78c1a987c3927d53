/** What turns consume, counted once however often it is told. */
import type { RunState } from '../model/state.ts'
import { addUsage, noUsage, subtractUsage, type Usage } from '../model/usage.ts'

/** Usage is cumulative per turn: only what is new counts. */
export function spend(state: RunState, id: string, usage: Usage, taskId: string | null): void {
  const fresh = subtractUsage(usage, state.spending[id] ?? noUsage)
  state.spending[id] = usage
  state.usage = addUsage(state.usage, fresh)
  const task = taskId === null ? undefined : state.tasks[taskId]
  if (task) task.usage = addUsage(task.usage, fresh)
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
