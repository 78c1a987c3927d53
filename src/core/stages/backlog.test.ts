import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  iterated,
  limits,
  planOf,
  play,
  type World,
} from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import { decide } from '../decide.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'
import type { Event } from '../../model/event.ts'
import type { SourceTask } from '../../model/source.ts'
import type { TaskSpec } from '../../model/task.ts'
import { addMs } from '../../model/time.ts'
import type { SyncOutcome, SyncWork, TurnWork } from '../../model/work.ts'

const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ workflow: 'backlog', parallel: 1, ...changes })

const item = (id: string, more: Partial<SourceTask> = {}): SourceTask => ({
  id,
  title: `Do ${id}`,
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

const looked = ({ claim }: SyncWork, more: Partial<SyncOutcome> = {}): SyncOutcome => ({
  kind: 'sync',
  tasks: [],
  removed: [],
  claim: claim === null ? null : { task: claim, ok: true },
  complete: false,
  problems: [],
  ...more,
})

/** A source that is read once and that only this run changes. */
const withBacklog =
  (tasks: SourceTask[], answer: World = () => undefined, more: Partial<SyncOutcome> = {}): World =>
  (work, state) => {
    const said = answer(work, state)
    if (said !== undefined || work.kind !== 'sync') return said
    return looked(work, work.id === 'look/0' ? { tasks, ...more } : {})
  }

const turns = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))
const order = (played: ReturnType<typeof play>): string[] => played.of('task.started').map(({ task }) => task)
const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined

describe('D3: which task is next', () => {
  test.each<[name: string, tasks: SourceTask[], expected: string[]]>([
    [
      'todo by priority',
      [item('T1', { priority: 3 }), item('T2', { priority: 1 }), item('T3', { priority: 2 })],
      ['T2', 'T3', 'T1'],
    ],
    ['then by id, as people count', [item('T10'), item('T2'), item('T1')], ['T1', 'T2', 'T10']],
    [
      'what is under way there comes first, by id',
      [
        item('T1', { priority: 0 }),
        item('T9', { status: 'doing', priority: 9 }),
        item('T3', { status: 'doing', priority: 9 }),
      ],
      ['T3', 'T9', 'T1'],
    ],
    ['blocked ones last', [item('T1', { status: 'blocked', priority: 0 }), item('T2', { priority: 9 })], ['T2', 'T1']],
    [
      'done and cancelled ones never',
      [item('T1', { status: 'done' }), item('T2', { status: 'cancelled' }), item('T3')],
      ['T3'],
    ],
    [
      'dependencies first, whatever the priority',
      [item('T1', { priority: 0, dependsOn: ['T2'] }), item('T2', { priority: 9 })],
      ['T2', 'T1'],
    ],
    [
      'a dependency that is done in the source blocks no task',
      [item('T1', { dependsOn: ['T2'] }), item('T2', { status: 'done' })],
      ['T1'],
    ],
    ['order in the file does not matter', [item('T3'), item('T1'), item('T2')], ['T1', 'T2', 'T3']],
  ])('%s', (_name, tasks, expected) => {
    const played = play(config(), withBacklog(tasks))
    expect(order(played)).toEqual(expected)
    expect(played.state.status).toBe('completed')
  })

  test('D4: runs one task at a time, claims each before it starts, and checks each attempt', () => {
    const played = play(config(), withBacklog([item('T1'), item('T2')]))
    expect(
      played
        .of('work.started')
        .map(({ work: { id } }) => id)
        .filter((id) => !id.startsWith('limit/')),
    ).toEqual([
      'look/0',
      'look/1',
      'T1/a1/prepare',
      'T1/a1/iterate',
      'T1/a1/inspect0',
      'T1/a1/merge0',
      'T1/a1/check0/1',
      'T1/a1/land0',
      'wave1/checkpoint',
      'look/2',
      'T2/a1/prepare',
      'T2/a1/iterate',
      'T2/a1/inspect0',
      'T2/a1/merge0',
      'T2/a1/check0/1',
      'T2/a1/land0',
      'wave2/checkpoint',
      'look/3',
      'backlog/prepare1',
      'backlog/review1',
      'gate/g0/prepare',
      'gate/g0/check/1',
      'report/finish0',
    ])
    expect(played.state.tasks['T1']?.evidence).toMatchObject([{ check: 'test' }])
  })
})

