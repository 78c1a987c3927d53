/**
 * Measures what the turns of a run write to disk: everything in their folders, and the growth of files in their
 * workspaces that changed since the turn started, even if they are deleted later. Files elsewhere are not counted, nor
 * files that exist only between two walks.
 */
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { diskUsage, entriesOf, statsOf } from '../platform/disk-usage.ts'

export interface TurnDisk {
  /** Whether the run exceeds its limit. `outputBytes`: bytes written to the streams of this turn so far. Cheap. */
  isOver(outputBytes: number): boolean
  /** Walks a last time and adds the turn to the total of the run. Returns the total when it exceeds the limit. */
  finish(): Promise<number | null>
  /** Stops measuring and drops the turn. */
  close(): void
}

export interface DiskMeter {
  /** Null means no limit. */
  limitBytes(): number | null
  /** `startedAtMs`: files that changed earlier belong to an earlier turn or to the set-up. */
  measure(turn: { folder: string; cwd: string; startedAtMs: number }): TurnDisk
}

export interface DiskMeterOptions {
  turnsDir: string
  limitBytes(): number | null
  /** Delay before the first walk through a workspace. */
  firstWalkMs?: number
}

const defaultFirstWalkMs = 3_000
/** A walk may take at most one part in this many of the time. */
const restFactor = 20
/** The last walk of a turn ends after this time, with what it has found by then. */
const lastWalkMs = 500

export function createDiskMeter({
  turnsDir,
  limitBytes,
  firstWalkMs = defaultFirstWalkMs,
}: DiskMeterOptions): DiskMeter {
  /** Bytes written by ended turns; read from disk when first needed. */
  let ended: number | null = null
  const running = new Map<string, { output: number; folder: number; grown: number }>()
  /** Folders of running turns are counted with their turns. */
  const before = (): number => {
    ended ??= diskUsage(turnsDir) - [...running.keys()].reduce((sum, folder) => sum + diskUsage(folder), 0)
    return ended
  }
  const total = (): number =>
    [...running.values()].reduce((sum, turn) => sum + Math.max(turn.output, turn.folder) + turn.grown, before())
  return {
    limitBytes,
    measure({ folder, cwd, startedAtMs }) {
      const written = { output: 0, folder: 0, grown: 0 }
      running.set(folder, written)
      const growth = createGrowth(cwd, startedAtMs, turnsDir)
      const stop = watchGrowth(growth, firstWalkMs, (bytes) => {
        written.grown = bytes
        written.folder = diskUsage(folder)
      })
      const close = (): void => {
        stop()
        running.delete(folder)
      }
      const isOver = (outputBytes: number): boolean => {
        written.output = outputBytes
        const limit = limitBytes()
        return limit !== null && total() > limit
      }
      return {
        isOver,
        close,
        async finish() {
          if (!running.has(folder)) return null
          stop()
          const limit = limitBytes()
          if (limit !== null) {
            const deadline = performance.now() + lastWalkMs
            written.grown = await growth(() => performance.now() > deadline)
          }
          if (!running.has(folder)) return null
          const sum = before() + diskUsage(folder) + written.grown
          close()
          ended = sum
          return limit !== null && total() > limit ? total() : null
        },
      }
    },
  }
}

/** Walks through the workspace repeatedly, for a small part of the time; returns a function that stops it. */
function watchGrowth(growth: Growth, firstWalkMs: number, onBytes: (bytes: number) => void): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const walk = async (): Promise<void> => {
    const begun = performance.now()
    const bytes = await growth(() => stopped)
    if (stopped) return
    onBytes(bytes)
    timer = setTimeout(() => void walk(), Math.max(firstWalkMs, (performance.now() - begun) * restFactor)).unref()
  }
  timer = setTimeout(() => void walk(), firstWalkMs).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

type Growth = (isStopped?: () => boolean) => Promise<number>

const entriesAtOnce = 256

interface MeasuredFile {
  bytes: number
  bornMs: number
}

/**
 * Each call walks through the folder and returns the total so far. A file that changed since `sinceMs` counts when
 * first seen, and later by its growth. A deleted file stays counted. Links are not followed, and an unreadable file
 * counts as 0. The folder `except` is left out: in place, the folders of all turns are in the workspace.
 */
export function createGrowth(folder: string, sinceMs: number, except?: string): Growth {
  /** By inode, because a renamed file is the same file. */
  let seen = new Map<number, MeasuredFile>()
  let total = 0
  return async (isStopped = () => false) => {
    const now = new Map<number, MeasuredFile>()
    for await (const found of filesBelow(folder, except)) {
      if (isStopped()) return total
      // ctime is used because an ordinary program cannot set it back.
      if (found.ctimeMs < sinceMs) continue
      const bytes = found.blocks * 512
      total += now.has(found.ino) ? 0 : Math.max(0, bytes - knownBytes(found, seen))
      now.set(found.ino, { bytes, bornMs: found.birthtimeMs })
    }
    seen = now
    return total
  }
}

/**
 * A file system reuses the inode of a deleted file. Where the birth time is unknown, it equals the change time or is
 * constant, so it cannot distinguish two files.
 */
function knownBytes({ ino, birthtimeMs, ctimeMs }: Stats, seen: ReadonlyMap<number, MeasuredFile>): number {
  const known = seen.get(ino)
  return known === undefined || (known.bornMs !== birthtimeMs && birthtimeMs < ctimeMs) ? 0 : known.bytes
}

async function* filesBelow(folder: string, except?: string): AsyncGenerator<Stats> {
  const waiting = [folder]
  let entries = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of entriesOf(next)) {
      const path = join(next, name)
      const found = statsOf(path)
      if (found?.isDirectory()) {
        if (path !== except) waiting.push(path)
      } else if (found !== null) yield found
      if (++entries % entriesAtOnce === 0) await breathe()
    }
  }
}
