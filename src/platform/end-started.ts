/** Ends the processes that a command started and left: by the mark in their environment, and by the tag of the mark. */
import { endMarked, newestPid } from './sweep.ts'
import { endTagged } from './tag.ts'

export interface StartedOptions {
  /** How long SIGTERM may take before SIGKILL. */
  graceMs?: number
  /** In a sandbox processes have no tag; the kernel ends them with its first process. */
  isConfined: boolean
}

/** To be called before the command is started. The function that it returns may be called more than once. */
export function trackStarted(mark: string, { graceMs, isConfined }: StartedOptions): () => Promise<void> {
  // All that the command starts gets a higher number.
  const [begun, newest] = [performance.now(), newestPid()]
  return async () => {
    const first = { pid: newest + 1, ageMs: performance.now() - begun }
    await endMarked(mark, { only: (found) => found === mark, first, ...(graceMs === undefined ? {} : { graceMs }) })
    if (!isConfined) endTagged(mark, first)
  }
}