describe('D4: the status that an agent reports for a task', () => {
  const one = (answer: (work: TurnWork) => ReturnType<World>) =>
    play(
      config(),
      withBacklog(
        [item('T1')],
        turn((work) => (work.task === null ? undefined : answer(work))),
      ),
    )

  test('done, with new tasks', () => {
    let said = false
    const played = one(() => {
      if (said) return iterated()
      said = true
      return iterated({
        task_id: 'T1',
        new_tasks: [
          {
            title: 'More',
            description: '',
            complexity: 'simple',
            type: null,
            dependsOn: ['T1'],
            criteria: [],
            checks: [],
            files: [],
            priority: null,
          },
        ],
      })
    })
    expect(played.state.order).toEqual(['T1', 'T002'])
    expect(played.state.counts.done).toBe(2)
  })

  test('skipped closes it as cancelled, with the reason', () => {
    const played = one(() => iterated({ status: 'skipped', summary: 'it is void' }))
    expect(played.state.tasks['T1']).toMatchObject({ status: 'cancelled', reason: 'it is void' })
    expect(played.state.status).toBe('completed')
  })

  test('blocked parks it, and the run pauses when nothing else can go on', () => {
    const played = one(() => iterated({ status: 'blocked', blockers: ['no key'] }))
    expect(played.state).toMatchObject({
      status: 'paused',
      pause: { kind: 'blocked', detail: 'T1 is blocked (external): no key' },
    })
    expect(turns(played)).toEqual(['T1/a1/iterate'])
  })

  test('continue stays in the same workspace, a limited number of times', () => {
    const played = one(() => iterated({ status: 'continue', summary: 'half of it' }))
    expect(turns(played).slice(0, 5)).toEqual([
      'T1/a1/iterate',
      'T1/a1/iterate1',
      'T1/a1/iterate2',
      'T1/a1/iterate3',
      'T1/a2/iterate',
    ])
    expect(played.state.status).toBe('failed')
  })

  test('with sessions resumed, the next round continues the last session', () => {
    const world: World = (work) => {
      if (work.kind !== 'turn' || work.task === null) return undefined
      return { ...iterated({ status: work.id.endsWith('iterate') ? 'continue' : 'done' }), sessionId: 's1' }
    }
    const played = play(config({ sessions: 'resume' }), withBacklog([item('T1')], world))
    const rounds = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'turn' && work.task !== null ? [work.session?.id] : []))
    expect(rounds).toEqual([undefined, 's1'])
  })

  test('continue keeps the tree of the failed attempt: the next attempt starts from it', () => {
    const played = one((work) => iterated(work.id === 'T1/a1/iterate' ? { status: 'continue' } : {}))
    expect(played.of('attempt.fixing')).toMatchObject([
      { fix: 1, tree: 'tree of T1/a1/inspect0', failure: { kind: 'unfinished' } },
    ])
    const next = played.of('work.started').find(({ work }) => work.id === 'T1/a1/iterate1')
    expect(next).toMatchObject({ work: { tree: 'tree of T1/a1/inspect0' } })
  })

  test('the id of another task causes one question', () => {
    const played = one((work) => iterated({ task_id: work.errors.length > 0 ? 'T1' : 'T7' }))
    expect(turns(played)).toEqual(['T1/a1/iterate', 'T1/a1/iterate.repair', 'backlog/review1'])
  })

  test('a failing agent costs its iteration, not the run', () => {
    const played = play(
      config(),
      withBacklog(
        [item('T1'), item('T2')],
        turn((work) => (work.task === 'T1' ? agentError('crash') : undefined)),
      ),
    )
    expect(played.state.tasks).toMatchObject({ T1: { status: 'failed' }, T2: { status: 'done' } })
    expect(played.state).toMatchObject({ status: 'failed' })
  })

  test('red checks are fixed in place, then a new attempt starts, and the task is never split', () => {
    const played = play(
      config(limits({ goalIterations: 0 })),
      withBacklog([item('T1')], (work) => (work.kind === 'check' ? checkExit(1) : undefined)),
    )
    expect(played.of('attempt.failed').map(({ next }) => next)).toEqual(['retry', 'retry', 'fail'])
    expect(played.state.status).toBe('failed')
  })
})

