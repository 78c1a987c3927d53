/**
 * `looper logs`: what agents said and did in a run. Files of live turns still contain secrets, so their entries are
 * masked.
 */
import { readLog } from '../../logs/read-log.ts'
import { LooperError } from '../../model/error.ts'
import type { LogEvent } from '../../model/log.ts'
import type { RunState } from '../../model/state.ts'
import type { LogRequest } from '../../api/follow.ts'
import type { AppContext } from '../context.ts'
import type { Follower } from './follow.ts'
import { maskFor } from '../launch/run-mask.ts'
import { runOf } from '../runs/runs.ts'

export function logs(
  context: AppContext,
  { follow }: Follower,
  root: string,
  id: string,
  request: LogRequest,
): AsyncIterable<LogEvent> {
  const run = runOf(root, id)
  const { signal } = request
  return readLog(run, {
    ...request,
    follow: request.follow ? (after) => follow(async () => run, { after, until: 'end', signal }) : null,
    now: () => new Date().toISOString(),
    maskFor(state) {
      refuseUnknownTask(state, request)
      return maskFor(context, root, state.config.secrets ?? [])
    },
  })
}

/** When following, the task may be added later. */
function refuseUnknownTask({ run, tasks }: RunState, { task, follow }: LogRequest): void {
  if (task === null || follow || Object.hasOwn(tasks, task)) return
  throw new LooperError('USAGE_NO_TASK', `${run} has no task ${JSON.stringify(task)}.`, {
    hint: `\`looper ls ${run}\` lists its tasks.`,
  })
}
