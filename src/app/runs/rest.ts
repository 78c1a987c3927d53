/** Waits until no process holds a run. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadRun } from '../../api/runs.ts'
import { readRun } from './read-run.ts'
import { runOf } from './runs.ts'

const pollMs = 100

/**
 * For a run that was asked to stop: continues its process when it is suspended. Returns the resting run, or null when a
 * process still holds it after that time.
 */
export async function rest(root: string, id: string, patienceMs: number): Promise<ReadRun | null> {
  const { lock } = runOf(root, id)
  const until = performance.now() + patienceMs
  while (await lock.isHeld()) {
    if (performance.now() > until) return null
    // Repeated, because an agent without a sandbox can suspend the process again.
    await lock.wakeHolder()
    await sleep(pollMs)
  }
  return readRun(root, id)
}
