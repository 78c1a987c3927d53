import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  coded,
  limits,
  planOf,
  play,
  verdict,
  type World,
} from '../../../../test/kit/play.ts'
import type { RunConfig } from '../../../model/config.ts'
import type { Work } from '../../../model/work.ts'

const agents = { a: { command: ['a'] }, b: { command: ['b'] }, c: { command: ['c'] } }
const config = (changes: Partial<RunConfig> = {}): RunConfig =>
  baseConfig({ agents, race: { complex: 3 }, ...limits({ goalIterations: 0 }), ...changes })
const complex =
  (world: World = () => undefined, list: Record<string, unknown>[] = [{ id: 'T001', complexity: 'complex' }]): World =>
  (work, state) =>
    work.kind === 'turn' && work.role === 'planner' ? planOf(list) : world(work, state)
const nth = (work: Work): number => Number(/\/a(\d+)\//.exec(work.id)?.[1])
const sized =
  (sizes: number[]): World =>
  (work) =>
    work.kind === 'inspect'
      ? {
          kind: 'inspect',
          tree: `tree of ${work.id}`,
          files: ['a'],
          fileCount: 1,
          insertions: sizes[nth(work) - 1] ?? 1,
          deletions: 0,
          restored: false,
        }
      : undefined

describe('F16: a race', () => {
  test('runs several attempts at once, each by another agent in its own workspace; the smallest of equal ones lands', () => {
    const played = play(config(), complex(sized([30, 10, 20])))
    const coders = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'turn' && work.role === 'coder' ? [work] : []))
    expect(coders.map(({ agent, workspace }) => `${agent} ${workspace}`)).toEqual(['a T001', 'b T001~1', 'c T001~2'])
    expect(played.of('race.decided')).toMatchObject([{ task: 'T001', winner: 2, losers: [1, 3] }])
    const landed = played.of('work.started').flatMap(({ work }) => (work.kind === 'integrate' ? [work] : []))
    expect(landed).toMatchObject([{ id: 'T001/a2/merge0', workspace: 'T001~1' }, { id: 'T001/a2/land0' }])
    expect(played.state).toMatchObject({ status: 'completed', tasks: { T001: { status: 'done', attempts: 3 } } })
  })

  test('checks decide first: a red attempt loses, however small', () => {
    const played = play(
      config(),
      complex((work, state) =>
        work.kind === 'check' && nth(work) === 2 ? checkExit(1) : sized([30, 10, 20])(work, state),
      ),
    )
    expect(played.of('race.decided')).toMatchObject([{ winner: 3 }])
  })

  test('the verdict decides next', () => {
    const played = play(
      config(),
      complex((work, state) =>
        work.kind === 'turn' && work.purpose === 'verify-task'
          ? verdict(nth(work) === 1 ? 95 : 80)
          : sized([30, 10, 20])(work, state),
      ),
    )
    expect(played.of('race.decided')).toMatchObject([{ winner: 1 }])
  })

  test('all red: each racer fixes its own change, the first that can land wins, and the others are cancelled', () => {
    let reds = 3
    const played = play(
      config(),
      complex((work) => (work.kind === 'check' && work.id.includes('trial0') && reds-- > 0 ? checkExit(1) : undefined)),
    )
    expect(played.of('attempt.fixing').length).toBeGreaterThan(0)
    expect(played.of('race.decided')).toHaveLength(1)
    expect(played.state.status).toBe('completed')
  })

  test('a blocked or asking racer leaves the race', () => {
    const blocked = coded({ status: 'blocked', blocker: { kind: 'external', reason: 'no key' } })
    const asking = coded({
      status: 'needs_clarification',
      questions: [{ text: 'which?', options: [], default: null, blocks: [] }],
    })
    const played = play(
      config(),
      complex((work) =>
        work.kind === 'turn' && work.role === 'coder' && nth(work) < 3
          ? nth(work) === 1
            ? blocked
            : asking
          : undefined,
      ),
    )
    expect(played.state).toMatchObject({ status: 'completed', questions: [], tasks: { T001: { status: 'done' } } })
    expect(played.of('attempt.failed').map(({ next }) => next)).toEqual(['none', 'none'])
  })

  test('all fail: the ladder continues with the attempts that are left', () => {
    const played = play(
      config({ ...limits({ goalIterations: 0, fixCycles: 0, splitDepth: 0 }) }),
      complex((work) => (work.kind === 'check' ? checkExit(1) : undefined)),
    )
    expect(played.of('attempt.failed').map(({ next }) => next)).toEqual(['none', 'none', 'fail'])
    expect(played.state.tasks['T001']).toMatchObject({ status: 'failed', attempts: 3 })
  })

  test('takes slots, attempts and turns like any other work', () => {
    let most = 0
    const list = [
      { id: 'T001', complexity: 'complex' },
      { id: 'T002', complexity: 'complex' },
    ]
    play(
      config({ parallel: 2 }),
      complex((_work, state) => {
        most = Math.max(most, Object.values(state.works).filter(({ work }) => work.kind === 'turn').length)
        return undefined
      }, list),
    )
    expect(most).toBe(2)
    expect(play(config(limits({ turns: 4 })), complex()).state).toMatchObject({
      status: 'paused',
      pause: { kind: 'limit' },
    })
  })

  test('the race does not wait for a racer without quota, or one that has not started, when another can land', () => {
    const limited = complex((work) =>
      work.kind === 'turn' && work.role === 'coder' && nth(work) === 2
        ? agentError('usage_limit', '2026-03-01T23:00:00.000Z')
        : undefined,
    )
    const played = play(config(), limited)
    expect(played.of('race.decided')).toMatchObject([{ losers: expect.arrayContaining([2]) as number[] }])
    expect(played.state).toMatchObject({ status: 'completed', waitedMs: 0 })
    const alone = play(config({ review: false, ...limits({ turns: 2, goalIterations: 0 }) }), complex())
    expect(alone.state, alone.state.pause?.detail).toMatchObject({
      status: 'completed',
      turns: 2,
      tasks: { T001: { status: 'done' } },
    })
  })

  test('starts after a failure when configured so', () => {
    const played = play(
      config({ race: { retry: 2 } }),
      complex(
        (work) =>
          work.kind === 'turn' && work.role === 'tester' && nth(work) === 1
            ? undefined
            : work.kind === 'turn' && work.purpose === 'verify-task' && nth(work) === 1
              ? verdict(10)
              : undefined,
        [{ id: 'T001' }],
      ),
    )
    expect(played.of('task.started').map(({ attempt, racer = 0 }) => `${attempt} ${racer}`)).toEqual([
      '1 0',
      '2 0',
      '3 1',
    ])
    expect(played.state.status).toBe('completed')
  })

  test('continues after a restart at any point', () => {
    const world = complex(sized([30, 10, 20]))
    const { events } = play(config(), world)
    for (let cut = 1; cut < events.length; cut += 3) {
      expect(play(config(), world, { from: events.slice(0, cut) }).state).toMatchObject({
        status: 'completed',
        tasks: { T001: { status: 'done' } },
      })
    }
  })
})
