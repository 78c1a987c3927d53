import { describe, expect, test } from 'vitest'
import { config, item, turn, turns, withBacklog } from '../../../test/kit/backlog-runs.ts'
import { iterated, limits, play, type World } from '../../../test/kit/play.ts'
import type { Event } from '../../model/event.ts'
import type { TaskSpec } from '../../model/task.ts'

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
    expect(played.of('source.polled').map(({ claimed }) => claimed)).toContain('T002')
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
