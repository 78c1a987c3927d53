/**
 * Makes lines durable: everything asked for while a write is under way goes out together in the next, with one sync.
 */
import { LooperError } from '../model/error.ts'
import { ioError } from '../platform/files.ts'
import type { Position } from './scan.ts'

/** What a writer needs of an open file; node's FileHandle has it. */
export interface AppendFile {
  write(data: Uint8Array, offset: number): Promise<{ bytesWritten: number }>
  datasync(): Promise<void>
  truncate(size: number): Promise<void>
  stat(): Promise<{ size: number; nlink: number }>
  close(): Promise<void>
}

export interface GroupWriter {
  /** The events that are safe. */
  readonly durable: Position
  /** The last event asked for, safe or not yet. */
  readonly accepted: number
  /** Rejects together with everything that was asked for after it; the file is then as if none of that had been. */
  add(bytes: Buffer, events: number): Promise<void>
  /** Resolves when nothing is under way. */
  idle(): Promise<void>
}

interface Waiting {
  bytes: Buffer
  events: number
  resolve: () => void
  reject: (error: LooperError) => void
}

export function createGroupWriter(file: AppendFile, path: string, from: Position): GroupWriter {
  let durable = from
  let accepted = from.seq
  let queue: Waiting[] = []
  let flushing: Promise<void> | null = null
  /** A failed write may have left something behind the durable end. */
  let soiled = false

  const clean = async (): Promise<void> => {
    await file.truncate(durable.offset)
    soiled = false
  }

  const write = async (bytes: Buffer): Promise<void> => {
    if (soiled) await clean()
    refuseStrangers(await file.stat(), durable.offset, path)
    try {
      for (let done = 0; done < bytes.length;) done += (await file.write(bytes, done)).bytesWritten
      await file.datasync()
    } catch (error) {
      soiled = true
      await clean().catch(() => {})
      throw error
    }
  }

  const flush = async (): Promise<void> => {
    await Promise.resolve()
    while (queue.length > 0) {
      const group = queue
      queue = []
      const bytes = Buffer.concat(group.map((waiting) => waiting.bytes))
      try {
        await write(bytes)
        durable = {
          seq: group.reduce((seq, waiting) => seq + waiting.events, durable.seq),
          offset: durable.offset + bytes.length,
        }
        for (const waiting of group) waiting.resolve()
      } catch (error) {
        const lost = [...group, ...queue]
        queue = []
        accepted = durable.seq
        for (const waiting of lost) waiting.reject(ioError(error, path))
      }
    }
    flushing = null
  }

  return {
    get durable() {
      return durable
    },
    get accepted() {
      return accepted
    },
    add: (bytes, events) =>
      new Promise((resolve, reject) => {
        accepted += events
        queue.push({ bytes, events, resolve, reject })
        flushing ??= flush()
      }),
    async idle() {
      while (flushing !== null) await flushing
    },
  }
}

/** The lock keeps other writers away; this is the second look, for folders that two machines or containers share. */
function refuseStrangers(found: { size: number; nlink: number }, expected: number, path: string): void {
  if (found.nlink === 0) throw new LooperError('ENVIRONMENT_IO', `${path} was removed while the run was under way`)
  if (found.size === expected) return
  throw new LooperError('JOURNAL_CONFLICT', `${path} was changed by another process`, {
    details: { expected, found: found.size },
  })
}
