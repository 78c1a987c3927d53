import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  coded,
  limits,
  ok,
  plan,
  planOf,
  play,
  verdict,
  type World,
} from '../../test/kit/play.ts'
import { type TurnWork } from '../model/work.ts'
import { decide } from './decide.ts'
import { evolve } from './evolve.ts'

const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined
const startedTurns = (played: ReturnType<typeof play>): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))

describe('regressions found in review', () => {
  test('a task that a person adds before the plan is adopted replaces no planned task', () => {
    const asking = planOf([], {
      status: 'needs_clarification',
      questions: [{ text: 'which?', options: [], default: null, blocks: [] }],
    })
    const answers = [asking, plan('T001', ['T002', ['T001']])]
    const played = play(
      baseConfig(),
      turn((work) => (work.role === 'planner' ? answers.shift() : undefined)),
    )
    const spec = {
      title: 'mine',
      description: '',
      complexity: 'medium',
      type: null,
      dependsOn: [],
      criteria: [],
      checks: [],
      files: [],
      priority: 1000,
      parent: null,
      depth: 0,
    } as const
    played.record({
      type: 'task.added',
      task: { ...spec, id: 'T001', dependsOn: [], criteria: [], checks: [], files: [] },
      origin: 'command/1',
    })
    played.record({ type: 'question.answered', question: 'Q1', answer: 'this', by: 'person' })
    expect(played.resume().state.status).toBe('completed')
    expect(Object.values(played.state.tasks).map(({ id, title, dependsOn }) => [id, title, dependsOn])).toEqual([
      ['T001', 'mine', []],
      ['T003', 'T001', []],
      ['T002', 'T002', ['T003']],
    ])
  })

  test('an auth error lets the turns of other tasks end before the run pauses', () => {
    const world: World = turn((work) => {
      if (work.role === 'planner') return plan('a', 'b')
      return work.id === 'a/a1/implement' ? agentError('auth') : undefined
    })
    const played = play(baseConfig(), world)
    expect(played.of('work.lost').filter(({ id }) => id.startsWith('b/'))).toEqual([])
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'auth' } })
    expect(played.events.at(-1)?.type).toBe('run.paused')
    expect(
      played.resume(
        undefined,
        turn((work) => (work.role === 'planner' ? plan('a', 'b') : undefined)),
      ).state.status,
    ).toBe('completed')
  })

  test('a pause takes effect while the run waits', () => {
    const played = play(baseConfig(), (work, state) => {
      if (work.kind === 'wait' && !work.id.startsWith('limit/')) state.request = 'pause'
      return work.kind === 'turn' && work.id === 'plan/r0'
        ? agentError('usage_limit', '2026-01-01T05:00:00Z')
        : undefined
    })
    expect(played.state.status).toBe('paused')
  })

  test('one human answer does not allow unlimited questions', () => {
    let question = 0
    const played = play(
      baseConfig(limits({ goalIterations: 0 })),
      turn((work) =>
        work.role === 'coder' && work.task === 'T001'
          ? coded({
              status: 'needs_clarification',
              questions: [{ text: 'q', options: [], default: question++ === 0 ? null : 'x', blocks: [] }],
            })
          : undefined,
      ),
    )
    played.record({ type: 'question.answered', question: 'Q1', answer: 'that', by: 'person' })
    expect(played.resume().state.status).toBe('failed')
    expect(played.state.tasks['T001']?.attempts).toBeLessThanOrEqual(4)
  })

  test('a split child may not wait for its parent', () => {
    const bad = planOf([{ id: 'x', dependsOn: ['T001'] }, { id: 'y' }])
    const played = play(baseConfig(limits({ attempts: 1, fixCycles: 0, goalIterations: 0 })), (work) => {
      if (work.kind === 'check' && work.task === 'T001') return checkExit(1)
      return work.kind === 'turn' && work.id === 'T001/split1' ? bad : undefined
    })
    expect(startedTurns(played)).toContain('T001/split1.repair')
    expect(played.state.status).toBe('completed')
  })

  test('questions of the plan block their tasks, also after a renaming', () => {
    const asked = planOf([{ id: '../x' }, { id: 'b' }], {
      questions: [{ text: 'which?', options: [], default: null, blocks: ['../x'] }],
    })
    const played = play(
      baseConfig(),
      turn((work) => (work.role === 'planner' ? asked : undefined)),
    )
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'question' } })
    expect(played.state.tasks['T001']?.status).toBe('blocked')
  })

  test('an aborted run has ended, also when it had failed before', () => {
    const played = play(
      baseConfig(),
      turn((work) => (work.purpose === 'verify-goal' ? verdict(10) : undefined)),
    )
    played.record({ type: 'stop.requested', how: 'abort' })
    expect(decide(played.state).facts).toMatchObject([{ type: 'run.ended', status: 'aborted' }])
  })

  test('the reserve of running turns counts against the budget', () => {
    const costly: World = turn((work) => {
      if (work.role === 'planner') return plan('a', 'b', 'c', 'd')
      return work.role === 'coder'
        ? ok(
            { status: 'complete', summary: '', files: [], decisions: [], questions: [], newTasks: [] },
            { costUsd: 1, inputTokens: 0, outputTokens: 0 },
          )
        : undefined
    })
    const played = play(baseConfig({ review: false, parallel: 2, ...limits({ costUsd: 2 }) }), costly)
    expect(played.state.usage.costUsd).toBe(2)
    expect(played.state.status).toBe('paused')
  })

  test('checks run at most `checksParallel` at a time', () => {
    let most = 0
    play(baseConfig({ review: false, checksParallel: 2, race: { simple: 3 } }), (work, state) => {
      most = Math.max(most, Object.values(state.works).filter((entry) => entry.work.kind === 'check').length)
      return work.kind === 'turn' && work.role === 'planner' ? plan('a', 'b') : undefined
    })
    expect(most).toBe(2)
  })

  test('a task added while the goal is verified is built before the run ends', () => {
    const played = play(baseConfig(), (work, state) => {
      if (work.kind === 'turn' && work.purpose === 'verify-goal' && !state.tasks['T009']) {
        evolve(state, {
          seq: state.seq,
          at: state.lastAt,
          type: 'task.added',
          origin: 'command/9',
          task: {
            id: 'T009',
            title: 't',
            description: '',
            complexity: 'simple',
            type: null,
            dependsOn: [],
            criteria: [],
            checks: [],
            files: [],
            priority: 1,
            parent: null,
            depth: 0,
          },
        })
      }
      return undefined
    })
    expect(played.state).toMatchObject({ status: 'completed' })
    expect(played.state.tasks['T009']?.status).toBe('done')
  })

  test('a crashing agent causes no split', () => {
    const played = play(
      baseConfig(limits({ goalIterations: 0 })),
      turn((work) => (work.role === 'coder' && work.task === 'T001' ? agentError('crash') : undefined)),
    )
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed', attempts: 3, children: [] })
  })
})
