/** The folder with the runs of a repository: lists them, creates a folder for a new run, and points `last` to it. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { isRunId, nextRunId, runNumber, sortRunIds } from '../model/run-id.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { pointLast } from './last-link.ts'

export async function listRunIds(runs: string): Promise<string[]> {
  const names = await readdir(runs).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw ioError(error, runs)
  })
  return sortRunIds(names.filter(isRunId))
}

export async function nextId(runs: string, goal: string, taken: readonly string[]): Promise<string> {
  const claimed = await readdir(claimsFolder(runs)).catch(() => [])
  return nextRunId(goal, [...(await listRunIds(runs)), ...claimed, ...taken])
}

const claimsFolder = (runs: string): string => join(runs, '.numbers')

/** Returns the id. */
export async function createRunFolder(runs: string, goal: string, taken: readonly string[]): Promise<string> {
  try {
    await mkdir(claimsFolder(runs), { recursive: true })
    for (;;) {
      const id = await nextId(runs, goal, taken)
      if (!(await claim(join(claimsFolder(runs), String(runNumber(id)))))) continue
      await mkdir(join(runs, id, 'inbox'), { recursive: true, mode: 0o700 })
      await pointToNewest(runs)
      return id
    }
  } catch (error) {
    throw error instanceof LooperError ? error : ioError(error, runs)
  }
}

/** Points `last` to the newest run. */
export const pointToNewest = (runs: string): Promise<void> =>
  pointLast(runs, async () => (await listRunIds(runs)).at(-1) ?? null)

async function claim(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}
