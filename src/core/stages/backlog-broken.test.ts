import { describe, expect, test } from 'vitest'
import { config, item, polled, turns } from '../../../test/kit/backlog-runs.ts'
import { limits, planOf, play, type World } from '../../../test/kit/play.ts'
import type { Event } from '../../model/event.ts'
import type { SyncWork } from '../../model/work.ts'
import { decide } from '../decide.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'

describe('D2: a backlog that is missing or broken', () => {
  const tasks = (work: SyncWork) => (work.write === null ? {} : { tasks: work.write.tasks })

  test('is written by a planner when there is none', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync') return polled(work, tasks(work))
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
      if (work.kind === 'sync') return polled(work, tasks(work))
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
      if (work.kind === 'sync') return polled(work, work.id === 'look/0' ? { problems: ['x'], text } : tasks(work))
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf([{ id: 'A', allows: ['skip-tests', 'remove-tests'] }])
        : undefined
    })
    expect(played.of('task.added')[0]?.task.allows).toEqual(['skip-tests'])
  })

  test('a planner that sees the errors repairs it', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync')
        return polled(work, work.id === 'look/0' ? { problems: ['line 3: no comma'], text: '{' } : tasks(work))
      return work.kind === 'turn' && work.role === 'planner'
        ? planOf([{ id: 'A', title: 'First', status: 'done' }, { id: 'B' }])
        : undefined
    })
    expect(turns(played)).toEqual(['backlog/repair1', 'B/a1/iterate', 'backlog/review1'])
  })

  test('a source that was repaired by hand is polled again after a resume', () => {
    const played = play(config(limits({ planRevisions: 0 })), (work) =>
      work.kind === 'sync' ? polled(work, { problems: ['line 1'], text: '{' }) : undefined,
    )
    expect(played.state.status).toBe('failed')
    const again = played.resume({}, (work) =>
      work.kind === 'sync' ? polled(work, work.id === 'look/1' ? { tasks: [item('T1')] } : {}) : undefined,
    )
    expect(again.state).toMatchObject({ status: 'completed', counts: { done: 1 } })
  })

  test('a planner that loses tasks of a broken one is asked again', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'sync')
        return polled(
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
      work.kind === 'sync' ? polled(work, { problems: ['the id "a/b" cannot be used'] }) : undefined,
    )
    expect(played.state).toMatchObject({ status: 'paused', turns: 0, pause: { kind: 'setup' } })
    expect(played.state.pause?.hint).toBe('Fix to-do.json, then: looper resume')
  })

  test('that breaks before the end is written to it: the pause names the file', () => {
    const played = play(config(), (work) => {
      if (work.kind === 'finish') return { kind: 'failure', code: 'CONFIG_BACKLOG', message: 'to-do.json: line 1' }
      return work.kind === 'sync' ? polled(work, work.id === 'look/0' ? { tasks: [item('T1')] } : {}) : undefined
    })
    expect(played.state).toMatchObject({
      status: 'paused',
      pause: {
        detail: 'the backlog cannot be read, so it was left alone: to-do.json: line 1',
        hint: 'Fix to-do.json, then: looper resume',
      },
    })
  })

  test('that stays broken ends the run after the maximum of tries', () => {
    const played = play(config(limits({ planRevisions: 2 })), (work) => {
      if (work.kind === 'sync') return polled(work, { problems: ['still wrong'], text: '{' })
      return work.kind === 'turn' ? planOf([{ id: 'A' }]) : undefined
    })
    expect(turns(played)).toEqual(['backlog/repair1', 'backlog/repair2'])
    expect(played.state).toMatchObject({ status: 'failed', reason: 'the backlog is still broken: still wrong' })
  })

  test('an empty source is polled again by a resume', () => {
    let isFilled = false
    const world: World = (work, { tasks: known }) =>
      work.kind === 'sync' ? polled(work, isFilled && !known['T1'] ? { tasks: [item('T1')] } : {}) : undefined
    const played = play(config(limits({ planRevisions: 0 })), world)
    expect(played.state.status).toBe('failed')
    isFilled = true
    expect(played.resume().state).toMatchObject({ status: 'completed', tasks: { T1: { status: 'done' } } })
  })

  test('a source that is being written is not given up', () => {
    const { events } = play(config(limits({ planRevisions: 1 })), (work) => {
      if (work.kind === 'sync') return polled(work, work.id === 'look/0' ? {} : tasks(work))
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
      return polled(work, work.id === 'look/0' ? { tasks: [item('T1')] } : { problems: ['line 1'] })
    })
    expect(played.state.tasks['T1']?.status).toBe('done')
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'setup' } })
  })
})
