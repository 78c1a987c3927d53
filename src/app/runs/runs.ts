/** The runs of a repository. This is the only file above journal/ that knows how they are stored. */
import { openFileStore, openRunFolder } from '../../journal/file-store.ts'
import type { RunStore, StoredRun } from '../../model/ports.ts'

export const runsOf = (root: string): RunStore => openFileStore(root)

export const runOf = (root: string, id: string): StoredRun => runsOf(root).open(id)

/** For a process that was given only the folder of its run. */
export const runIn = (folder: string): StoredRun => openRunFolder(folder)
