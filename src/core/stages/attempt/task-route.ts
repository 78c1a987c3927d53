/** Which agent takes the turn of a task: in a loop, the one that its stage names. */
import type { Role } from '../../../model/purposes.ts'
import type { AttemptState, RunState, TaskState } from '../../../model/state.ts'
import { around, route, stageRoute, type Route } from '../../policies/routing.ts'

export function taskRoute(
  { config, backlog, pipeline, loop }: RunState,
  { index, alternate }: TaskState,
  { n: attempt, racer }: Pick<AttemptState, 'n' | 'racer'>,
  role: Role = backlog === null ? 'coder' : 'iterator',
): Route {
  const stage = pipeline?.stages[loop?.stage ?? 0]
  const usual = stage
    ? stageRoute(config, stage, index + attempt, attempt)
    : route(config, role, index + attempt, attempt)
  const other = (alternate?.n ?? 0) + (racer ?? 0)
  return other === 0 ? usual : around(config, usual, other)
}