describe('D3: a blocked task', () => {
  const blocks = (id: string, times: number): World => {
    let left = times
    return turn((work) =>
      work.task === id && left-- > 0 ? iterated({ status: 'blocked', blockers: ['not yet'] }) : undefined,
    )
  }

  test('is retried after another task is done', () => {
    const played = play(config(), withBacklog([item('T1'), item('T2', { priority: 2 })], blocks('T1', 1)))
    expect(order(played)).toEqual(['T1', 'T2', 'T1'])
    expect(played.of('task.reopened')).toMatchObject([{ why: 'changed' }])
    expect(played.state.status).toBe('completed')
  })

  test('is retried at most as often as its attempts allow', () => {
    const others = ['T2', 'T3', 'T4', 'T5', 'T6'].map((id, index) =>
      item(id, { dependsOn: index === 0 ? [] : [`T${index + 1}`] }),
    )
    const played = play(config(), withBacklog([item('T1'), ...others], blocks('T1', 99)))
    expect(order(played).filter((id) => id === 'T1').length).toBeLessThanOrEqual(3)
    expect(played.state.pause?.kind).toBe('blocked')
  })

  test('with only blocked tasks and no change, none is retried and the run pauses with the reason', () => {
    const tasks = [
      item('T1', { status: 'blocked', reason: 'no key' }),
      item('T2', { status: 'blocked', reason: 'no time' }),
    ]
    const played = play(config(), withBacklog(tasks))
    expect(order(played)).toEqual([])
    expect(played.state).toMatchObject({
      status: 'paused',
      pause: { detail: 'T1 is blocked (external): no key; T2 is blocked (external): no time' },
    })
  })

  test('is retried after the run has rested', () => {
    let asked = 0
    const slow: World = (work, state) => {
      if (work.kind !== 'turn' || work.task === null) return undefined
      return work.task === 'T2' && asked++ === 0
        ? agentError('rate_limited', addMs(state.lastAt, 700_000))
        : iterated({ status: 'blocked', blockers: ['x'] })
    }
    const played = play(config(), withBacklog([item('T1'), item('T2', { priority: 2 })], slow))
    expect(played.of('task.reopened')).toMatchObject([{ tasks: ['T1'], why: 'cooldown' }])
    expect(order(played)).toEqual(['T1', 'T2', 'T1'])
  })

  test('a resume by a person retries it', () => {
    const played = play(config(), withBacklog([item('T1')], blocks('T1', 1))).resume()
    expect(played.state.status).toBe('completed')
  })
})

