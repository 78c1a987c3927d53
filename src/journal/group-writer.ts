/** Makes lines durable: requests that arrive during a write are written together in the next one, with one sync. */
import { LooperError } from '../model/error.ts'
import type { JournalPosition } from '../model/ports.ts'
import { ioError } from '../platform/files.ts'

/** The methods of an open file that a writer needs; node's FileHandle has them. */
export interface AppendFile {
  write(data: Uint8Array, offset: number): Promise<{ bytesWritten: number }>
  datasync(): Promise<void>
  truncate(size: number): Promise<void>
  stat(): Promise<{ size: number; nlink: number }>
  close(): Promise<void>
}

export interface GroupWriter {
  /** Position after the last durable event. */
  readonly durable: JournalPosition
  /** Number of the last event that was added, durable or not. */
  readonly accepted: number
  /** When one call rejects, so do all pending later ones; the file is then as if none of them had been made. */
  add(bytes: Buffer, events: number): Promise<void>
  /** Resolves when no write is in progress. */
  idle(): Promise<void>
}

interface Waiting {
  bytes: Buffer
  events: number
  resolve: () => void
  reject: (error: LooperError) => void
}

export function createGroupWriter(file: AppendFile, path: string, from: JournalPosition): GroupWriter {
  let durable = from
  let accepted = from.seq
  let queue: Waiting[] = []
  let flushing: Promise<void> | null = null
  /** Whether a failed write may have left bytes after the durable end. */
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

/** The lock keeps other writers away. This second check is for folders that two machines or containers share. */
function refuseStrangers(found: { size: number; nlink: number }, expected: number, path: string): void {
  if (found.nlink === 0)
    throw new LooperError('ENVIRONMENT_IO', `${path} was removed while the run was under way`, {
      hint:
        '`git clean -x` does that; `git clean -x -e .looper` does not. '
        + "What landed is on the branch of the run: `git branch --list 'looper/*'`.",
    })
  if (found.size === expected) return
  throw new LooperError('JOURNAL_CONFLICT', `${path} was changed by another process`, {
    details: { expected, found: found.size },
  })
}
