/** Follows a run's journal as it grows, whichever process writes it. */
import { watch } from 'node:fs'
import { basename } from 'node:path'
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { JournalPosition, JournalTail } from '../model/ports.ts'
import { journalFile, readEvents, readJournal } from './read-events.ts'
import { start } from './scan.ts'

/** How much is read at a time, so that a long journal is never in memory as a whole. */
const portionBytes = 1024 * 1024

interface TailOptions {
  /** For file systems that do not report changes. */
  pollMs?: number
  from?: JournalPosition
}

/** A run or a file that does not exist yet is empty. */
export function openTail(runDir: string, { pollMs = 500, from = start }: TailOptions = {}): JournalTail {
  const changes = watchForChanges(runDir, pollMs)
  let position = from
  let after = from.seq
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
  position: JournalPosition,
  after: number,
): Promise<{ events: Event[]; position: JournalPosition }> {
  try {
    return await readPortion(runDir, position, after)
  } catch (error) {
    if (position.offset === 0 || !(error instanceof LooperError) || error.code !== 'JOURNAL_DAMAGED') throw error
    return readEvents(runDir, { afterSeq: after })
  }
}

/** Reads more than a portion only when a line is longer. */
async function readPortion(
  runDir: string,
  position: JournalPosition,
  after: number,
): Promise<{ events: Event[]; position: JournalPosition }> {
  for (let bytes = portionBytes; ; bytes *= 8) {
    const until = position.offset + bytes
    const read = await readJournal(runDir, position, after, until)
    const isAtEnd = read.position.offset + read.tornBytes < until
    if (isAtEnd || read.events.length > 0) return read
  }
}

interface Changes {
  /** Resolves at the next change or poll, and when it stops; a change between this call and the wait is not missed. */
  next(): Promise<void>
  stop(): void
}

function watchForChanges(runDir: string, pollMs: number): Changes {
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
  return {
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
      }),
    stop() {
      clearInterval(timer)
      watcher?.close()
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