describe('D2: a backlog that is missing or broken', () => {
  const tasks = (work: SyncWork) => (work.write === null ? {} : { tasks: work.write.tasks })

  test('is written by a planner when there is none', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync') return looked(work, tasks(work))
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf([
            { id: 'A', title: 'First' },
            { id: 'no id at all', title: 'Second', dependsOn: ['A'] },
          ])
        : undefined
    })
    expect(turns(played)[0]).toBe('backlog/bootstrap1')
    expect(
      played.of('work.started').flatMap(({ work }) => (work.kind === 'sync' && work.write ? work.write.tasks : [])),
    ).toMatchObject([
      { id: 'A', priority: 1, status: 'todo' },
      { id: 'T002', dependsOn: ['A'], priority: 2 },
    ])
    expect(played.state).toMatchObject({ status: 'completed', counts: { done: 2 } })
  })

  test('records that an agent wrote it, with the permissions that the planner gives', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync') return looked(work, tasks(work))
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf([{ id: 'A', allows: ['skip-tests:a/**', 'nonsense'], repairs: ['test'] }])
        : undefined
    })
    expect(played.of('task.added')).toMatchObject([
      { origin: 'source', task: { byAgent: true, allows: ['skip-tests:a/**'], repairs: ['test'] } },
    ])
  })

  test('a repair adds no permission', () => {
    const text = '{ "tasks": [ { "id": "A", "title": "x", "allows": ["skip-tests"] }'
    const played = play(config(), (work) => {
      if (work.kind === 'sync') return looked(work, work.id === 'look/0' ? { problems: ['x'], text } : tasks(work))
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf([{ id: 'A', allows: ['skip-tests', 'remove-tests'] }])
        : undefined
    })
    expect(played.of('task.added')[0]?.task.allows).toEqual(['skip-tests'])
  })

  test('a planner that sees the errors repairs it', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync')
        return looked(work, work.id === 'look/0' ? { problems: ['line 3: no comma'], text: '{' } : tasks(work))
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf([{ id: 'A', title: 'First', status: 'done' }, { id: 'B' }])
        : undefined
    })
    expect(turns(played)).toEqual(['backlog/repair1', 'B/a1/iterate', 'backlog/review1'])
  })

  test('a source that was repaired by hand is polled again after a resume', () => {
    const played = play(config(limits({ planRevisions: 0 })), (work) =>
      work.kind === 'sync' ? looked(work, { problems: ['line 1'], text: '{' }) : undefined,
    )
    expect(played.state.status).toBe('failed')
    const again = played.resume({}, (work) =>
      work.kind === 'sync' ? looked(work, work.id === 'look/1' ? { tasks: [item('T1')] } : {}) : undefined,
    )
    expect(again.state).toMatchObject({ status: 'completed', counts: { done: 1 } })
  })

  test('a planner that loses tasks of a broken one is asked again', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync')
        return looked(
          work,
          work.id === 'look/0' ? { problems: ['no comma'], text: '[{"id": "A"}, {"id":"B"}' } : tasks(work),
        )
      if (work.kind !== 'turn' || work.role !== 'planner') return undefined
      return planOf(work.errors.length === 0 ? [{ id: 'A' }] : [{ id: 'A' }, { id: 'B' }])
    })
    expect(turns(played).slice(0, 2)).toEqual(['backlog/repair1', 'backlog/repair1.repair'])
    expect(played.state.order).toEqual(['A', 'B'])
  })

  test('a readable but unusable source is left to its owner', () => {
    const played = play(config(), (work) =>
      work.kind === 'sync' ? looked(work, { problems: ['the id "a/b" cannot be used'] }) : undefined,
    )
    expect(played.state).toMatchObject({ status: 'paused', turns: 0, pause: { kind: 'setup' } })
  })

  test('that stays broken ends the run after the maximum of tries', () => {
    const played = play(config(limits({ planRevisions: 2 })), (work) => {
      if (work.kind === 'sync') return looked(work, { problems: ['still wrong'], text: '{' })
      return work.kind === 'turn' ? planOf([{ id: 'A' }]) : undefined
    })
    expect(turns(played)).toEqual(['backlog/repair1', 'backlog/repair2'])
    expect(played.state).toMatchObject({ status: 'failed', reason: 'the backlog is still broken: still wrong' })
  })

  test('an empty source is polled again by a resume', () => {
    let isFilled = false
    const world: World = (work, { tasks: known }) =>
      work.kind === 'sync' ? looked(work, isFilled && !known['T1'] ? { tasks: [item('T1')] } : {}) : undefined
    const played = play(config(limits({ planRevisions: 0 })), world)
    expect(played.state.status).toBe('failed')
    isFilled = true
    expect(played.resume().state).toMatchObject({ status: 'completed', tasks: { T1: { status: 'done' } } })
  })

  test('a source that is being written is not given up', () => {
    const { events } = play(config(limits({ planRevisions: 1 })), (work) => {
      if (work.kind === 'sync') return looked(work, work.id === 'look/0' ? {} : tasks(work))
      return work.kind === 'turn' && work.role === 'planner' ? planOf([{ id: 'A' }]) : undefined
    })
    const isWriting = (event: Event): boolean =>
      event.type === 'work.started' && event.work.kind === 'sync' && event.work.write !== null
    const state = events.slice(0, events.findIndex(isWriting) + 1).reduce(evolve, initialState())
    expect(decide(state)).toMatchObject({ facts: [], work: [{ id: 'look/1' }, { kind: 'wait' }] })
  })

  test('that breaks during the run is left alone, and reported at the end', () => {
    const played = play(config(), (work) => {
      if (work.kind !== 'sync') return undefined
      return looked(work, work.id === 'look/0' ? { tasks: [item('T1')] } : { problems: ['line 1'] })
    })
    expect(played.state.tasks['T1']?.status).toBe('done')
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'setup' } })
  })
})

