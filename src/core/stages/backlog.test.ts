import { describe, expect, test } from 'vitest'
import { config, item, order, turn, turns, withBacklog } from '../../../test/kit/backlog-runs.ts'
import { agentError, checkExit, iterated, limits, play, type World } from '../../../test/kit/play.ts'
import type { SourceTask } from '../../model/source.ts'
import { addMs } from '../../model/time.ts'
import type { TurnWork } from '../../model/work.ts'

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

test('the same backlog and the same agent give the same journal', () => {
  const run = () => play(config(), withBacklog([item('T3'), item('T1', { dependsOn: ['T3'] }), item('T2')])).events
  expect(run()).toEqual(run())
})
