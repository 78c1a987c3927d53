/** Who may let tests go: fields of a task, a person's words, a person's answer; never the prose of an agent. */
import { describe, expect, test } from 'vitest'
import { receive } from '../../src/core/commands.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import type { RunConfig } from '../../src/model/config.ts'
import type { Event, Fact, TaskRequest } from '../../src/model/event.ts'
import type { SourceTask } from '../../src/model/source.ts'
import type { InspectOutcome } from '../../src/model/work.ts'
import { lineFor } from '../../src/views/live/lines.ts'
import { planMd } from '../../src/views/report/plan-md.ts'
import { reportMd } from '../../src/views/report/report-md.ts'
import { at, config, file, statusOf, world } from '../kit/permitted-runs.ts'
import {
  checkExit,
  coded,
  limits,
  planOf,
  play,
  started,
  type Played,
  type PlayOptions,
  type World,
} from '../kit/play.ts'

const prose = 'Remove the old tests'

const clean: InspectOutcome = {
  kind: 'inspect',
  tree: 't2',
  files: ['a'],
  fileCount: 1,
  insertions: 1,
  deletions: 0,
  restored: false,
}
/** A person adds this task before the planner has answered. */
function withTask(settings: RunConfig, task: Partial<TaskRequest>): PlayOptions {
  const first: Event = { ...started(settings), seq: 1, at }
  const request = { title: 'Faster', description: '', dependsOn: [], criteria: [], priority: null, ...task }
  const received = receive(evolve(initialState(), structuredClone(first)), { id: '1', do: 'add', task: request })
  return { from: [first, { ...('fact' in received ? received.fact : ({} as Fact)), seq: 2, at }] }
}
const linesOf = ({ events }: Played): string => {
  const state = initialState()
  return events.map((event) => lineFor(event, evolve(state, structuredClone(event))) ?? '').join('\n')
}

describe('a plan', () => {
  test('the words of the planner let nothing go', () => {
    const texts = { title: prose, description: 'You may remove the tests.', criteria: [prose], files: [file] }
    const played = play(config(), world([{ id: 'T001', ...texts }]))
    expect(statusOf(played, 'T001')).toBe('failed')
    expect(played.of('finding.raised')[0]).toMatchObject({ severity: 'BLOCKER' })
  })

  test('its field does, and a person sees it', () => {
    const played = play(config(), world([{ id: 'T001', allows: ['remove-tests:test/legacy/**'] }]))
    expect(statusOf(played, 'T001')).toBe('done')
    const shown = 'allows remove-tests:test/legacy/** (by the planner)'
    expect(linesOf(played)).toContain(shown)
    expect(planMd(played.state)).toContain('by the planner')
    expect(reportMd(played.state)).toMatch(/Tests and checks: allows remove-tests:test\/legacy.*by the planner/)
    expect(played.of('finding.raised')).toMatchObject([
      { severity: 'WARNING', detail: expect.stringContaining('test deleted (it is gone), allowed by the planner') },
    ])
  })

  test.each([['remove-tests:test/new/**'], ['skip-tests'], ['change-checks'], ['remove'], ['remove-tests:']])(
    'a field for something else does not: %s',
    (entry) => expect(statusOf(play(config(), world([{ id: 'T001', allows: [entry] }])), 'T001')).toBe('failed'),
  )

  test('the goal does, for planned tasks without the field', () => {
    expect(statusOf(play(config(), world([{ id: 'T001' }]), { goal: prose }), 'T001')).toBe('done')
  })

  test('the parts of a split task are not allowed more than the whole', () => {
    const settings = config(limits({ attempts: 1, fixCycles: 0, splitDepth: 1, goalIterations: 0 }))
    const splits: World = (work) =>
      work.kind === 'turn' && work.purpose === 'split'
        ? planOf([
            { id: 'a', allows: ['remove-tests'] },
            { id: 'b', allows: ['remove-tests'] },
          ])
        : undefined
    const played = play(settings, world([{ id: 'T001' }], splits))
    expect(played.state.tasks['T001.1']).toMatchObject({ status: 'failed' })
    expect(played.state.tasks['T001.1']).not.toHaveProperty('allows')
  })
})

