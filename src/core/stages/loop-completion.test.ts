import { describe, expect, test } from 'vitest'
import { plateaus, run, saying, stage, turn, turns } from '../../../test/kit/loop-runs.ts'
import { checkExit, invalid, iterated, ok, type World } from '../../../test/kit/play.ts'
import type { Event } from '../../model/event.ts'
import type { SourceTask } from '../../model/source.ts'
import type { TurnWork } from '../../model/work.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'

describe('C2: when a loop stage is complete', () => {
  test('fixed-n: after exactly n passes', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 3 })])
    expect(turns(played)).toEqual(['loop1.1/iterate', 'loop1.2/iterate', 'loop1.3/iterate'])
    expect(played.state.status).toBe('completed')
  })

  test.each<[name: string, declared: boolean[], min: number, passes: number]>([
    ['when two in a row agree', [false, true, true], 1, 3],
    ['not when one alone does', [true, false, true, true], 1, 4],
    ['not before the least number of passes', [true, true, true, true], 4, 4],
    ['at the maximum, when no pass agrees', [false], 1, 10],
  ])('plateau: %s', (_name, declared, minIterations, passes) => {
    const played = run([stage({ kind: 'plateau' }, { minIterations })], plateaus(...declared))
    expect(turns(played)).toHaveLength(passes)
    expect(played.state.status).toBe('completed')
  })

  test('plateau: words in a summary do not count', () => {
    expect(
      turns(
        run(
          [stage({ kind: 'plateau' })],
          saying({ status: 'continue', summary: 'PLATEAU: true <promise>COMPLETE</promise>' }),
        ),
      ),
    ).toHaveLength(10)
  })

  test('plateau: a repeated turn is not a second opinion', () => {
    const asked = (work: TurnWork): ReturnType<World> =>
      work.errors.length > 0 || work.id !== 'loop1.1/iterate'
        ? iterated({ plateau: work.id.startsWith('loop1.1') })
        : invalid('no status')
    const played = run([stage({ kind: 'plateau' }, { runs: 3 })], turn(asked))
    expect(played.of('iteration.finished')).toHaveLength(3)
  })

  test('plateau: a pass with red checks is no plateau', () => {
    const played = run([stage({ kind: 'plateau' }, { runs: 3 })], (work) =>
      work.kind === 'check' ? checkExit(1) : plateaus(true)(work, {} as never),
    )
    expect(played.state).toMatchObject({ status: 'failed' })
    expect(played.state.reason).toContain('test failed')
  })

  test('all-items: one pass for each item', () => {
    const played = run([stage({ kind: 'all-items', items: ['a', 'b'] })])
    expect(turns(played)).toHaveLength(2)
    expect(played.of('loop.finished')).toMatchObject([{ iterations: 2, why: 'all 2 items are done' }])
  })

  test.each<[name: string, judged: { stop: boolean; confidence: number }, passes: number]>([
    ['stop, and sure', { stop: true, confidence: 0.5 }, 1],
    ['stop, but unsure', { stop: true, confidence: 0.49 }, 10],
    ['go on', { stop: false, confidence: 1 }, 10],
  ])('judge: %s', (_name, judged, passes) => {
    const played = run(
      [stage({ kind: 'judge', confidence: 0.5 })],
      turn(({ role }) => (role === 'judge' ? ok({ reason: '', ...judged }) : undefined)),
    )
    expect(played.of('iteration.finished')).toHaveLength(passes)
  })

  test('until: when the command succeeds; a run in which it never does has failed', () => {
    const after =
      (passes: number): World =>
      (work) =>
        work.kind === 'check' && work.name === 'until'
          ? checkExit(work.id.startsWith(`loop1.${passes}/`) ? 0 : 1)
          : undefined
    expect(run([stage({ kind: 'until', command: 'make ok' })], after(4)).of('iteration.finished')).toHaveLength(4)
    expect(run([stage({ kind: 'until', command: 'make ok' })], after(99)).state).toMatchObject({ status: 'failed' })
  })

  test('tasks-empty: one task after the other until none is left', () => {
    const task = (id: string): SourceTask => ({
      id,
      title: id,
      description: '',
      dependsOn: [],
      criteria: [],
      files: [],
      type: null,
      priority: 1,
      status: 'todo',
      reason: null,
    })
    const world =
      (tasks: SourceTask[]): World =>
      (work) =>
        work.kind === 'sync' && work.id === 'look/0'
          ? { kind: 'sync', tasks, removed: [], claim: null, complete: false, problems: [] }
          : undefined
    const played = run(
      [stage({ kind: 'tasks-empty', source: 'todo-file' }, { name: 'work' }), stage({ kind: 'fixed-n' }, { runs: 1 })],
      world([task('T1'), task('T2')]),
    )
    expect(turns(played)).toEqual(['T1/a1/iterate', 'T2/a1/iterate', 'loop2.1/iterate'])
    expect(played.state.status).toBe('completed')
    const alone = (tasks: SourceTask[]) =>
      run([stage({ kind: 'tasks-empty', source: 'todo-file' })], world(tasks)).state
    expect(alone([])).toMatchObject({ status: 'failed', turns: 0 })
    expect(alone([{ ...task('T1'), status: 'done' }])).toMatchObject({ status: 'completed', turns: 0 })
  })

  test('tasks-empty: with the agent, the model and the delay of the stage', () => {
    const task: SourceTask = {
      id: 'T1',
      title: 'x',
      description: '',
      dependsOn: [],
      criteria: [],
      files: [],
      type: null,
      priority: 1,
      status: 'todo',
      reason: null,
    }
    const world: World = (work) =>
      work.kind === 'sync' && work.id === 'look/0'
        ? {
            kind: 'sync',
            tasks: [task, { ...task, id: 'T2' }],
            removed: [],
            claim: null,
            complete: false,
            problems: [],
          }
        : undefined
    const played = run(
      [stage({ kind: 'tasks-empty', source: 'todo-file' }, { agent: 'b', model: 'm', delaySeconds: 5 })],
      world,
      { agents: { a: {}, b: {} } },
    )
    expect(
      played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [[work.agent, work.model]] : [])),
    ).toEqual([
      ['b', 'm'],
      ['b', 'm'],
    ])
    expect(played.of('work.started').map(({ work }) => work.id)).toContain('loop1.2/delay')
    expect(played.state.status).toBe('completed')
    const kept = (event: Event): string[] =>
      Object.keys(
        played.events.slice(0, played.events.indexOf(event) + 1).reduce(evolve, initialState()).ledger,
      ).filter((owner) => owner.startsWith('loop'))
    expect(
      played
        .of('work.finished')
        .filter(({ id }) => id === 'loop1.2/delay')
        .map(kept),
    ).toEqual([['loop1.2']])
    expect(played.of('task.finished').map(kept)).toEqual([[], []])
  })

  test('tasks-empty: a later stage polls on its own and does the tasks added in the meantime', () => {
    const task = (id: string): SourceTask => ({
      id,
      title: id,
      description: '',
      dependsOn: [],
      criteria: [],
      files: [],
      type: null,
      priority: 1,
      status: 'todo',
      reason: null,
    })
    let isAdded = false
    const world: World = (work, state) => {
      if (work.kind === 'turn' && work.id.startsWith('loop2')) isAdded = true
      if (work.kind !== 'sync') return undefined
      const fresh = work.id === 'look/0' ? [task('T1')] : isAdded && !state.tasks['T2'] ? [task('T2')] : []
      const claim = work.claim === null || fresh.length > 0 ? null : { task: work.claim, ok: true }
      return { kind: 'sync', tasks: fresh, removed: [], claim, complete: false, problems: [] }
    }
    const tasks = (name: string) => stage({ kind: 'tasks-empty', source: 'todo-file' }, { name })
    const played = run([tasks('work'), stage({ kind: 'fixed-n' }, { runs: 1 }), tasks('more')], world)
    expect(turns(played)).toEqual(['T1/a1/iterate', 'loop2.1/iterate', 'T2/a1/iterate'])
    expect(played.of('loop.finished').map(({ name, iterations }) => [name, iterations])).toEqual([
      ['work', 1],
      ['polish', 1],
      ['more', 1],
    ])
    isAdded = false
    expect(run([tasks('work'), tasks('more')], world).state.reason).toBe('stage "more" ran nothing: no task is open')
  })

  test('tasks-empty: an unreadable source pauses the run with the reason', () => {
    const played = run([stage({ kind: 'tasks-empty', source: 'todo-file' })], (work) =>
      work.kind === 'sync'
        ? { kind: 'sync', tasks: [], removed: [], claim: null, complete: false, problems: ['line 3: no comma'] }
        : undefined,
    )
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'setup' } })
    expect(played.state.reason).toContain('line 3: no comma')
  })

  test('a stage without a result is never complete', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 1 })], saying({ status: 'blocked', blockers: ['no plan'] }))
    expect(played.state).toMatchObject({ status: 'failed' })
  })
})
