/** Creates the text of a new backlog, or replaces an existing one. */
import { statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SourceTask } from '../../model/source.ts'
import { errnoOf, ioError } from '../../platform/files.ts'
import { readDocument, type Document } from './document.ts'
import { editDocument } from './edit.ts'
import type { Backlog } from './fields.ts'
import { readBacklog } from './read-file.ts'
import { replaceFile, untilWritten } from './replace-file.ts'
import type { Values } from './site.ts'
import { fromSource } from './task.ts'

export interface About {
  project?: { name: string; root: string }
  sourceFiles?: readonly string[]
  /** ISO time. */
  at: string
}

export const createDocument = (tasks: readonly SourceTask[], { project, sourceFiles = [], at }: About): string =>
  backlogOf(
    { project, source_files: [...sourceFiles] },
    tasks.map((task) => fromSource(task, at)),
  ).text

export function backlogOf(about: Pick<Backlog, 'project' | 'source_files'>, tasks: readonly Values[]): Document {
  const empty = readDocument(`${JSON.stringify({ schema_version: 1, ...about, tasks: [] }, null, 2)}\n`)
  return editDocument(empty, { tasks: new Map(), added: tasks, root: {} })
}

/**
 * Replaces a backlog, valid or not, with a new text, unless `hasToStay` accepts the current content at that moment. The
 * old text is kept in a backup beside it; `backup` is null when there was no file.
 */
export async function replaceDocument(
  path: string,
  text: string,
  at: string,
  hasToStay: (source: string) => boolean = () => false,
): Promise<{ replaced: boolean; backup: string | null }> {
  const name = `${path}.bak-${at.replaceAll(':', '-')}`
  return untilWritten(basename(path), async () => {
    const read = readBacklog(path, basename(path))
    if (read !== null && hasToStay(read.source)) return { replaced: false, backup: null }
    const backup =
      read === null ? null : await keep(name, read.source, statSync(path, { throwIfNoEntry: false })?.mode ?? 0o600)
    if ((await replaceFile(path, text, read)) !== null) return { replaced: true, backup }
    // The file changed in between, so the backup does not hold the text that will be replaced.
    if (backup !== null) await rm(backup, { force: true })
    return null
  })
}

/** Saves the backup under the name, or under the next free one. */
async function keep(path: string, source: string, mode: number, number = 1): Promise<string> {
  const name = number === 1 ? path : `${path}-${number}`
  try {
    const file = await open(name, 'wx', mode & 0o777)
    try {
      await file.writeFile(source)
      await file.sync()
    } finally {
      await file.close()
    }
    return name
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return keep(path, source, mode, number + 1)
    throw ioError(error, name)
  }
}
