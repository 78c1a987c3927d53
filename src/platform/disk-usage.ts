/** Measures the disk space that a folder takes. Symbolic links are counted, never followed. */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Returns bytes. Unreadable entries count as 0, and a file with several hard links is counted once. */
export function diskUsage(path: string): number {
  const seen = new Set<string>()
  let total = 0
  const waiting = [path]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = statsOf(next)
    if (found === null) continue
    const name = `${found.dev}:${found.ino}`
    if (found.nlink > 1 && !found.isDirectory()) {
      if (seen.has(name)) continue
      seen.add(name)
    }
    total += found.blocks * 512
    if (found.isDirectory()) for (const entry of entriesOf(next)) waiting.push(join(next, entry))
  }
  return total
}

/** Null when the path does not exist or cannot be read. */
export function statsOf(path: string): Stats | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) ?? null
  } catch {
    return null
  }
}

/** Names in a folder; none when it cannot be read. */
export function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
