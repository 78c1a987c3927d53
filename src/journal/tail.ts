/** Follows a run's journal as it grows, whoever writes it. */
import { watch } from 'node:fs'
import { basename } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import { journalFile, readEvents } from './read-events.ts'
import { start } from './scan.ts'
import type { Position } from './scan.ts'

export interface FollowOptions {
  /** The first event wanted; 1 unless told. */
  fromSeq?: number
  signal?: AbortSignal
  /** Not every file system tells of changes: then the file is looked at this often. */
  pollMs?: number
}

/** Events from `fromSeq` on, for ever, until the signal; a run or a file that is not there yet is waited for. */
export async function* followEvents(
  runDir: string,
  options: FollowOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const { fromSeq = 1, signal, pollMs = 500 } = options
  const changes = watchForChanges(runDir, pollMs, signal)
  let after = fromSeq - 1
  let position = start
  try {
    while (!signal?.aborted) {
      const changed = changes.next()
      const read = await readFrom(runDir, position, after)
      position = read.position
      for (const event of read.events) {
        if (signal?.aborted) return
        after = event.seq
        yield event
      }
      if (read.events.length === 0) await changed
    }
  } finally {
    changes.stop()
  }
}

/**
 * A writer that failed takes back what it had not made safe. The place may then hold something else, so the whole is
 * read again.
 */
async function readFrom(
  runDir: string,
  position: Position,
  after: number,
): Promise<{ events: Event[]; position: Position }> {
  try {
    const read = await readEvents(runDir, { afterSeq: position.seq, fromOffset: position.offset })
    return { ...read, events: read.events.filter((event) => event.seq > after) }
  } catch (error) {
    if (position.offset === 0 || !(error instanceof LooperError) || error.code !== 'JOURNAL_DAMAGED') throw error
    return readEvents(runDir, { afterSeq: after })
  }
}

interface Changes {
  /** Resolves at the next change, time to look, or abort; a change between this call and the wait is not missed. */
  next(): Promise<void>
  stop(): void
}

function watchForChanges(runDir: string, pollMs: number, signal: AbortSignal | undefined): Changes {
  let wake = (): void => {}
  const name = basename(journalFile(runDir))
  const notice = (): void => wake()
  const watcher = tryWatch(runDir, (changed) => {
    if (changed === null || changed === name) notice()
  })
  const timer = setInterval(notice, pollMs)
  signal?.addEventListener('abort', notice)
  return {
    next: () =>
      new Promise((resolve) => {
        wake = resolve
      }),
    stop() {
      clearInterval(timer)
      watcher?.close()
      signal?.removeEventListener('abort', notice)
    },
  }
}

function tryWatch(folder: string, onChange: (name: string | null) => void): { close(): void } | null {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => onChange(name))
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return null
  }
}
