/** The runs of a repository as folders in `.looper/runs`: the store that Looper uses. */
import { basename } from 'node:path'
import type { RunStore, StoredInbox, StoredRun } from '../model/ports.ts'
import { runsFolder, runFolder } from '../platform/run-paths.ts'
import { fileArtifacts } from './file-artifacts.ts'
import { fileLock } from './file-lock.ts'
import { createRunFolder, listRunIds, nextId, pointToNewest } from './run-folders.ts'
import { storedJournal } from './stored-journal.ts'

export function openFileStore(root: string): RunStore {
  const folder = runsFolder(root)
  const open = (id: string): StoredRun => openRunFolder(runFolder(root, id))
  return {
    folder,
    list: () => listRunIds(folder),
    nextId: (goal, taken = []) => nextId(folder, goal, taken),
    create: async (goal, taken = []) => open(await createRunFolder(folder, goal, taken)),
    open,
    retire: async (id) => (await import('./retire-run.ts')).retireRun(folder, id),
    retired: async () => (await import('./retire-run.ts')).listRetired(folder),
    refresh: () => pointToNewest(folder),
  }
}

/** For a process that was given only the folder of its run. */
export const openRunFolder = (folder: string): StoredRun => ({
  id: basename(folder),
  folder,
  journal: storedJournal(folder),
  inbox: fileInbox(folder),
  lock: fileLock(folder),
  artifacts: fileArtifacts(folder),
})

const inbox = () => import('./inbox.ts')

const fileInbox = (folder: string): StoredInbox => ({
  read: async () => (await inbox()).readInbox(folder),
  acknowledge: async (id) => (await inbox()).acknowledge(folder, id),
  send: async (request) => (await inbox()).sendCommand(folder, request),
})
