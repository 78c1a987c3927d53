/** Runs whose checks answer on the base as a test says. */
import { baseConfig, checkExit, limits, planOf, type Played, type World } from './play.ts'
import type { CannotRun } from '../../src/model/cannot-run.ts'
import type { RunConfig } from '../../src/model/config.ts'
import type { CheckOutcome, CheckWork, Work } from '../../src/model/work.ts'

export const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({
    review: false,
    checkReruns: 2,
    baseline: 'pause',
    ...limits({ attempts: 2, splitDepth: 1, goalIterations: 1, fixCycles: 3 }),
    ...changes,
  })
export const tasks = [{ id: 'T001' }, { id: 'T002' }, { id: 'T003' }]
export const world =
  (answer: (work: CheckWork) => CheckOutcome | undefined, plan: Record<string, unknown>[] = tasks): World =>
  (work) => {
    if (work.kind === 'turn' && work.role === 'planner') return planOf(plan)
    return work.kind === 'check' ? answer(work) : undefined
  }
export const onBase = (work: Work): boolean => work.id.startsWith('baseline/')
export const noPytest: CannotRun = { kind: 'module', subject: 'pytest', line: 'No module named pytest' }
export const lost = (cannotRun: CannotRun = noPytest): CheckOutcome => checkExit(1, { cannotRun, tail: cannotRun.line })
export const coders = (played: Played): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' && work.role === 'coder' ? [work.id] : []))
