/**
 * Checks whether the products of set-up work in another workspace. Virtual environments, the programs of pnpm and
 * compiled add-ons name the workspace that they were made in.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { posix } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { isFile, isLink, parentOf, pathOf, type Entry, type Manifest } from '../clones/manifest.ts'

/** Larger files are not read. */
const mostBytes = 256 * 1024 * 1024
/** How much is read before the event loop can run other work. */
const batchBytes = 2 * 1024 * 1024

/** The reason why the products are bound to the workspace at `root`; null when they are not. */
export async function findBinding(root: string, products: Manifest): Promise<string | null> {
  const needles = spellings(root)
  let read = 0
  for (const [path, entry] of products) {
    if (entry.folder) continue
    if (bindsWorkspace(root, path, entry, needles))
      return `${Buffer.from(path, 'latin1').toString()} names its workspace`
    read += sizeOf(entry) + 4096
    if (read < batchBytes) continue
    read = 0
    await setImmediate()
  }
  return null
}

/** The path as programs write it into files: as it is, in an address, and in a string of JSON or C. */
const spellings = (root: string): Buffer[] =>
  [...new Set([root, encodeURI(root), JSON.stringify(root).slice(1, -1)])].map((text) => Buffer.from(text))

const sizeOf = ({ base }: Entry): number => Number(base.split(':')[1])

/** A pipe, a socket or a device counts as bound, and so does a file that cannot be searched. */
function bindsWorkspace(root: string, path: string, entry: Entry, needles: readonly Buffer[]): boolean {
  try {
    const full = pathOf(root, path)
    if (isLink(entry)) return leadsOut(path, readlinkSync(full, 'buffer'), needles)
    if (!isFile(entry) || sizeOf(entry) > mostBytes) return true
    const content = readFileSync(full)
    return needles.some((needle) => content.includes(needle))
  } catch {
    return true
  }
}

/** Whether a link leads into its workspace by an absolute path, or out of it by a relative one. */
function leadsOut(path: string, target: Buffer, needles: readonly Buffer[]): boolean {
  const text = target.toString('latin1')
  if (text.startsWith('/')) return needles.some((needle) => target.includes(needle))
  const led = posix.join(parentOf(path), text)
  return led === '..' || led.startsWith('../')
}
