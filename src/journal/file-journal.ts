/** The journal of a run: `events.jsonl` in its folder, one event per line, the only source of truth about the run. */
import { LooperError } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { Journal, OpenedJournal } from '../model/ports.ts'
import { ioError, syncFolder } from '../platform/files.ts'
import { openAppendFile } from './append-file.ts'
import { createGroupWriter } from './group-writer.ts'
import type { AppendFile } from './group-writer.ts'
import { checkAppend } from './check-append.ts'
import { encodeEvent, maxLineBytes } from './line.ts'
import { journalFile, readJournal, replayJournal } from './read-events.ts'
import { start } from './scan.ts'
import { fileSnapshots } from './snapshot.ts'

export type OpenFile = (path: string, flags: string, mode: number) => Promise<AppendFile>

export interface OpenOptions {
  /** Receives every event of the file, in order. */
  onEvent?: (event: Event) => void
  openFile?: OpenFile
}

/**
 * Opens for appending; the caller has the run's lock. Reads every event and no snapshot, because without a sandbox an
 * agent can write a snapshot that contradicts the events. Throws JOURNAL_DAMAGED, JOURNAL_VERSION, ENVIRONMENT_*.
 */
export async function openFileJournal(
  runDir: string,
  { onEvent = () => {}, openFile = openAppendFile }: OpenOptions = {},
): Promise<OpenedJournal> {
  const path = journalFile(runDir)
  const { position, tornBytes } = await replayJournal(runDir, start, onEvent)
  const file = await openForAppend(runDir, openFile, tornBytes > 0 ? position.offset : null)
  const writer = createGroupWriter(file, path, position)
  let closed = false

  const journal: Journal = {
    async load(after = 0) {
      await writer.idle()
      return (await readJournal(runDir, start, after, writer.durable.offset)).events
    },
    async append(after, added) {
      if (closed) throw new LooperError('BUG_INVARIANT', `${path} is closed`)
      checkAppend(writer.accepted, after, added)
      if (added.length === 0) return
      await writer.add(encodeLines(added), added.length)
    },
    async close() {
      if (closed) return
      closed = true
      await writer.idle()
      await file.close()
    },
  }
  return { journal, snapshots: fileSnapshots(runDir), tornBytes }
}

async function openForAppend(runDir: string, openFile: OpenFile, cutAt: number | null): Promise<AppendFile> {
  const path = journalFile(runDir)
  try {
    const file = await openFile(path, 'a', 0o600)
    try {
      if (cutAt !== null) await file.truncate(cutAt)
      await file.datasync()
      await syncFolder(runDir)
      return file
    } catch (error) {
      await file.close()
      throw error
    }
  } catch (error) {
    throw ioError(error, path)
  }
}

function encodeLines(events: readonly Event[]): Buffer {
  const lines = events.map((event) => Buffer.from(`${encodeEvent(event)}\n`))
  const long = lines.findIndex((line) => line.length > maxLineBytes)
  if (long !== -1)
    throw new LooperError('BUG_INVARIANT', `Event ${events[long]?.seq} is longer than ${maxLineBytes} bytes`)
  return Buffer.concat(lines)
}
