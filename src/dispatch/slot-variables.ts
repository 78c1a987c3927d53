/** Variables that keep parallel turns from using the same ports, databases and displays. */
import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'

const firstPort = 20_000
const portsPerSlot = 100
/** Each run starts at one of these blocks, so that two parallel runs rarely share ports. */
const blocks = 12
const portsPerBlock = 1_000

/** The number of the workspace, 1 for the checkout itself, and the first of the 100 ports reserved for it. */
export function slotVariables(cwd: string): { LOOPER_SLOT: string; LOOPER_PORT_BASE: string } {
  const slot = Number(/^w(\d{1,6})$/.exec(basename(cwd))?.[1] ?? 1)
  const block = createHash('sha256').update(dirname(cwd)).digest().readUInt16BE() % blocks
  const port = firstPort + block * portsPerBlock + slot * portsPerSlot
  return { LOOPER_SLOT: String(slot), LOOPER_PORT_BASE: String(port) }
}
