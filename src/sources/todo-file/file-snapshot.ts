/** The last snapshot of a backlog file, and how to refresh it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { idsOf, type Document } from './document.ts'
import { parseBacklog } from './inspect.ts'
import type { Tasks } from './pending.ts'
import { backlogError, readBacklog, stillThere, type Read } from './read-file.ts'

export interface FileSnapshot extends Tasks {
  read: Read | null
  /** Null when the file does not exist or is empty. */
  document: Document | null
}

/** Some editors remove or empty the old file before they write the new one, so wait and read again. */
const patience = { times: 4, ms: 50 }

export const snapshotOf = (read: Read | null, document: Document | null): FileSnapshot => ({
  read,
  document,
  list: document?.tasks ?? [],
  indexes: idsOf(document?.tasks ?? []),
  root: document?.root ?? {},
})

/**
 * Returns the same document object while the text is unchanged. Throws CONFIG_BACKLOG when the backlog was removed or
 * is broken.
 */
export async function refreshSnapshot(path: string, name: string, before: FileSnapshot | null): Promise<FileSnapshot> {
  const same = before?.read ? stillThere(path, before.read) : null
  if (before !== null && same !== null) return { ...before, read: same }
  for (let tries = 1; ; tries++) {
    try {
      return readSnapshot(path, name, before)
    } catch (error) {
      if (!(error instanceof LooperError) || error.code !== 'CONFIG_BACKLOG' || tries === patience.times) throw error
      await sleep(patience.ms)
    }
  }
}

function readSnapshot(path: string, name: string, before: FileSnapshot | null): FileSnapshot {
  const read = readBacklog(path, name)
  if (before !== null && read?.source === before.read?.source) return { ...before, read }
  if (read !== null && read.source.trim() !== '') return snapshotOf(read, parseBacklog(read.source, name))
  if (before?.document) throw gone(name, read === null ? 'was deleted' : 'was emptied')
  return snapshotOf(read, null)
}

/** A deleted backlog is not created again: its removal was intended. */
const gone = (name: string, what: string): LooperError =>
  backlogError(name, `${what} while a run works on it`, {
    hint: 'Put it back and `looper resume`, or end the run: `looper abort`.',
  })
