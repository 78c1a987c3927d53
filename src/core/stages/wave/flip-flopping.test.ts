import { describe, expect, test } from 'vitest'
import { checkExit, limits, play, type World } from '../../../../test/kit/play.ts'
import { config, ids, planned, together, turningDownIn } from '../../../../test/kit/waves.ts'
import type { Event } from '../../../model/event.ts'

test('E7: a check that the goal asks to repair does not count as worse while it is as red as before', () => {
  const checks = [
    { name: 'test', run: 'npm test' },
    { name: 'whole', run: 'sh whole.sh', when: 'wave' as const },
  ]
  const world: World = (work) =>
    work.kind === 'check' && work.name === 'whole' ? checkExit(1, { fingerprint: 'old' }) : undefined
  const played = play(config({ checks, baseline: 'no-worse' }), planned(['T001'], world), {
    goal: 'make the whole green',
  })
  const [audited] = played.of('branch.audited')
  expect(audited).toMatchObject({ red: ['whole'] })
  expect(audited).not.toHaveProperty('worse')
})

describe('E7: flip-flopping by content', () => {
  /** What each task writes into a.js, on a base where it contains `x`. */
  const writing =
    (contents: Record<string, string>): World =>
    (work, { landings }) => {
      const task = work.id.split('/')[0] ?? ''
      if (work.kind !== 'inspect') return undefined
      const common = {
        kind: 'inspect',
        tree: `tree ${work.id}`,
        fileCount: 1,
        insertions: 1,
        deletions: 0,
        restored: false,
      } as const
      const content = contents[task]
      if (content === undefined)
        return { ...common, files: [`${task}.js`], hashes: { [`${task}.js`]: task }, was: [null] }
      return {
        ...common,
        files: ['a.js'],
        hashes: { 'a.js': content },
        was: [landings.findLast(({ files }) => files?.['a.js'])?.files?.['a.js'] ?? 'x'],
      }
    }
  const torn = (contents: Record<string, string>, down: Record<number, string[]>): World =>
    together(turningDownIn(down), writing(contents))
  const meta = config({ workflow: 'meta', review: true, ...limits({ goalIterations: 0 }) })
  const two = ['T001', { id: 'T002', dependsOn: ['T001'] }]
  const backAndForth = torn({ T001: 'y', T002: 'z' }, { 2: ['T001'], 3: ['T002'] })
  const evidence = (events: readonly Event[]) =>
    events.flatMap((event) => (event.type === 'health.changed' ? [`${event.health}: ${event.evidence}`] : []))[0]
  const asT001 = 'FLIP-FLOPPING: a.js is again as T001 left it in wave 1, and no more passes than then'
  const asBefore =
    'FLIP-FLOPPING: a.js is again as it was before T001 changed it in wave 1, and no more passes than then'

  test('a file returns to the content of an earlier task', () => {
    const played = play(meta, planned(two, backAndForth))
    expect(evidence(played.events)).toBe(asT001)
    expect(played.state.questions).toMatchObject([{ blocks: ['T001', 'T002'] }])
  })

  test('is found across a resume', () => {
    const world = planned(two, backAndForth)
    const first = play({ ...meta, limits: { ...meta.limits, iterations: 2 } }, world)
    expect(first.state).toMatchObject({ status: 'paused', wave: 2 })
    expect(evidence(first.resume({ iterations: 50 }).events)).toBe(asT001)
  })

  test('is found after many waves', () => {
    const fillers = Array.from({ length: 14 }, (_, at) => ({ id: `T1${at + 10}`, dependsOn: ['T001'] }))
    const list = ['T001', ...fillers, { id: 'T002', dependsOn: fillers.map(({ id }) => id) }]
    const played = play(meta, planned(list, torn({ T001: 'y', T002: 'z' }, { 16: ['T001'], 17: ['T002'] })))
    expect(evidence(played.events)).toBe(asT001)
  })

  test('a file returns to its content on the base', () => {
    const played = play(meta, planned(two, torn({ T001: 'y', T002: 'x' }, { 2: ['T001', 'T002'] })))
    expect(evidence(played.events)).toBe(asBefore)
    expect(
      played
        .of('task.finished')
        .slice(0, 2)
        .map(({ was }) => was),
    ).toEqual([{ 'a.js': 'x' }, undefined])
  })

  test('a file changes back and forth within one wave', () => {
    const list = ['T001', 'T003', { id: 'T002', dependsOn: ['T001'] }]
    const played = play(
      { ...meta, parallel: 2 },
      planned(list, torn({ T001: 'y', T002: 'x' }, { 1: ['T001', 'T002', 'T003'] })),
    )
    expect(played.of('wave.closed')[0]?.tasks).toEqual(['T001', 'T003', 'T002'])
    expect(evidence(played.events)).toBe(asBefore)
  })

  test.each([1, 2])(
    'does not count when each change belongs to a done task: a lock file or a version, with %i at a time',
    (parallel) => {
      const list = ids(4).map((id, at) => ({ id, dependsOn: ids(4).slice(0, at) }))
      const played = play(
        { ...meta, parallel },
        planned([...list, 'T005', 'T006'], torn({ T001: 'y', T002: 'x', T003: 'y', T004: 'x' }, { 2: ['T001'] })),
      )
      expect(played.state.status).toBe('completed')
      expect(evidence(played.events)).toBeUndefined()
    },
  )
})

test('E7: flip-flopping by content: attempts return to a state that failed before', () => {
  const trees = ['x', 'y', 'x', 'y', 'x']
  const world: World = (work, state) => {
    if (work.kind === 'inspect')
      return {
        kind: 'inspect',
        tree: trees[(state.tasks['T001']?.attempts ?? 1) - 1] ?? 'z',
        files: ['a'],
        fileCount: 1,
        insertions: 1,
        deletions: 0,
        restored: false,
      }
    return work.kind === 'check' ? checkExit(1, { fingerprint: `f${work.tree}` }) : undefined
  }
  const played = play(
    config(limits({ fixCycles: 0, attempts: 5, splitDepth: 0, goalIterations: 0 })),
    planned(['T001'], world),
  )
  expect(played.of('health.changed')[0]).toMatchObject({
    health: 'FLIP-FLOPPING',
    evidence: expect.stringContaining('return to what failed before'),
  })
  expect(played.state.questions).toMatchObject([{ blocks: ['T001'] }])
})
