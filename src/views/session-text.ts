/** What is left of a session that nobody runs any more: where it broke off, how far it had come, and why. */
import { iterationsOf } from '../model/loop.ts'
import type { RunState } from '../model/state.ts'
import { plain } from './plain-text.ts'

export interface Broken {
  what: string
  /** How far it had come, and the error, a line each. */
  lines: string[]
  /** How to go on. */
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

/** Iterations of the stage it stands in: of a backlog, its attempts. */
function reachedOf({ loop, pipeline, wave, config }: RunState): { next: number; most: number | string; last: number } {
  const stage = pipeline?.stages[loop?.stage ?? 0]
  if (!loop || !stage || stage.completion.kind === 'tasks-empty') return {
    next: wave + 1, most: config.limits.iterations ?? '∞', last: wave,
  }
  return { next: loop.iterations + 1, most: iterationsOf(stage), last: loop.iterations }
}