describe('D9: when nothing is left', () => {
  test('a review may add tasks; the next one ends the run', () => {
    let reviews = 0
    const played = play(
      config(),
      withBacklog(
        [item('T1')],
        turn((work) => {
          if (work.purpose !== 'review') return undefined
          return iterated({
            new_tasks:
              reviews++ === 0
                ? [
                    {
                      title: 'Docs',
                      description: '',
                      complexity: 'simple',
                      type: null,
                      dependsOn: [],
                      criteria: [],
                      checks: [],
                      files: [],
                      priority: 1,
                    },
                  ]
                : [],
          })
        }),
      ),
    )
    expect(turns(played)).toEqual(['T1/a1/iterate', 'backlog/review1', 'T002/a1/iterate', 'backlog/review2'])
    expect(played.state.backlog?.complete).toBe(true)
  })

  test('endless reviews are stopped', () => {
    const more = turn((work) =>
      work.purpose === 'review'
        ? iterated({
            new_tasks: [
              {
                title: 'More',
                description: '',
                complexity: 'simple',
                type: null,
                dependsOn: [],
                criteria: [],
                checks: [],
                files: [],
                priority: 1,
              },
            ],
          })
        : undefined,
    )
    const played = play(config(limits({ goalIterations: 2 })), withBacklog([item('T1')], more))
    expect(played.of('backlog.reviewed')).toHaveLength(2)
    expect(played.state).toMatchObject({ status: 'completed', backlog: { complete: false } })
  })

  test('a resume repeats a failed review as another start of the same turn', () => {
    const senseless = iterated({ new_tasks: [{ id: 'x', title: 'x', dependsOn: ['nothing'] }] })
    const played = play(
      config(),
      withBacklog(
        [item('T1')],
        turn(({ purpose }) => (purpose === 'review' ? senseless : undefined)),
      ),
    )
    expect(played.state).toMatchObject({ status: 'failed', starts: { 'backlog/review1': 1 } })
    expect(played.resume().state).toMatchObject({ status: 'failed', starts: { 'backlog/review1': 2 } })
  })

  test('a task that is added during the report is claimed like any other, and the report is written again', () => {
    const { events } = play(config({ review: false }), withBacklog([item('T1')]))
    const before = events.slice(
      0,
      events.findIndex((event) => event.type === 'work.started' && event.work.kind === 'finish') + 1,
    )
    const { status: _status, reason: _reason, ...words } = item('T002')
    const task: TaskSpec = { ...words, complexity: 'medium', checks: [], parent: null, depth: 0 }
    const added: Event = {
      type: 'task.added',
      seq: before.length + 1,
      at: before.at(-1)?.at ?? '',
      task,
      origin: 'command/1',
    }
    const played = play(config({ review: false }), withBacklog([]), { from: [...before, added] })
    expect(played.of('stage.entered').map(({ stage }) => stage)).toEqual(['backlog', 'report', 'backlog', 'report'])
    expect(played.of('source.looked').map(({ claimed }) => claimed)).toContain('T002')
    expect(played.of('work.started').filter(({ work }) => work.kind === 'finish')).toHaveLength(2)
    expect(played.state).toMatchObject({ status: 'completed', counts: { done: 2 } })
  })

  test('review: false ends without one', () => {
    expect(turns(play(config({ review: false }), withBacklog([item('T1')])))).toEqual(['T1/a1/iterate'])
  })

  test('a backlog that is marked as complete takes no turn', () => {
    const played = play(config(), withBacklog([item('T1', { status: 'done' })], undefined, { complete: true }))
    expect(played.state).toMatchObject({ status: 'completed', turns: 0 })
  })

  describe('a goal for a backlog in which everything is closed', () => {
    const complete = (answer?: World): World =>
      withBacklog([item('T1', { status: 'done' })], answer, { complete: true })
    const docs = {
      title: 'Docs',
      description: '',
      complexity: 'simple',
      type: null,
      dependsOn: [],
      criteria: [],
      checks: [],
      files: [],
      priority: 1,
    }

    test('a planner looks for missing tasks, regardless of what the backlog says', () => {
      let reviews = 0
      const planning = turn((work) =>
        work.purpose === 'review' ? iterated({ new_tasks: reviews++ === 0 ? [docs] : [] }) : undefined,
      )
      const played = play(config(), complete(planning), { goal: 'write docs' })
      expect(turns(played)).toEqual(['backlog/review1', 'T002/a1/iterate', 'backlog/review2'])
      expect(played.state).toMatchObject({ status: 'completed', backlog: { complete: true } })
    })

    test('when no task is missing, the run ends', () => {
      expect(turns(play(config(), complete(), { goal: 'write docs' }))).toEqual(['backlog/review1'])
    })

    test.each([
      ['without reviews', { review: false }],
      ['without rounds for it', limits({ goalIterations: 0 })],
    ])('%s it is refused in a line', (_name, changes) => {
      const played = play(config(changes), complete(), { goal: 'write docs' })
      expect(played.state).toMatchObject({
        status: 'failed',
        turns: 0,
        reason: expect.stringMatching(/^every task was closed already, .* add tasks for it/) as string,
      })
    })
  })
})

