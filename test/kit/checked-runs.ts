/** Runs whose checks answer as a test says. */
import type { RunConfig } from '../../src/model/config.ts'
import type { CheckOutcome, CheckWork, Work } from '../../src/model/work.ts'
import { baseConfig, checkExit, limits, planOf, type World } from './play.ts'

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    review: false,
    checkReruns: 2,
    baseline: 'no-worse',
    ...limits({ attempts: 1, splitDepth: 0, goalIterations: 0, fixCycles: 1 }),
    ...changes,
  })
export const checks =
  (answer: (work: CheckWork) => CheckOutcome | undefined, tasks: Record<string, unknown>[] = [{ id: 'T001' }]): World =>
  (work) => {
    if (work.kind === 'turn' && work.role === 'planner') return planOf(tasks)
    return work.kind === 'check' ? answer(work) : undefined
  }
export const onBase = (work: Work): boolean => work.id.startsWith('baseline/')
/** `passing` counts the tests that pass beside the failing ones. */
export const red = (failing: string[] = [], passing = 0, fingerprint = 'f1'): CheckOutcome =>
  checkExit(1, {
    tests: failing.length + passing,
    fingerprint,
    ...(failing.length > 0 ? { failing } : {}),
    ...(passing > 0 ? { passing } : {}),
  })
