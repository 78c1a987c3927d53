/** Which agent takes the turn of a task: in a loop, the one that its stage names. */
import type { Role } from '../../../model/purposes.ts'
import type { AttemptState, RunState, TaskState } from '../../../model/state.ts'
import { untriedAgent } from '../../policies/ladder.ts'
import { around, route, stageRoute, strongest, type Route } from '../../policies/routing.ts'

export function taskRoute(
  state: RunState,
  task: TaskState,
  { n: attempt, racer }: Pick<AttemptState, 'n' | 'racer'>,
  role: Role = state.backlog === null ? 'coder' : 'iterator',
): Route {
  const { config, pipeline, loop } = state
  const { index, alternate } = task
  const stage = pipeline?.stages[loop?.stage ?? 0]
  const usual = stage
    ? stageRoute(config, stage, index + attempt, attempt)
    : route(config, role, index + attempt, attempt)
  const other = (alternate?.n ?? 0) + (racer ?? 0)
  if (other > 0) return around(config, usual, other)
  const untried = untriedAgent(state, task)
  return untried === null ? usual : strongest(config, untried)
}
