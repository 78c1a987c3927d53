/** Runs in waves, in memory. */
import type { RunConfig } from '../../src/model/config.ts'
import type { Work } from '../../src/model/work.ts'
import { baseConfig, ok, planOf, type World } from './play.ts'

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ review: false, parallel: 1, ...changes })
const tasks = (...list: (string | Record<string, unknown>)[]) =>
  planOf(list.map((entry) => (typeof entry === 'string' ? { id: entry } : entry)))
export const planned =
  (list: (string | Record<string, unknown>)[], world: World = () => undefined): World =>
  (work, state) =>
    (work.kind === 'turn' && work.role === 'planner' && work.purpose === 'plan' ? tasks(...list) : world(work, state))
    ?? placed(work)
/** A workspace prepared at a commit has the tree of that commit. */
const placed = (work: Work) =>
  work.kind === 'prepare' && work.at !== undefined
    ? ({ kind: 'prepare', base: work.at, tree: work.at } as const)
    : undefined
export const ids = (n: number): string[] => Array.from({ length: n }, (_, at) => `T00${at + 1}`)
export const together =
  (...worlds: World[]): World =>
  (work, state) =>
    worlds.map((world) => world(work, state)).find((outcome) => outcome !== undefined)

/** Which done tasks a review rejects when each wave closes. */
export const turningDownIn =
  (down: Record<number, string[]>): World =>
  (work, { wave, antiPatterns, waveTasks }) => {
    if (work.kind !== 'turn' || work.purpose !== 'review-wave') return undefined
    const bad = antiPatterns.length > 0 ? [] : (down[wave] ?? [])
    const verdicts = [...new Set([...waveTasks, ...bad])].map((task) => ({
      task,
      approved: !bad.includes(task),
      feedback: 'no',
    }))
    return ok({ score: 80, summary: '', issues: [], missing: [], feedback: '', verdicts })
  }