describe('D4: changes that another actor makes to the backlog during the run', () => {
  const changing =
    (change: (look: number) => Partial<SyncOutcome>): World =>
    (work) => {
      if (work.kind !== 'sync') return undefined
      const number = Number(work.id.slice('look/'.length))
      return looked(work, number === 0 ? { tasks: [item('T1'), item('T2', { priority: 2 })] } : change(number))
    }

  test.each<[name: string, change: Partial<SyncOutcome>, started: string[]]>([
    ['a new task is taken up', { tasks: [item('T3', { priority: 1 })] }, ['T1', 'T3', 'T2']],
    ['one that is marked as done is not begun', { tasks: [item('T2', { priority: 2, status: 'done' })] }, ['T1']],
    [
      'one that is cancelled is not begun',
      { tasks: [item('T2', { priority: 2, status: 'cancelled', reason: 'no' })] },
      ['T1'],
    ],
    ['one that is taken out is not begun', { removed: ['T2'] }, ['T1']],
    [
      'an edited one is done as it is now',
      { tasks: [item('T2', { priority: 2, title: 'Other words' })] },
      ['T1', 'T2'],
    ],
  ])('%s', (_name, change, expected) => {
    const played = play(
      config(),
      changing((look) => (look === 1 ? change : {})),
    )
    expect(order(played)).toEqual(expected)
    expect(played.state.status).toBe('completed')
  })

  test('the next turn reads an edit', () => {
    const played = play(
      config(),
      changing((look) =>
        look === 1 ? { tasks: [item('T2', { priority: 2, title: 'Other words', dependsOn: ['T1'] })] } : {},
      ),
    )
    expect(played.state.tasks['T2']).toMatchObject({ title: 'Other words', dependsOn: ['T1'] })
    expect(played.of('task.edited')).toMatchObject([{ edit: { title: 'Other words', dependsOn: ['T1'] } }])
  })

  test('a task that is reopened in the source is done again', () => {
    const played = play(
      config(),
      changing((look) => (look === 2 ? { tasks: [item('T1')] } : {})),
    )
    expect(order(played)).toEqual(['T1', 'T2', 'T1'])
  })

  test('a done task that is marked as blocked in the source is blocked', () => {
    const played = play(
      config(),
      changing((look) => (look === 2 ? { tasks: [item('T1', { status: 'blocked', reason: 'not good' })] } : {})),
    )
    expect(played.state).toMatchObject({ status: 'paused', tasks: { T1: { status: 'blocked', reason: 'not good' } } })
  })

  test('a task that is blocked in the source is left alone while others are done', () => {
    const played = play(
      config(),
      changing((look) => (look === 1 ? { tasks: [item('T1', { status: 'blocked', reason: 'not now' })] } : {})),
    )
    expect(order(played)).toEqual(['T2'])
    expect(played.state).toMatchObject({ status: 'paused', tasks: { T1: { status: 'blocked', reason: 'not now' } } })
  })

  test('a new text for a task that has progressed changes only the text', () => {
    const played = play(
      config(),
      changing((look) =>
        look === 2 ? { tasks: [item('T1', { title: 'New', status: 'doing' })], reworded: ['T1'] } : {},
      ),
    )
    expect(played.of('task.reopened')).toEqual([])
    expect(played.state.tasks['T1']).toMatchObject({ title: 'New', status: 'done' })
  })

  test('an answer opens no task that is blocked in its source', () => {
    const asks = iterated({
      status: 'blocked',
      questions: [{ text: 'Which?', options: [], default: 'this', blocks: [] }],
    })
    const played = play(
      config(),
      withBacklog([item('T1')], (work) => {
        if (work.kind === 'turn') return asks
        return work.kind === 'sync' && work.id !== 'look/0' && work.id !== 'look/1'
          ? looked(work, { claim: work.claim === null ? null : { task: work.claim, ok: false } })
          : undefined
      }),
      { maxEvents: 500 },
    )
    expect(played.of('task.reopened')).toMatchObject([{ why: 'answered' }])
    expect(played.state).toMatchObject({ status: 'paused', tasks: { T1: { reason: 'another actor has taken it' } } })
  })

  test('a task that another actor has taken is left to that actor', () => {
    const played = play(config(), (work) => {
      if (work.kind !== 'sync') return undefined
      return looked(
        work,
        work.id === 'look/0'
          ? { tasks: [item('T1'), item('T2')] }
          : { claim: work.claim === null ? null : { task: work.claim, ok: work.claim !== 'T1' } },
      )
    })
    expect(order(played)).toEqual(['T2'])
    expect(played.state).toMatchObject({
      status: 'paused',
      pause: { detail: 'T1 is blocked (external): another actor has taken it' },
    })
  })
})

