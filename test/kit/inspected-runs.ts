/** Runs whose changes are inspected as a test says. */
import type { RunConfig } from '../../src/model/config.ts'
import type { TamperFinding } from '../../src/model/tamper.ts'
import { type InspectOutcome } from '../../src/model/work.ts'
import { baseConfig, limits, planOf, type World } from './play.ts'

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    review: false,
    guard: 'block',
    proof: true,
    ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0 }),
    ...changes,
  })
export const found: TamperFinding = {
  kind: 'test-skipped',
  file: 'a.test.js',
  test: 'adds',
  detail: 'it() became it.skip()',
}
export const inspected = (more: Partial<InspectOutcome>): InspectOutcome => ({
  kind: 'inspect',
  tree: 't1',
  files: ['a'],
  fileCount: 1,
  insertions: 1,
  deletions: 0,
  restored: false,
  ...more,
})
export const planned =
  (task: Record<string, unknown>, world: World): World =>
  (work, state) =>
    work.kind === 'turn' && work.role === 'planner' ? planOf([{ id: 'T001', ...task }]) : world(work, state)
