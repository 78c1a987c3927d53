/** The folders of runs: lists them, and creates one for a new run. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { LooperError } from '../model/error.ts'
import { errnoOf, ioError } from '../platform/files.ts'
import { pointLast } from './last-link.ts'

export const runsFolder = (root: string): string => join(root, '.looper', 'runs')
export const runFolder = (root: string, id: string): string => join(runsFolder(root), id)

const runId = /^\d{3,}-[a-z0-9-]+$/
const slugLength = 40
const mostWords = 5
const fillers = new Set(
  'a an and are as at be by for from in into is it its of on or so that the this to with please should'.split(' '),
)

/** Up to five significant words of the goal, at most 40 characters. */
export function slugOf(goal: string): string {
  const words =
    goal
      .toLowerCase()
      .normalize('NFKD')
      .replaceAll(/[\u0300-\u036F]/g, '')
      .match(/[a-z0-9]+/g) ?? []
  const telling = words.filter((word) => !fillers.has(word))
  const slug = (telling.length > 0 ? telling : words)
    .slice(0, mostWords)
    .join('-')
    .slice(0, slugLength)
    .replace(/-+$/, '')
  return slug === '' ? 'goal' : slug
}

/** Ids of all runs, oldest first. */
export async function listRunIds(root: string): Promise<string[]> {
  const names = await readdir(runsFolder(root)).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return []
    throw ioError(error, runsFolder(root))
  })
  return names.filter((name) => runId.test(name)).toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}

/** The id that the next run would get. */
export async function nextRunId(root: string, goal: string, elsewhere: readonly string[] = []): Promise<string> {
  const claimed = await readdir(claimsFolder(root)).catch(() => [])
  const taken = [...(await listRunIds(root)), ...claimed, ...elsewhere]
    .map((name) => Number.parseInt(name, 10))
    .filter(Number.isFinite)
  return `${String(Math.max(0, ...taken) + 1).padStart(3, '0')}-${slugOf(goal)}`
}

const claimsFolder = (root: string): string => join(runsFolder(root), '.numbers')

/**
 * Creates the folder of a new run. Its number is claimed atomically, so two processes never get the same one. The
 * number is not one of `elsewhere` either.
 */
export async function createRunFolder(root: string, goal: string, elsewhere: readonly string[] = []): Promise<string> {
  try {
    await mkdir(claimsFolder(root), { recursive: true })
    for (;;) {
      const id = await nextRunId(root, goal, elsewhere)
      if (!(await claim(join(claimsFolder(root), String(Number.parseInt(id, 10)))))) continue
      await mkdir(join(runFolder(root, id), 'inbox'), { recursive: true, mode: 0o700 })
      await pointToNewest(root)
      return id
    }
  } catch (error) {
    throw error instanceof LooperError ? error : ioError(error, runsFolder(root))
  }
}

/** Points `last` to the newest run. */
export const pointToNewest = (root: string): Promise<void> =>
  pointLast(runsFolder(root), async () => (await listRunIds(root)).at(-1) ?? null)

async function claim(path: string): Promise<boolean> {
  try {
    await mkdir(path)
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}
