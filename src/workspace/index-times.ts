/**
 * The times of files in an index of git. Git takes a file for changed when they differ, so they are replaced where
 * Looper sets the times of files itself: `git update-index --refresh` would read all of these files again, and run
 * filters.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { overwriteIndex } from './place.ts'

interface FileTimes {
  changedNs: bigint
  modifiedNs: bigint
}

/** An index in memory: which times it has, and with which it is written back. */
export interface IndexTimes {
  /** In milliseconds, by path as bytes (latin1). */
  modifiedMs: ReadonlyMap<string, number>
  set(path: string, times: FileTimes): void
  write(): void
}

const [headerBytes, statBytes, longName] = [12, 40, 0x4000]

/** Null for an index in another format than git writes with the settings of verification workspaces. */
export function readIndexTimes(file: string, idBytes: 20 | 32): IndexTimes | null {
  const index = readFileSync(file)
  const version = index.toString('latin1', 0, 4) === 'DIRC' ? index.readUInt32BE(4) : 0
  if (version !== 2 && version !== 3) return null
  const [offsets, modifiedMs] = [new Map<string, number>(), new Map<string, number>()]
  for (let left = index.readUInt32BE(8), at = headerBytes; left > 0; left--) {
    const flagsAt = at + statBytes + idBytes
    const nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & longName) === 0 ? 2 : 4)
    const end = index.indexOf(0, nameAt)
    const path = index.toString('latin1', nameAt, end)
    offsets.set(path, at)
    modifiedMs.set(path, index.readUInt32BE(at + 8) * 1e3 + index.readUInt32BE(at + 12) / 1e6)
    // Padded with one to eight NULs to a multiple of eight bytes.
    at += (end - at + 8) & ~7
  }
  return {
    modifiedMs,
    set(path, { changedNs, modifiedNs }) {
      const at = offsets.get(path)
      if (at === undefined) return
      for (const [field, ns] of [changedNs, modifiedNs].entries()) {
        index.writeUInt32BE(Number(ns / 1_000_000_000n & 0xffff_ffffn), at + field * 8)
        index.writeUInt32BE(Number(ns % 1_000_000_000n), at + field * 8 + 4)
      }
    },
    write() {
      const body = index.subarray(0, -idBytes)
      // Git leaves the sum out where the user's settings say so.
      const sum = index.subarray(-idBytes)
      if (sum.some((byte) => byte !== 0)) createHash(idBytes === 20 ? 'sha1' : 'sha256').update(body).digest().copy(sum)
      overwriteIndex(file, index)
    },
  }
}
