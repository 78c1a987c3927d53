/** The journal of a run whose files are on this machine. What only some commands need is loaded on demand. */
import { lstat } from 'node:fs/promises'
import type { Event } from '../model/event.ts'
import type { StoredJournal } from '../model/ports.ts'
import { whenExists } from '../platform/files.ts'
import { journalFile, readEvents, replayJournal, scanJournal } from './read-events.ts'
import { start } from './scan.ts'
import { readSnapshot } from './snapshot.ts'

const beginningBytes = 64 * 1024

export const storedJournal = (folder: string): StoredJournal => ({
  open: async (onEvent = () => {}) => (await import('./file-journal.ts')).openFileJournal(folder, { onEvent }),
  events: async (after = 0) => (await readEvents(folder, { afterSeq: after })).events,
  async replay(onEvent, from = start) {
    await replayJournal(folder, from, onEvent)
  },
  snapshot: () => readSnapshot(folder),
  first: () => firstEvent(folder),
  inspect: (onEvent) => scanJournal(folder, start, onEvent),
  repair: async () => (await import('./repair.ts')).repairJournal(folder),
  digest: async ({ offset }) => (await import('./digest.ts')).digestOf(journalFile(folder), offset),
  changedAt: () => lastWrite(folder),
  tail: async (options) => (await import('./tail.ts')).openTail(folder, options),
})

async function firstEvent(folder: string): Promise<Event | null> {
  const events: Event[] = []
  await scanJournal(folder, start, (event) => events.push(event), beginningBytes)
  return events[0] ?? null
}

/** Null as well when the folder or the journal is a link: then it is not a run. */
async function lastWrite(folder: string): Promise<Date | null> {
  const journal = await whenExists(lstat(journalFile(folder)), folder)
  const found = await whenExists(lstat(folder), folder)
  return found?.isDirectory() && journal?.isFile() ? journal.mtime : null
}
