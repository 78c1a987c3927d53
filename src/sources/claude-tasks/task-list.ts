/**
 * Reads and writes the files of one task list: each whole and under its lock, with new ones numbered as Claude Code
 * does.
 */
import { realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errnoOf, ioError, readIfExists, writeAtomic } from '../../platform/files.ts'
import { listAt, type JsonObject } from '../json-value.ts'
import { withMachineLock } from '../machine-lock.ts'
import { withLock, type Held } from './lock.ts'
import { readList, readOne } from './read-list.ts'
import { readTaskFile, type TaskFile } from './task-file.ts'

export interface TaskList {
  read(): Promise<TaskFile[]>
  /**
   * Excludes other Loopers through a kernel lock, which a dying process releases; Claude Code is excluded by its own
   * locks.
   */
  alone<T>(job: () => Promise<T>): Promise<T>
  /** Runs the job under the lock that Claude Code takes for the whole list. */
  locked<T>(job: (held: Held) => Promise<T>): Promise<T>
  /**
   * Edits a task under its own lock. Null when the task does not exist; returning the same content leaves the file
   * unchanged.
   */
  edit(id: string, by: (file: TaskFile) => JsonObject): Promise<TaskFile | null>
  /** Adds a task with the next number. Call it only within `locked`. */
  append(held: Held, contentOf: (id: string) => JsonObject, blockers: readonly string[]): Promise<TaskFile>
}

/** `patienceMs`: how long to wait for a lock. */
export function openTaskList(folder: string, patienceMs?: number): TaskList {
  const [listLock, highest] = [join(folder, '.lock'), join(folder, '.highwatermark')]
  const fileOf = (id: string): string => join(folder, `${id}.json`)
  const write = async (held: Held, path: string, text: string): Promise<void> => {
    await held.check()
    await writeAtomic(path, text)
  }
  const read = (): Promise<TaskFile[]> => readList(folder)
  const edit: TaskList['edit'] = async (id, by) => {
    if ((await readOne(folder, id)) === null) return null
    return withLock(
      fileOf(id),
      async (held) => {
        const file = await readOne(folder, id)
        if (file === null) return null
        const content = by(file)
        if (content !== file.content) await write(held, fileOf(id), jsonOf(content))
        return readTaskFile(id, content)
      },
      patienceMs,
    )
  }
  return {
    read,
    edit,
    alone: async (job) => withMachineLock(`claude-tasks:${await realpath(folder).catch(() => folder)}`, job),
    async locked(job) {
      await touch(listLock)
      return withLock(listLock, job, patienceMs)
    },
    async append(held, contentOf, blockers) {
      const mark = Number((await readIfExists(highest))?.toString('utf8').trim() || 0)
      const numbers = (await read()).map(({ id }) => Number(id)).filter(Number.isSafeInteger)
      const id = String(
        numbers.reduce((most, number) => Math.max(most, number), Number.isSafeInteger(mark) ? mark : 0) + 1,
      )
      const content = contentOf(id)
      await write(held, fileOf(id), jsonOf(content))
      await write(held, highest, id)
      for (const blocker of blockers) {
        await edit(blocker, (file) => ({
          ...file.content,
          blocks: [...new Set([...listAt(file.content, 'blocks'), id])],
        }))
      }
      return { id, status: 'todo', owner: '', blockedBy: [...blockers], content }
    },
  }
}

const jsonOf = (content: JsonObject): string => JSON.stringify(content, null, 2)

/** Creates the file that the list's lock is named after. It is never removed. */
async function touch(path: string): Promise<void> {
  await writeFile(path, '', { flag: 'wx' }).catch((error: unknown) => {
    if (errnoOf(error) !== 'EEXIST') throw ioError(error, path)
  })
}
