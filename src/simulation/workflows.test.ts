/** Backlogs and pipelines in the virtual world: edits, outages and crashes really strike, and every workflow occurs. */
import { expect, test } from 'vitest'
import type { Completion } from '../model/loop.ts'
import { historyText } from './history-text.ts'
import { play, type PlayOptions } from './play.ts'
import type { Fault } from './scenario.ts'
import { scenarioOf } from './draw-scenario.ts'
import { shrink } from './shrink.ts'
import { simulate, type Simulated } from './simulate.ts'

const source = { kind: 'file', content: 'plan' } as const
const plan = [{ id: 'T1' }, { id: 'T2', dependsOn: ['T1'] }]
const backlog = (more: Partial<PlayOptions> = {}): Promise<Simulated> =>
  play({ plan, source, config: { review: false, parallel: 1 }, ...more })
const hand = (edit: Extract<Fault, { kind: 'hand' }>['edit'], after = 20): Fault => ({
  kind: 'hand',
  after,
  delayMs: 0,
  edit,
})
const there = ({ steps }: Simulated) =>
  Object.fromEntries(
    (steps.findLast((step) => step.kind === 'settled')?.tasks ?? []).map(({ id, status }) => [id, status]),
  )

test('a backlog is worked through, and its place knows', async () => {
  for (const kind of ['file', 'shared'] as const) {
    const simulated = await backlog({ source: { kind, content: 'plan' } })
    expect(simulated.violations).toEqual([])
    expect(simulated.state).toMatchObject({ status: 'completed', counts: { done: 2 } })
    expect(there(simulated)).toEqual({ T1: 'done', T2: 'done' })
  }
})

test.each(['nothing', 'rubbish'] as const)('a place with %s is written by a planner', async (holds) => {
  const simulated = await backlog({ source: { kind: 'file', content: holds } })
  expect(simulated.violations).toEqual([])
  expect(historyText(simulated)).toContain('## the source is written anew')
  expect(there(simulated)).toEqual({ T1: 'done', T2: 'done' })
})

test.each<[string, Fault[], Record<string, string>]>([
  ['adds a task', [hand({ do: 'add', id: 'P1', priority: 1, after: null })], { T1: 'done', T2: 'done', P1: 'done' }],
  ['closes one', [hand({ do: 'close', nth: 1, as: 'cancelled' })], { T1: 'done', T2: 'cancelled' }],
  ['takes one out', [hand({ do: 'remove', nth: 1 })], { T1: 'done' }],
  ['opens one again', [hand({ do: 'reopen', nth: 0 }, 32)], { T1: 'done', T2: 'done' }],
  ['breaks the file and repairs it', [hand({ do: 'break' }), hand({ do: 'repair' }, 40)], { T1: 'done', T2: 'done' }],
])('a person %s', async (_name, faults, expected) => {
  const simulated = await backlog({ faults })
  expect(simulated.violations).toEqual([])
  expect(there(simulated)).toEqual(expected)
  expect(historyText(simulated)).toContain('## by hand')
})

test('a task that another actor takes is left alone', async () => {
  const simulated = await backlog({
    source: { kind: 'shared', content: 'plan' },
    plan: [{ id: 'T1' }, { id: 'T2' }],
    faults: [hand({ do: 'take', nth: 1 })],
  })
  expect(simulated.violations).toEqual([])
  expect(simulated.state).toMatchObject({
    status: 'paused',
    tasks: { T1: { status: 'done' }, T2: { status: 'blocked' } },
  })
  expect(there(simulated)).toEqual({ T1: 'done', T2: 'doing' })
})

test('an outage is waited out', async () => {
  const calm = await backlog()
  const second = calm.history.find((event) => event.type === 'work.started' && event.work.id === 'look/1')?.seq ?? 0
  const simulated = await backlog({ faults: [{ kind: 'outage', after: second - 1, delayMs: 0, forMs: 4_000 }] })
  expect(simulated.violations).toEqual([])
  expect(simulated.history.some((event) => event.type === 'work.started' && event.work.id === 'look/1.wait1')).toBe(
    true,
  )
  expect(there(simulated)).toEqual({ T1: 'done', T2: 'done' })
})

