/** One failure in several tasks: what counts as one, and how many turns are spent on it. */
import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  limits,
  play,
  planOf,
  type Played,
  type World,
} from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import type { CheckOutcome, CheckWork, Work } from '../../model/work.ts'

const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ review: false, baseline: 'pause', checkReruns: 0, ...changes })
const isOfTask = ({ id, task }: CheckWork): boolean => task !== null && !/\/probe\d*\/1/.test(id)

const world =
  (tasks: number, answer: (work: CheckWork, round: number) => CheckOutcome | undefined, turn?: World): World =>
  (work, state) => {
    if (work.kind === 'turn' && work.purpose === 'split') return planOf([{ title: 'a' }, { title: 'b' }])
    if (work.kind === 'turn' && work.role === 'planner')
      return planOf(Array.from({ length: tasks }, (_, index) => ({ id: `T00${index + 1}` })))
    if (work.kind === 'turn') return turn?.(work, state)
    if (work.kind !== 'check' || !isOfTask(work)) return undefined
    return answer(work, state.tasks[work.task ?? '']?.attempt?.round ?? 0)
  }
const isCoding = (work: Work): boolean => work.kind === 'turn' && work.role === 'coder'
const turns = ({ of }: Played): string[] => of('work.started').flatMap(({ work }) => (isCoding(work) ? [work.id] : []))
const red = (exact: string): CheckOutcome => checkExit(1, { exact, tail: `Error: ${exact}` })
/** Turns and tasks that started after a second task had shown the failure. */
function afterSecond({ events }: Played): { turns: string[]; tasks: string[] } {
  const shown = new Set<string>()
  const later: { turns: string[]; tasks: string[] } = { turns: [], tasks: [] }
  for (const event of events) {
    if (event.type === 'check.finished' && event.task !== null && !event.passed) shown.add(event.task)
    if (shown.size < 2) continue
    if (event.type === 'task.started') later.tasks.push(event.task)
    if (event.type === 'work.started' && isCoding(event.work)) later.turns.push(event.work.id)
  }
  return later
}

describe.each([1, 2, 4])('failures that differ by a digit alone, %i at a time', (parallel) => {
  test('do not stop the run, and each task fixes its own', () => {
    const played = play(
      config({ parallel }),
      world(4, ({ task }, round) => (round === 0 ? red(`${task}.test.js`) : undefined)),
    )
    expect(played.of('run.paused')).toEqual([])
    expect(played.state).toMatchObject({ status: 'completed', counts: { done: 4 } })
    expect(turns(played)).toHaveLength(8)
  })

  test('are never called the same', () => {
    const played = play(
      config({ parallel, ...limits({ goalIterations: 0, splitDepth: 0, attempts: 1 }) }),
      world(2, ({ task }) => red(`${task}.test.js`)),
    )
    expect(played.of('run.paused')).toEqual([])
    expect(played.state).toMatchObject({ status: 'failed', counts: { failed: 2 } })
  })
})

describe.each([1, 2, 3, 4, 6, 8])('exactly the same failure in eight tasks, %i at a time', (parallel) => {
  const played = play(
    config({ parallel }),
    world(8, () => red('no key')),
  )

  test('stops the run', () => {
    expect(played.state.pause?.detail).toMatch(
      /^the check test fails in the same way with the changes of T00\d.*: Error: no key$/,
    )
  })

  test('no further task starts when the second task has shown it, and fixes stay within six turns', () => {
    const later = afterSecond(played)
    expect(later.tasks).toEqual([])
    // Turns that started before a task showed anything cannot be taken back.
    const fixes = turns(played).filter((id) => id.includes('/fix'))
    expect(fixes.length).toBeLessThanOrEqual(Math.max(1, 6 - Math.min(parallel, 8)) + 1)
  })

  test('costs six turns, or those that were under way before the first check', () => {
    expect(turns(played).length).toBeLessThanOrEqual(parallel < 3 ? 6 : 2 * parallel + 1)
  })
})

test('one at a time, another task is tried before the first one has all its attempts', () => {
  const played = play(
    config({ parallel: 1 }),
    world(3, () => red('no key')),
  )
  expect(turns(played)).toEqual(['T001/a1/implement', 'T001/a1/fix1', 'T001/a1/fix2', 'T002/a1/implement'])
})

test('a task that lands without having shown the failure does not end it', () => {
  const played = play(
    config({ parallel: 1 }),
    world(3, ({ task }) => (task === 'T002' ? undefined : red('no key'))),
  )
  expect(played.state.tasks['T002']?.status).toBe('done')
  expect(played.state.pause?.detail).toContain('the changes of T001 and T003: Error: no key')
  expect(turns(played)).toHaveLength(5)
})

test('an agent error in between does not make a failure a new one', () => {
  let crashes = 0
  const played = play(
    config({ parallel: 1, ...limits({ attempts: 9 }) }),
    world(
      3,
      () => red('no key'),
      (work) => {
        const isCrash = work.kind === 'turn' && work.purpose === 'fix' && crashes++ < 40
        return isCrash ? agentError('crash') : undefined
      },
    ),
  )
  const distinct = new Set(turns(played).map((id) => id.replace(/\.\w+$/, '')))
  expect(played.state.pause?.detail).toContain('Error: no key')
  expect(distinct.size).toBeLessThanOrEqual(7)
})

test('a failure that two tasks share is no reason to split, even where the base was never checked', () => {
  const played = play(
    config({ parallel: 2, baseline: 'off', ...limits({ attempts: 1, goalIterations: 0 }) }),
    world(2, () => red('no key')),
  )
  const rungs = played.of('attempt.failed').filter(({ task }) => !task.includes('.'))
  expect(rungs.map(({ next }) => next)).not.toContain('split')
})

test('a check that cannot run is never answered with a split', () => {
  const cannotRun = { kind: 'module', subject: 'zod', line: 'Cannot find package zod' } as const
  const played = play(
    config({ parallel: 1, ...limits({ attempts: 1 }) }),
    world(1, () => checkExit(1, { cannotRun })),
  )
  expect(played.of('attempt.failed').map(({ next }) => next)).not.toContain('split')
  expect(Object.keys(played.state.tasks)).toEqual(['T001'])
})
