/** Reads a run's events from its file, without a lock and while another process may be writing. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { JournalDamage, JournalPosition } from '../model/ports.ts'
import { ioError, whenExists } from '../platform/files.ts'
import { createScanner, start } from './scan.ts'

export const journalFile = (runDir: string): string => join(runDir, 'events.jsonl')

export interface Inspection {
  /** Position after the last valid event. */
  position: JournalPosition
  /** Size of the file; bytes after the position are damaged or torn. */
  size: number
  damage: JournalDamage | null
}

const chunkBytes = 1024 * 1024

/**
 * Scans the file, or the part of it before `until`; a missing file is empty. Damage is returned, not thrown. Throws
 * JOURNAL_VERSION.
 */
export async function scanJournal(
  runDir: string,
  from: JournalPosition = start,
  onEvent: (event: Event) => void = () => {},
  until = Infinity,
): Promise<Inspection> {
  const path = journalFile(runDir)
  const scanner = createScanner(from, onEvent)
  const file = await whenExists(open(path, 'r'), path)
  let size = from.offset
  try {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    while (file !== null && size < until && scanner.damage === null) {
      const { bytesRead } = await file.read(buffer, 0, Math.min(chunkBytes, until - size), size)
      if (bytesRead === 0) break
      scanner.push(buffer.subarray(0, bytesRead))
      size += bytesRead
    }
    if (file !== null && scanner.damage !== null) size = (await file.stat()).size
  } catch (error) {
    throw ioError(error, path)
  } finally {
    await file?.close()
  }
  return { position: scanner.position, size, damage: scanner.damage }
}

export interface ReadResult {
  events: Event[]
  position: JournalPosition
  /** Bytes of an unfinished write at the end, or of a write in progress. */
  tornBytes: number
}

/** Throws JOURNAL_DAMAGED and JOURNAL_VERSION. */
export async function readJournal(
  runDir: string,
  from: JournalPosition,
  after: number,
  until?: number,
): Promise<ReadResult> {
  const events: Event[] = []
  const read = await replayJournal(
    runDir,
    from,
    (event) => {
      if (event.seq > after) events.push(event)
    },
    until,
  )
  return { events, ...read }
}

/**
 * Passes on one event at a time, so that a long journal is never in memory as a whole. Throws JOURNAL_DAMAGED and
 * JOURNAL_VERSION.
 */
export async function replayJournal(
  runDir: string,
  from: JournalPosition,
  onEvent: (event: Event) => void,
  until?: number,
): Promise<Omit<ReadResult, 'events'>> {
  const { position, size, damage } = await scanJournal(runDir, from, onEvent, until)
  if (damage !== null) throw damagedError(runDir, damage)
  return { position, tornBytes: size - position.offset }
}

/**
 * The events after `afterSeq`. With `fromOffset`, the start of the line after it (a snapshot knows it), only the rest
 * is read. The returned position is where a later call can continue.
 */
export async function readEvents(
  runDir: string,
  options: { afterSeq?: number; fromOffset?: number } = {},
): Promise<ReadResult> {
  const { afterSeq = 0, fromOffset = 0 } = options
  return readJournal(runDir, fromOffset === 0 ? start : { seq: afterSeq, offset: fromOffset }, afterSeq)
}

export function damagedError(runDir: string, damage: JournalDamage): LooperError {
  const file = journalFile(runDir)
  return new LooperError('JOURNAL_DAMAGED', `${file} is damaged at event ${damage.seq}: ${damage.why}`, {
    details: { file, ...damage },
  })
}
