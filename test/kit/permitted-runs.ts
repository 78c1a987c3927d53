/** Runs that remove a test with or without permission, in memory. */
import type { RunConfig } from '../../src/model/config.ts'
import type { TamperFinding } from '../../src/model/tamper.ts'
import { baseConfig, checkExit, limits, planOf, type Played, type World } from './play.ts'

export const file = 'test/legacy/a.test.js'
const gone: TamperFinding = { kind: 'test-deleted', file, test: 'adds', detail: 'it is gone' }

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    review: false,
    guard: 'block',
    parallel: 1,
    ...limits({ attempts: 1, fixCycles: 1, splitDepth: 0, goalIterations: 0 }),
    ...changes,
  })

/** Every change takes a test out that fails with the code of that change. */
export const world =
  (tasks: Record<string, unknown>[], more: World = () => undefined): World =>
  (work, state) => {
    const said = more(work, state)
    if (said !== undefined) return said
    if (work.kind === 'turn' && work.role === 'planner') return planOf(tasks)
    if (work.kind === 'inspect') {
      const size = { fileCount: 1, insertions: 1, deletions: 1, restored: false }
      return { kind: 'inspect', tree: 't1', files: [file], ...size, tamper: [gone], touchesTests: true }
    }
    if (work.kind === 'overlay')
      return { kind: 'overlay', tree: 'laid', touches: { tests: [file], data: [], machinery: [] } }
    if (work.kind !== 'check') return undefined
    return work.tree === 'laid' ? checkExit(1, { tests: 3, failing: ['adds'] }) : checkExit(0, { tests: 3 })
  }

export const at = '2026-01-01T00:00:00.000Z'
export const statusOf = ({ state }: Played, id: string): string | undefined => state.tasks[id]?.status
