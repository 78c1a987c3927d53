/**
 * Ends the processes that a command started and left running, by the mark in their environment and the tag of that
 * mark.
 */
import { newestPid } from './pids.ts'
import { endMarked } from './sweep.ts'
import { endTagged } from './tag.ts'

export interface StartedOptions {
  /** How long SIGTERM may take before SIGKILL. */
  graceMs?: number
  /** Processes in a sandbox have no tag. The kernel ends them together with the first process of the sandbox. */
  isConfined: boolean
}

/** Call it before the command starts. The returned function may be called more than once. */
export function trackStarted(mark: string, { graceMs, isConfined }: StartedOptions): () => Promise<void> {
  // Every process that the command starts gets a higher pid than this one.
  const [begun, newest] = [performance.now(), newestPid()]
  return async () => {
    const first = { pid: newest + 1, ageMs: performance.now() - begun }
    await endMarked(mark, { only: (found) => found === mark, first, ...(graceMs === undefined ? {} : { graceMs }) })
    if (!isConfined) await endTagged(mark, first)
  }
}