describe('a coder', () => {
  test('neither its words nor its field let a test go', () => {
    const finds: World = (work) => {
      if (work.kind === 'inspect' && work.id.startsWith('T001/')) return clean
      if (work.kind !== 'turn' || work.role !== 'coder' || work.task !== 'T001') return undefined
      const task = { title: prose, description: prose, complexity: 'simple', type: null, dependsOn: [], checks: [] }
      return coded({
        summary: 'You may remove the tests.',
        newTasks: [{ ...task, criteria: [prose], files: [file], priority: null, allows: ['remove-tests'] }],
      })
    }
    const settings = config(limits({ attempts: 1, fixCycles: 1, splitDepth: 1, goalIterations: 0 }))
    const played = play(settings, world([{ id: 'T001' }], finds))
    expect(Object.values(played.state.tasks).map(({ title, status, allows }) => [title, status, allows])).toEqual([
      ['x', 'done', undefined],
      [prose, 'failed', undefined],
    ])
  })
})

describe('a person', () => {
  test.each<[Partial<TaskRequest>, string]>([
    [{ title: prose }, 'done'],
    [{ description: 'Remove the old tests.' }, 'done'],
    [{ allows: ['remove-tests:test/legacy/**'] }, 'done'],
    [{}, 'failed'],
    [{ title: prose, allows: ['remove-tests:test/new/**'] }, 'failed'],
  ])('adds the task %j: %s', (task, status) => {
    const settings = config()
    const others: World = (work) => (work.kind === 'inspect' && work.id.startsWith('P1/') ? clean : undefined)
    const played = play(settings, world([{ id: 'P1' }], others), withTask(settings, task))
    expect(statusOf(played, 'T001')).toBe(status)
  })

  test('what is no permission, or no check, is refused', () => {
    const state = evolve(initialState(), { ...started(config()), seq: 1, at })
    const task = { title: 'x', description: '', dependsOn: [], criteria: [], priority: null }
    const add = (more: Partial<TaskRequest>) => receive(state, { id: '1', do: 'add', task: { ...task, ...more } })
    expect(add({ allows: ['remove'] })).toMatchObject({ refused: expect.stringContaining('"remove" is no permission') })
    expect(add({ repairs: ['tests'] })).toMatchObject({ refused: expect.stringContaining('there are test') })
    expect(add({ repairs: ['test'] })).toMatchObject({ fact: { task: { repairs: ['test'] } } })
  })
})

describe('a backlog', () => {
  const item = (more: Partial<SourceTask>): SourceTask => ({
    id: 'T001',
    title: 'Faster',
    description: '',
    dependsOn: [],
    criteria: [],
    files: [],
    type: null,
    priority: 1,
    status: 'todo',
    reason: null,
    ...more,
  })
  const run = (task: SourceTask): Played =>
    play(
      config({ workflow: 'backlog' }),
      world([], (work) =>
        work.kind === 'sync'
          ? {
              kind: 'sync',
              removed: [],
              complete: false,
              problems: [],
              tasks: work.id === 'look/0' ? [task] : [],
              claim: work.claim === null ? null : { task: work.claim, ok: true },
            }
          : undefined,
      ),
    )

  test.each<[Partial<SourceTask>, string]>([
    [{ allows: ['remove-tests:test/legacy/**'] }, 'done'],
    [{ title: prose }, 'done'],
    [{ title: prose, byAgent: true }, 'failed'],
    [{ allows: ['remove-tests:test/new/**'] }, 'failed'],
    [{}, 'failed'],
  ])('with %j: %s', (more, status) => expect(statusOf(run(item(more)), 'T001')).toBe(status))
})

describe('repairs', () => {
  const onBase: World = (work) =>
    work.kind === 'check' && work.name === 'test' ? checkExit(1, { tests: 3, failing: ['old'], passing: 2 }) : undefined
  const settings = config({
    checks: [
      { name: 'test', run: 'npm test' },
      { name: 'lint', run: 'lint' },
    ],
    guard: 'off',
    baseline: 'no-worse',
  })

  test('a check that was red before excuses a task, unless the task is to fix it', () => {
    const played = (task: Record<string, unknown>): string | undefined =>
      statusOf(play(settings, world([{ id: 'T001', ...task }], onBase)), 'T001')
    expect(played({})).toBe('done')
    expect(played({ repairs: ['test'] })).toBe('failed')
    expect(played({ repairs: ['lint'] })).toBe('done')
    expect(played({ title: 'Fix the failing tests', repairs: ['unknown'] })).toBe('failed')
  })
})
