import { describe, expect, test } from 'vitest'
import { config, item, order, polled, withBacklog } from '../../../test/kit/backlog-runs.ts'
import { iterated, play, type World } from '../../../test/kit/play.ts'
import type { SyncOutcome } from '../../model/work.ts'

describe('D4: changes that another actor makes to the backlog during the run', () => {
  const changing =
    (change: (poll: number) => Partial<SyncOutcome>): World =>
    (work) => {
      if (work.kind !== 'sync') return undefined
      const number = Number(work.id.slice('look/'.length))
      return polled(work, number === 0 ? { tasks: [item('T1'), item('T2', { priority: 2 })] } : change(number))
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
      changing((poll) => (poll === 1 ? change : {})),
    )
    expect(order(played)).toEqual(expected)
    expect(played.state.status).toBe('completed')
  })

  test('the next turn reads an edit', () => {
    const played = play(
      config(),
      changing((poll) =>
        poll === 1 ? { tasks: [item('T2', { priority: 2, title: 'Other words', dependsOn: ['T1'] })] } : {},
      ),
    )
    expect(played.state.tasks['T2']).toMatchObject({ title: 'Other words', dependsOn: ['T1'] })
    expect(played.of('task.edited')).toMatchObject([{ edit: { title: 'Other words', dependsOn: ['T1'] } }])
  })

  test('a task that is reopened in the source is done again', () => {
    const played = play(
      config(),
      changing((poll) => (poll === 2 ? { tasks: [item('T1')] } : {})),
    )
    expect(order(played)).toEqual(['T1', 'T2', 'T1'])
  })

  test('a done task that is marked as blocked in the source is blocked', () => {
    const played = play(
      config(),
      changing((poll) => (poll === 2 ? { tasks: [item('T1', { status: 'blocked', reason: 'not good' })] } : {})),
    )
    expect(played.state).toMatchObject({ status: 'paused', tasks: { T1: { status: 'blocked', reason: 'not good' } } })
  })

  test('a task that is blocked in the source is left alone while others are done', () => {
    const played = play(
      config(),
      changing((poll) => (poll === 1 ? { tasks: [item('T1', { status: 'blocked', reason: 'not now' })] } : {})),
    )
    expect(order(played)).toEqual(['T2'])
    expect(played.state).toMatchObject({ status: 'paused', tasks: { T1: { status: 'blocked', reason: 'not now' } } })
  })

  test('a new text for a task that has progressed changes only the text', () => {
    const played = play(
      config(),
      changing((poll) =>
        poll === 2 ? { tasks: [item('T1', { title: 'New', status: 'doing' })], reworded: ['T1'] } : {},
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
          ? polled(work, { claim: work.claim === null ? null : { task: work.claim, ok: false } })
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
      return polled(
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
