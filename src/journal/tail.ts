/** Follows a run's journal as it grows, whichever process writes it. */
import { watch } from 'node:fs'
import { basename } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import { journalFile, readEvents } from './read-events.ts'
import { start } from './scan.ts'
import type { Position } from './scan.ts'

export interface FollowOptions {
  /** The first event to return; 1 by default. */
  fromSeq?: number
  signal?: AbortSignal
  /** Poll interval, for file systems that do not report changes. */
  pollMs?: number
}

/** Yields events from `fromSeq` on until the signal aborts. Waits for a run or a file that does not exist yet. */
export async function* followEvents(
  runDir: string,
  options: FollowOptions = {},
): AsyncGenerator<Event, void, undefined> {
  const { fromSeq = 1, signal } = options
  const tail = openTail(runDir, options)
  try {
    while (!signal?.aborted) {
      const changed = tail.changed()
      const events = await tail.read()
      for (const event of events) {
        if (signal?.aborted) return
        if (event.seq >= fromSeq) yield event
      }
      if (events.length === 0) await changed
    }
  } finally {
    tail.close()
  }
}

export interface Tail {
  /** The events not read yet; empty when there are none. Do not call concurrently. */
  read(): Promise<Event[]>
  /** Resolves at the next change, poll or abort. Call it before `read`, so that no change is missed. */
  changed(): Promise<void>
  close(): void
}

/** Reads a journal in steps while it grows; a run or a file that does not exist yet is empty. */
export function openTail(runDir: string, { pollMs = 500, signal }: Omit<FollowOptions, 'fromSeq'> = {}): Tail {
  const changes = watchForChanges(runDir, pollMs, signal)
  let position = start
  let after = 0
  return {
    async read() {
      const read = await readFrom(runDir, position, after)
      position = read.position
      after = read.events.at(-1)?.seq ?? after
      return read.events
    },
    changed: changes.next,
    close: changes.stop,
  }
}

/**
 * A writer that failed truncates what was not durable. Other bytes may then be at this position, so the whole file is
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
  /** Resolves at the next change, poll or abort; a change between this call and the wait is not missed. */
  next(): Promise<void>
  stop(): void
}

function watchForChanges(runDir: string, pollMs: number, signal: AbortSignal | undefined): Changes {
  let waiting: (() => void)[] = []
  const name = basename(journalFile(runDir))
  const notice = (): void => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const watcher = tryWatch(runDir, (changed) => {
    if (changed === null || changed === name) notice()
  })
  const timer = setInterval(notice, pollMs)
  signal?.addEventListener('abort', notice)
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
      }),
    stop() {
      clearInterval(timer)
      watcher?.close()
      signal?.removeEventListener('abort', notice)
      notice()
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