describe('D3: an outage of the source', () => {
  const out = { kind: 'failure', code: 'ENVIRONMENT_SOURCE', message: 'bd: database is locked' } as const

  test('the run waits until it ends', () => {
    const played = play(
      config(),
      withBacklog([item('T1')], (work) => (work.kind === 'sync' && work.id === 'look/1' ? out : undefined)),
    )
    expect(played.of('work.started').map(({ work }) => work.id)).toContain('look/1.wait1')
    expect(played.state.status).toBe('completed')
  })

  test('a long outage pauses the run', () => {
    const played = play(
      config(),
      withBacklog([item('T1')], (work) => (work.kind === 'sync' && work.id !== 'look/0' ? out : undefined)),
    )
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'limit' } })
    expect(played.resume({}, withBacklog([item('T1')])).state.status).toBe('completed')
  })
})

test('D1: a file that cannot be written at the end pauses the run, and a resume writes it', () => {
  let isFull = true
  const world = withBacklog([item('T1')], (work) =>
    work.kind === 'finish' && isFull
      ? { kind: 'failure', code: 'ENVIRONMENT_IO', message: 'EFBIG', hint: 'Raise the limit' }
      : undefined,
  )
  const played = play(config({ review: false }), world)
  expect(played.state).toMatchObject({
    status: 'paused',
    pause: { kind: 'setup', detail: 'EFBIG', hint: 'Raise the limit, then: looper resume' },
  })
  isFull = false
  expect(played.resume().state).toMatchObject({ status: 'completed', turns: 1 })
})

test('the same backlog and the same agent give the same journal', () => {
  const run = () => play(config(), withBacklog([item('T3'), item('T1', { dependsOn: ['T3'] }), item('T2')])).events
  expect(run()).toEqual(run())
})
