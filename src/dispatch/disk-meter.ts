/**
 * Counts what the turns of a run write to the disk: everything in their folders, and the growth of files in their
 * workspaces that are newer than the turn, also of files that are deleted later. Files elsewhere are not counted, and
 * neither is a file that comes and goes between two walks.
 */
import type { Stats } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as breathe } from 'node:timers/promises'
import { diskUsage, entriesOf, statsOf } from '../platform/disk-usage.ts'

export interface TurnDisk {
  /** Whether the run is over its limit; `outputBytes` are written to the streams of this turn so far. Cheap. */
  isOver(outputBytes: number): boolean
  /** Adds the turn to what the run has written, and returns that when it is over the limit; null when it is not. */
  finish(): number | null
  /** Stops measuring and forgets the turn. */
  close(): void
}

export interface DiskMeter {
  /** Null means no limit. */
  limitBytes(): number | null
  /** `startedAtMs`: files that changed before belong to an earlier turn or to the set-up. */
  measure(turn: { folder: string; cwd: string; startedAtMs: number }): TurnDisk
}

export interface DiskMeterOptions {
  turnsDir: string
  limitBytes(): number | null
  /** The first walk through a workspace; a turn that is over sooner is measured at its end by its folder alone. */
  firstWalkMs?: number
}

const defaultFirstWalkMs = 3_000
/** A walk may take one part in so many of the time. */
const restFactor = 20

export function createDiskMeter({
  turnsDir,
  limitBytes,
  firstWalkMs = defaultFirstWalkMs,
}: DiskMeterOptions): DiskMeter {
  /** What ended turns have written; read from the disk when it is first needed. */
  let ended: number | null = null
  const running = new Map<string, { output: number; folder: number; grown: number }>()
  /** Folders of turns under way are counted with their turns. */
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
      const stop = watchGrowth({ cwd, startedAtMs, firstWalkMs }, (bytes) => {
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
        finish() {
          if (!running.has(folder)) return null
          const sum = before() + diskUsage(folder) + written.grown
          close()
          ended = sum
          const limit = limitBytes()
          return limit !== null && total() > limit ? total() : null
        },
      }
    },
  }
}

/** Walks through the workspace again and again, at a small part of the time; returns how to stop. */
function watchGrowth(
  what: { cwd: string; startedAtMs: number; firstWalkMs: number },
  onBytes: (bytes: number) => void,
): () => void {
  let stopped = false
  let timer: NodeJS.Timeout
  const growth = createGrowth(what.cwd, what.startedAtMs)
  const walk = async (): Promise<void> => {
    const begun = performance.now()
    const bytes = await growth(() => stopped)
    if (stopped) return
    onBytes(bytes)
    timer = setTimeout(() => void walk(), Math.max(what.firstWalkMs, (performance.now() - begun) * restFactor)).unref()
  }
  timer = setTimeout(() => void walk(), what.firstWalkMs).unref()
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

const entriesAtOnce = 256

interface SeenFile {
  bytes: number
  bornMs: number
}

/**
 * Each call walks through the folder and returns the sum so far: every file that changed since counts when it is first
 * seen, and each time by how much it has grown. A file that is gone stays counted. Links are not followed, and a file
 * that cannot be read counts as nothing.
 */
export function createGrowth(folder: string, sinceMs: number): (isStopped?: () => boolean) => Promise<number> {
  /** By inode: a file that was renamed is the same file. */
  let seen = new Map<number, SeenFile>()
  let total = 0
  return async (isStopped = () => false) => {
    const now = new Map<number, SeenFile>()
    for await (const found of filesBelow(folder)) {
      if (isStopped()) return total
      // The time of the last change cannot be set back by an ordinary program.
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
 * A file system gives the inode of a deleted file to a new one. Where the time of birth is not known, it is the time of
 * the last change or always the same, and says nothing.
 */
function knownBytes({ ino, birthtimeMs, ctimeMs }: Stats, seen: ReadonlyMap<number, SeenFile>): number {
  const known = seen.get(ino)
  return known === undefined || (known.bornMs !== birthtimeMs && birthtimeMs < ctimeMs) ? 0 : known.bytes
}

async function* filesBelow(folder: string): AsyncGenerator<Stats> {
  const waiting = [folder]
  let entries = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const name of entriesOf(next)) {
      const path = join(next, name)
      const found = statsOf(path)
      if (found?.isDirectory()) waiting.push(path)
      else if (found !== null) yield found
      if (++entries % entriesAtOnce === 0) await breathe()
    }
  }
}
