/** Removes the values of secrets from the files that a turn leaves. */
import {
  closeSync,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { removeNow, unmountBelow } from '../platform/mounts.ts'
import { openPlainFile } from '../platform/plain-file.ts'
import { bytesFinder } from '../agents/mask.ts'
import type { Finder, Sought } from '../agents/value-finder.ts'

const blockBytes = 1024 * 1024

const mostEntries = 5_000

/**
 * All files in the folder, also those that only the agent knows. Folders with too many files are removed: a missing
 * file is safer than one with a secret. What the agent mounted there is the user's: it is unmounted, or left alone.
 */
export function filesBelow(folder: string): string[] {
  const files: string[] = []
  const waiting = [folder]
  const mayDescend = isFreeOfMounts(folder)
  let entries = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const found = entriesOf(next)
    if (entries + found.length > mostEntries && next !== folder) {
      removeNow(next)
      continue
    }
    entries += found.length
    for (const entry of found) {
      if (!entry.isDirectory()) files.push(join(next, entry.name))
      else if (mayDescend) waiting.push(join(next, entry.name))
    }
  }
  return files
}

function isFreeOfMounts(folder: string): boolean {
  try {
    unmountBelow(folder)
    return true
  } catch {
    return false
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/**
 * Rewrites a file only when it contains a secret. It is replaced by rename, so a process that has it open writes to the
 * old file.
 */
export function scrubFiles(paths: readonly string[], secrets: readonly Sought[]): void {
  if (secrets.length === 0) return
  const finder = bytesFinder(secrets)
  for (const path of paths) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) continue
    const copy = `${path}.scrubbed`
    try {
      if (!transform(path, null, finder)) continue
      transform(path, copy, finder)
      renameSync(copy, path)
    } catch {
      // After a full disk or a hostile name, a missing file is safer than one with a secret.
      for (const each of [copy, path]) removeNow(each)
    }
  }
}

/**
 * Copies `from` to `to` with the secrets replaced; without `to` it only searches. Returns whether there was a secret.
 */
function transform(from: string, to: string | null, finder: Finder): boolean {
  if (to !== null) rmSync(to, { force: true })
  const input = openPlainFile(from, 'read')
  const output = to === null ? null : openSync(to, 'wx', 0o600)
  const block = Buffer.allocUnsafeSlow(blockBytes)
  let carry = ''
  let found = false
  try {
    for (;;) {
      const count = readSync(input, block, 0, block.length, null)
      const text = carry + block.toString('latin1', 0, count)
      // A match that begins in the last bytes may continue in the next block, or be part of a longer one, so it is
      // deferred.
      const settled = count === 0 ? text.length : Math.max(0, text.length - finder.reach + 1)
      let done = 0
      let clean = ''
      for (let match = finder.next(text, 0); match !== null && match.start < settled; match = finder.next(text, done)) {
        clean += `${text.slice(done, match.start)}[${match.name}]`
        done = match.end
        found = true
        if (output === null) return true
      }
      const upTo = Math.max(done, settled)
      if (output !== null) writeFileSync(output, clean + text.slice(done, upTo), 'latin1')
      carry = text.slice(upTo)
      if (count === 0) return found
    }
  } finally {
    closeSync(input)
    if (output !== null) closeSync(output)
  }
}
