/**
 * The keeper of a run: a process of its own that waits for the end of its engine and does nothing until then. Only when the engine is
 * gone without a farewell does it load the rest of its program. The terminal's signals are not for it.
 */
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { farewell, keeperLock, type KeeperGreeting } from '../../dispatch/keeper-greeting.ts'
import { isLocked, nudge } from '../../platform/lock-client.ts'
import { acquireLock, lockName } from '../../platform/lock.ts'
import { endRun } from '../../platform/end-run.ts'

/** One keeper is on duty for a run: the one before is asked to go, and one that cannot answer cannot interfere either. */
async function takeDuty(name: string): Promise<void> {
  for (let tries = 0; tries < 40; tries++) {
    const lock = await acquireLock(name)
    if (lock !== null) {
      lock.tell(String(process.pid))
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
    // Its program may have been replaced since it was started. Turns that nothing can bound are ended.
    if (!(await isLocked(runLock))) await endRun(greeting.key)
  }
}

for (const signal of ['SIGHUP', 'SIGINT', 'SIGQUIT'] as const) process.on(signal, () => {})
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { value: first } = await lines.next()
if (typeof first === 'string') {
  const greeting = JSON.parse(first) as KeeperGreeting
  const runLock = lockName(greeting.runDir)
  await takeDuty(keeperLock(runLock))
  const { value: last } = await lines.next()
  if (last !== farewell) await keep(greeting, runLock)
}
process.exit(0)
