/** Who holds a run, written beside it for people; the lock itself is the kernel's and never this file. */
import { join } from 'node:path'
import { readIfExists, writeAtomic } from './files.ts'
import { bootId, identityOf } from './process-identity.ts'
import type { ProcessIdentity } from './process-identity.ts'

export interface Holder extends ProcessIdentity {
  heartbeatAt: string
  /** Lets a follower into the holder's live feed. */
  key: string
}

const fileOf = (runDir: string): string => join(runDir, 'lock.json')

/** Says that this process holds the run and is well; called again as its heartbeat. */
export async function writeHolder(runDir: string, key: string): Promise<void> {
  const identity = identityOf(process.pid) ?? { pid: process.pid, startTime: '', bootId: bootId() }
  const holder: Holder = { ...identity, heartbeatAt: new Date().toISOString(), key }
  await writeAtomic(fileOf(runDir), `${JSON.stringify(holder, null, 2)}\n`, { mode: 0o600 })
}

/** The last holder, dead or alive; null when there was none or the file is not ours. */
export async function readHolder(runDir: string): Promise<Holder | null> {
  const text = await readIfExists(fileOf(runDir))
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text.toString('utf8'))
    return isHolder(value) ? value : null
  } catch {
    return null
  }
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false
  const { pid, startTime, bootId: boot, heartbeatAt, key } = value as Record<string, unknown>
  return Number.isSafeInteger(pid) && [startTime, boot, heartbeatAt, key].every((field) => typeof field === 'string')
}