test('updates that were not written when the machine died are written by the next engine', async () => {
  for (let after = 2; after <= 46; after++) {
    const faults: Fault[] = [
      { kind: 'crash', after, delayMs: 0, machine: true, writing: after % 2 === 0, tail: 'lost' },
    ]
    const simulated = await backlog({ faults })
    expect(simulated.violations).toEqual([])
    expect(there(simulated)).toEqual({ T1: 'done', T2: 'done' })
  }
})

test.each<[Completion, number]>([
  [{ kind: 'fixed-n' }, 3],
  [{ kind: 'all-items', items: ['a', 'b'] }, 2],
  [{ kind: 'plateau' }, 2],
  [{ kind: 'judge', confidence: 0.5 }, 1],
])('a stage with %j makes %i passes', async (completion, passes) => {
  const simulated = await play({
    pipeline: [{ name: 'one', completion, runs: 3 }],
    turn: ({ role }) =>
      role === 'judge'
        ? { answer: { status: 'ok', result: { stop: true, confidence: 0.9, reason: '' } } }
        : {
            answer: {
              status: 'ok',
              result: {
                status: 'done',
                plateau: true,
                summary: '',
                files: [],
                blockers: [],
                new_tasks: [],
                patterns: [],
                decisions: [],
                questions: [],
              },
            },
          },
  })
  expect(simulated.violations).toEqual([])
  expect(simulated.history.filter(({ type }) => type === 'iteration.finished')).toHaveLength(passes)
  expect(simulated.state.status).toBe('completed')
})

test('a pipeline may work through a backlog on its way', async () => {
  const simulated = await play({
    plan,
    source,
    pipeline: [
      { name: 'think', completion: { kind: 'fixed-n' }, runs: 1 },
      { name: 'work', completion: { kind: 'tasks-empty', source: 'todo-file' } },
    ],
  })
  expect(simulated.violations).toEqual([])
  expect(simulated.state).toMatchObject({ status: 'completed', counts: { done: 2 } })
})

test('every workflow, every kind of place and every completion is drawn', () => {
  const scenarios = Array.from({ length: 600 }, (_, seed) => scenarioOf(seed))
  const drawn = scenarios.flatMap(({ config, source: sourceScenario, pipeline }) => [
    pipeline ? 'pipeline' : config.workflow,
    ...(sourceScenario ? [sourceScenario.kind, sourceScenario.content] : []),
    ...(pipeline?.stages.map(({ completion }) => completion.kind) ?? []),
  ])
  expect(new Set(drawn)).toEqual(
    new Set([
      'supervised',
      'meta',
      'backlog',
      'pipeline',
      'file',
      'shared',
      'plan',
      'nothing',
      'rubbish',
      'tasks-empty',
      'plateau',
      'fixed-n',
      'all-items',
      'judge',
      'until',
    ]),
  )
  const supervised = drawn.filter((name) => name === 'supervised').length
  expect(supervised).toBeGreaterThan(210)
  expect(supervised).toBeLessThan(330)
})

test('a world with a pipeline and a source is shrunk to its smallest', async () => {
  const never = {
    law: 'never',
    watch: (_history: unknown, report: (detail: string, seq?: number) => void) => ({
      after(event: { type: string; seq: number }) {
        if (event.type === 'iteration.finished') report('a pass', event.seq)
      },
    }),
  }
  const stages = (['judge', 'fixed-n', 'until'] as const).map((kind, index) => ({
    name: `s${index}`,
    runs: 3,
    delaySeconds: 9,
    completion: kind === 'judge' ? { kind, confidence: 0.5 } : kind === 'until' ? { kind, command: 'until' } : { kind },
  }))
  const { scenario } = await play({
    plan,
    source: { kind: 'shared', content: 'plan' },
    pipeline: stages,
    faults: [hand({ do: 'rename', nth: 0 })],
  })
  const failing = await simulate(1, { scenario, checkers: [never] })
  const small = await shrink(failing, { checkers: [never] })
  expect(small.scenario.pipeline?.stages).toMatchObject([{ runs: 1, delaySeconds: 0 }])
  expect(small.scenario).toMatchObject({ faults: [], source: { kind: 'file', content: 'plan' } })
})
