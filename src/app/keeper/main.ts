/**
 * The keeper of a run, started when its engine ends without a clean shutdown (`dispatch/start-keeper.ts`). It ignores
 * the signals of the terminal.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { keeperLock, type KeeperGreeting } from '../../dispatch/keeper-greeting.ts'
import { isLocked, nudge } from '../../platform/lock-client.ts'
import { acquireLock, lockName } from '../../platform/lock.ts'
import { endRun } from '../../platform/end-run.ts'

/**
 * Ensures that a run has one active keeper: asks the previous one to exit. A keeper that cannot answer cannot interfere
 * either.
 */
async function takeDuty(name: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const lock = await acquireLock(name)
    if (lock !== null) {
      lock.describeHolder(String(process.pid))
      return lock.onNudge(() => process.exit(0))
    }
    await nudge(name)
    await sleep(50)
  }
}

async function keep(greeting: KeeperGreeting, runLock: string): Promise<void> {
  try {
    await (await import('./take-over.ts')).takeOver(greeting, runLock)
  } catch {
    // The program on disk may have been replaced since this process started. Without the code that enforces limits, the
    // turns are ended.
    if (!(await isLocked(runLock))) await endRun(greeting.key)
  }
}

for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {})
const greeting = JSON.parse(readFileSync(0, 'utf8')) as KeeperGreeting
const runLock = lockName(greeting.runDir)
await takeDuty(keeperLock(runLock))
await keep(greeting, runLock)
process.exit(0)
