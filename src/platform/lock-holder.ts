/**
 * Records the holder of a run in lock.json for people to read. The lock itself is a socket of the kernel, never this
 * file.
 */
import { join } from 'node:path'
import { writeAtomic } from './files.ts'
import { bootId, identityOf } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'

interface Holder extends ProcessIdentity {
  heartbeatAt: string
}

/** Records that this process holds the run and is alive. Call it again as the heartbeat. */
export async function writeHolder(runDir: string): Promise<void> {
  const identity = identityOf(process.pid) ?? { pid: process.pid, startTime: '', bootId: bootId() }
  const holder: Holder = { ...identity, heartbeatAt: new Date().toISOString() }
  await writeAtomic(join(runDir, 'lock.json'), `${JSON.stringify(holder, null, 2)}\n`, { mode: 0o600 })
}
