/** Variables that let turns side by side keep apart what a machine has only once: ports, databases, displays. */
import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'

const firstPort = 20_000
const portsPerSlot = 100
/** Runs start at one of these blocks, so that two runs at the same time seldom share ports. */
const blocks = 12
const portsPerBlock = 1_000

/** The number of the workspace, 1 for the checkout itself, and the first of 100 ports that are for this workspace. */
export function slotVariables(cwd: string): { LOOPER_SLOT: string; LOOPER_PORT_BASE: string } {
  const slot = Number(/^w(\d{1,6})$/.exec(basename(cwd))?.[1] ?? 1)
  const block = createHash('sha256').update(dirname(cwd)).digest().readUInt16BE() % blocks
  const port = firstPort + block * portsPerBlock + slot * portsPerSlot
  return { LOOPER_SLOT: String(slot), LOOPER_PORT_BASE: String(port) }
}
