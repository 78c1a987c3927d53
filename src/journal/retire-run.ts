/** Takes the folder of a run off the list by renaming it, so that a crash leaves no run without a part of its files. */
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRunId } from '../model/run-id.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { unmountBelow } from '../platform/mounts.ts'

const prefix = '.removing-'

/** Returns the new path. */
export async function retireRun(runs: string, id: string): Promise<string> {
  const [from, to] = [join(runs, id), join(runs, `${prefix}${id}`)]
  try {
    unmountBelow(to)
    await rm(to, { recursive: true, force: true })
    await rename(from, to)
  } catch (error) {
    throw ioError(error, from)
  }
  return to
}

export async function listRetired(runs: string): Promise<{ id: string; folder: string }[]> {
  const entries = await readdir(runs, { withFileTypes: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw ioError(error, runs)
  })
  return entries
    .filter((entry) => entry.isDirectory() && entry.name.startsWith(prefix))
    .map(({ name }) => ({ id: name.slice(prefix.length), folder: join(runs, name) }))
    .filter(({ id }) => isRunId(id))
}
