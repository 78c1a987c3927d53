/** Describes a session without an engine: where it stopped, how far it got, and why. */
import { maxPassesOf } from '../../model/loop.ts'
import type { RunState } from '../../model/state.ts'
import { plain } from '../text/plain-text.ts'

export interface Broken {
  what: string
  /** The progress and the error, one line each. */
  lines: string[]
  /** The command that continues the session. */
  next: string
}

export function brokenSession(state: RunState, session: string): Broken {
  const { next, most, last } = reachedOf(state)
  const how = state.status === 'paused' ? 'paused' : 'failed'
  return {
    what: `Session '${session}' ${how} at iteration ${next}/${most}`,
    lines: [`Last successful iteration: ${last}`, `Error: ${plain(errorOf(state), 1_000)}`],
    next: `Run with --resume to continue from iteration ${next}`,
  }
}

function errorOf({ status, reason, loop }: RunState): string {
  if (status === 'running') return 'the process ended unexpectedly'
  const last = loop?.entries.at(-1)
  return last?.status === 'failed' ? last.summary : (reason ?? 'none was recorded')
}

/** Iterations of the current stage; for a backlog, its attempts. */
function reachedOf({ loop, pipeline, wave, waveTasks, config }: RunState): {
  next: number
  most: number | string
  last: number
} {
  const stage = pipeline?.stages[loop?.stage ?? 0]
  if (!loop || !stage || stage.completion.kind === 'tasks-empty') {
    // The progress of the interrupted wave is unknown, so it does not count.
    const last = Math.max(0, wave - (waveTasks.length > 0 ? 1 : 0))
    return { next: last + 1, most: config.limits.iterations ?? '∞', last }
  }
  return { next: loop.iterations + 1, most: maxPassesOf(stage), last: loop.iterations }
}
