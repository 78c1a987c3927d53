/** Runs with a given plan in memory. */
import type { RunConfig } from '../../src/model/config.ts'
import { baseConfig, planOf, type World } from './play.ts'

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ review: false, parallel: 2, ...changes })
export const planned =
  (tasks: (Record<string, unknown> & { id: string })[], world: World = () => undefined): World =>
  (work, state) =>
    (work.kind === 'turn' && work.purpose === 'plan' ? planOf(tasks) : world(work, state))
    ?? (work.kind === 'prepare' && work.at !== undefined
      ? { kind: 'prepare', base: work.at, tree: work.at }
      : undefined)
export const first = 'commit of T001/a1/merge0'
export const ids = (n: number): { id: string }[] => Array.from({ length: n }, (_, at) => ({ id: `T00${at + 1}` }))
