/** Waits until nobody runs a run any more. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ReadRun } from '../surfaces/cli/app.ts'
import { isLive, readRun } from './read-run.ts'
import { runFolder } from './run-folder.ts'

const lookMs = 100

/** How it rests; null when a process still owns it after that time. */
export async function rest(root: string, id: string, patienceMs: number): Promise<ReadRun | null> {
  const until = performance.now() + patienceMs
  while (await isLive(runFolder(root, id))) {
    if (performance.now() > until) return null
    await sleep(lookMs)
  }
  return readRun(root, id)
}
