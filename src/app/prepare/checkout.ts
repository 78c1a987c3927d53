/** The lock of the checkout: only one run at a time may work in place. */
import { LooperError } from '../../model/error.ts'
import { isLocked } from '../../platform/lock-client.ts'
import { acquireLock, type Lock } from '../../platform/lock.ts'
import { readRun } from '../runs/read-run.ts'
import { runsOf } from '../runs/runs.ts'

const lockName = (root: string): string => `checkout:${root}`

export async function ownCheckout(root: string): Promise<Lock> {
  const lock = await acquireLock(lockName(root))
  if (lock === null) throw await occupied(root)
  return lock
}

/** Called before a run starts, so that a refused run leaves no files behind. */
export async function refuseOccupied(root: string): Promise<void> {
  if (await isLocked(lockName(root))) throw await occupied(root)
}

async function occupied(root: string): Promise<LooperError> {
  const id = await occupant(root)
  if (id === null) return new LooperError('LIMIT_LOCKED', 'Another run works in place in this checkout.')
  const hint = `\`looper status ${id}\` shows it; \`looper stop ${id}\` stops it.`
  return new LooperError('LIMIT_LOCKED', `The run ${id} works in place in this checkout.`, { hint })
}

async function occupant(root: string): Promise<string | null> {
  for (const id of (await runsOf(root).list()).toReversed()) {
    const run = await readRun(root, id).catch(() => null)
    if (run !== null && run.live && run.state.status !== 'new' && run.state.config.workspace.mode === 'in-place')
      return id
  }
  return null
}
