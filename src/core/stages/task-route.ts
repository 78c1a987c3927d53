/** Who takes the turn of a task: in a loop, whoever its stage names. */
import type { RunState, TaskState } from '../../model/state.ts'
import { route, stageRoute, type Route } from '../policies/routing.ts'

export function taskRoute({ config, backlog, pipeline, loop }: RunState, { index }: TaskState, attempt: number): Route {
  const stage = pipeline?.stages[loop?.stage ?? 0]
  if (stage) return stageRoute(config, stage, index + attempt, attempt)
  return route(config, backlog === null ? 'coder' : 'iterator', index + attempt, attempt)
}
