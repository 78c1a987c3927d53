/**
 * Runs a job under a lock that one process on this machine can hold at a time; the kernel releases it when the process
 * dies.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { LooperError } from '../model/error.ts'
import { acquireLock } from '../platform/lock.ts'

const patienceMs = 60_000

/** Throws ENVIRONMENT_SOURCE when another process holds the lock for more than a minute. */
export async function withMachineLock<T>(name: string, job: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    const lock = await acquireLock(name)
    if (lock !== null) return job().finally(() => lock.release())
    if (performance.now() > deadline)
      throw new LooperError('ENVIRONMENT_SOURCE', 'another Looper has been writing there for a minute')
    await delay(2 + Math.random() * 20)
  }
}
