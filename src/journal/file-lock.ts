/**
 * The lock of a run whose files are on this machine. The socket code is loaded on demand, because it costs more time
 * than the rest of a reading command.
 */
import type { RunLock } from '../model/ports.ts'

const server = () => import('../platform/lock.ts')
const client = () => import('../platform/lock-client.ts')

export const fileLock = (folder: string): RunLock => ({
  async acquire() {
    const { acquireLock, lockName } = await server()
    const lock = await acquireLock(lockName(folder))
    if (lock === null) return null
    const beat = async (): Promise<void> => (await import('../platform/lock-holder.ts')).writeHolder(folder)
    return { onNudge: lock.onNudge, beat, release: lock.release }
  },
  async isHeld() {
    const [{ isLocked }, { lockName }] = await Promise.all([client(), server()])
    return isLocked(lockName(folder))
  },
  async nudge() {
    const [{ nudge }, { lockName }] = await Promise.all([client(), server()])
    return nudge(lockName(folder))
  },
  holder: async () => (await import('../platform/read-holder.ts')).readHolder(folder),
  wakeHolder: async () => (await import('../platform/wake-holder.ts')).wakeHolder(folder),
})
