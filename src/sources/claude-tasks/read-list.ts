/**
 * Reads all tasks of a list. Claude Code writes its files in place, so a file that does not parse is read again before
 * it counts as broken.
 */
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { LooperError } from '../../model/error.ts'
import { compareIds } from '../../model/source.ts'
import { mostTasks } from '../../model/task.ts'
import { whenExists } from '../../platform/files.ts'
import { readJson, type Parsed } from '../json-text.ts'
import { taskName } from './folder.ts'
import { readTaskFile, type TaskFile } from './task-file.ts'

const longestFile = 4 * 1024 * 1024
/** Maximum number of files open at once. */
const atOnce = 64
const reads = { most: 20, pauseMs: 25 }

/**
 * Returns the tasks in the order of their numbers. Throws ENVIRONMENT_SOURCE when the list does not exist and
 * CONFIG_BACKLOG when a file in it is not valid.
 */
export async function readList(folder: string): Promise<TaskFile[]> {
  const names = await whenExists(readdir(folder), folder)
  if (names === null) {
    const hint = `Look into ${dirname(folder)} for the existing lists.`
    throw new LooperError('ENVIRONMENT_SOURCE', `there is no task list "${basename(folder)}"`, { hint })
  }
  const ids = names.flatMap((name) => taskName.exec(name)?.[0] ?? [])
  if (ids.length > mostTasks)
    throw refused(`${folder} holds ${ids.length} tasks; ${mostTasks} are the most`, 'Remove those that are done.')
  ids.sort(compareIds)
  const files: (TaskFile | null)[] = []
  for (let done = 0; done < ids.length; done += atOnce) {
    files.push(...(await Promise.all(ids.slice(done, done + atOnce).map((id) => readOne(folder, id)))))
  }
  return files.filter((file) => file !== null)
}

/** Returns null when the file does not exist, or Claude Code has marked the task as deleted. */
export async function readOne(folder: string, id: string): Promise<TaskFile | null> {
  const path = join(folder, `${id}.json`)
  for (let read = 1; ; read++) {
    const text = await readBounded(path)
    if (text === null) return null
    const parsed = readJson(text)
    if (parsed.ok || read === reads.most) return understood(path, id, parsed)
    await delay(reads.pauseMs)
  }
}

function understood(path: string, id: string, parsed: Parsed): TaskFile | null {
  if (!parsed.ok) throw refused(`${path}: line ${parsed.line}, column ${parsed.column}: ${parsed.why}`)
  const file = readTaskFile(id, parsed.value)
  if (file === null) throw refused(`${path} is not a task of Claude Code: it needs a subject and a known status`)
  return file.content['status'] === 'deleted' ? null : file
}

const refused = (message: string, hint = 'Fix or remove that file.'): LooperError =>
  new LooperError('CONFIG_BACKLOG', message, { hint })

async function readBounded(path: string): Promise<string | null> {
  // O_NONBLOCK: opening a pipe would block until it has a writer.
  const handle = await whenExists(open(path, constants.O_RDONLY | constants.O_NONBLOCK), path)
  if (handle === null) return null
  try {
    const found = await handle.stat()
    if (!found.isFile() || found.size > longestFile) throw refused(`${path} is not a file of a task`)
    return await handle.readFile('utf8')
  } finally {
    await handle.close()
  }
}
