import { describe, expect, test } from 'vitest'
import { checkExit, limits, play, seenIn, type World } from '../../../../test/kit/play.ts'
import { config, ids, planned, together } from '../../../../test/kit/waves.ts'
import type { InspectOutcome, Outcome, Unresolved, Work } from '../../../model/work.ts'

/** The acceptance check of T001 is red whenever the culprit has landed and was not reverted. */
const breaks =
  (culprit: string, on = 'node accept.js'): World =>
  (work, state) => {
    if (work.kind !== 'check' || work.name !== on || !work.id.startsWith('wave')) return undefined
    const at = state.landings.findIndex(({ commit }) => commit === seenIn(work))
    const there = seenIn(work)?.startsWith('without') ? [] : state.landings.slice(0, at + 1)
    const has =
      there.findLast(({ task }) => task === culprit)?.revert === undefined && there.some(({ task }) => task === culprit)
    return has ? checkExit(1, { tail: 'T001 no longer holds' }) : undefined
  }
const accepted = { id: 'T001', checks: ['node accept.js'] }
const reverts: World = (work) =>
  work.kind === 'integrate' && work.step.kind === 'revert'
    ? { kind: 'integrate', status: 'merged', commit: `without ${work.task}`, tree: `without ${work.task}`, onto: 'tip' }
    : undefined
const inOneWave = config({ parallel: 4, ...limits({ attempts: 3 }) })

describe('F15: the culprit of a regression', () => {
  test('is found among eight landed tasks by bisecting, reverted, reopened with the evidence, and the run continues', () => {
    const list = [accepted, ...ids(8).slice(1)]
    const once = breaks('T006')
    const played = play(
      inOneWave,
      planned(
        list,
        together(reverts, (work, state) => (state.tasks['T006']?.falls ? undefined : once(work, state))),
      ),
    )
    const [undone] = played.of('task.undone')
    expect(undone).toMatchObject({ task: 'T006', why: 'culprit', revert: 'without T006' })
    expect(undone?.failure.detail).toContain('T001 no longer holds')
    const probes = played.of('work.started').filter(({ work }) => work.id.includes('/bisect'))
    expect(probes.length).toBeLessThanOrEqual(4)
    expect(played.state.status).toBe('completed')
    expect(played.state.tasks['T006']).toMatchObject({ status: 'done', attempts: 2 })
    expect(played.state.landings.map(({ task, revert }) => `${task}${revert ? ' taken back' : ''}`).slice(-2)).toEqual([
      'T006 taken back',
      'T006',
    ])
  })

  test('that cannot be reverted alone is rolled back with later landings', () => {
    const list = [accepted, ...ids(4).slice(1)]
    const stuck: World = (work) =>
      work.kind === 'integrate' && work.step.kind === 'revert'
        ? { kind: 'integrate', status: 'conflict', onto: 'x', files: ['a'], tree: 'both' }
        : undefined
    const once = breaks('T003')
    const played = play(
      inOneWave,
      planned(
        list,
        together(stuck, (work, state) => (state.antiPatterns.length > 0 ? undefined : once(work, state))),
      ),
    )
    expect(played.of('rolled.back')).toMatchObject([
      { why: 'culprit', to: expect.stringMatching(/T00[12]/), tasks: ['T003', 'T004'] },
    ])
    expect(played.state.antiPatterns).toMatchObject([
      { id: 'A1', tasks: ['T003'], evidence: expect.stringContaining('T003') },
    ])
    expect(played.state.status).toBe('completed')
    expect(played.state.landings.map(({ task }) => task).toSorted()).toEqual(['T001', 'T002', 'T003', 'T004'])
  })

  /** The acceptance check of T001 turns out to be flaky when T001 lands. */
  const flaky = (later: World) =>
    play(
      { ...inOneWave, checkReruns: 1 },
      planned(
        [accepted, { id: 'T002', dependsOn: ['T001'] }],
        together(reverts, (work, state) =>
          work.kind === 'check' && work.id === 'T001/a1/check0/2' ? checkExit(1) : later(work, state),
        ),
      ),
    )
  const audits = (work: Work): boolean =>
    work.kind === 'check' && work.name === 'node accept.js' && work.id.startsWith('wave')

  test('is not searched when a flaky check is red now and then', () => {
    const played = flaky((work) => (audits(work) && !work.id.endsWith('.rerun5') ? checkExit(1) : undefined))
    expect(played.state.flaky).toHaveProperty('node accept.js')
    expect(played.of('task.undone')).toEqual([])
    expect(played.state.status).toBe('completed')
  })

  test('is searched when a flaky check is never green again, so that broken work does not count as done', () => {
    const played = flaky((work, state) =>
      audits(work) && !state.tasks['T002']?.falls ? breaks('T002')(work, state) : undefined,
    )
    expect(played.of('work.started').filter(({ work }) => /^wave2\/at2\/\d\.rerun/.test(work.id))).toHaveLength(9)
    expect(played.of('task.undone')).toMatchObject([{ task: 'T002', why: 'culprit' }])
    expect(played.state.status).toBe('completed')
  })
})

describe('F15: the merge queue', () => {
  const conflicting =
    (times: number): World =>
    (work) =>
      work.kind === 'integrate' && work.task === 'T002' && times-- > 0
        ? {
            kind: 'integrate',
            status: 'conflict',
            onto: 'commit of T001/a1/merge0',
            files: ['a.ts'],
            tree: 'both',
            theirs: 'own',
          }
        : undefined
  const both = [
    { id: 'T001', checks: ['node one.js'] },
    { id: 'T002', checks: ['node two.js'] },
  ]

  test('a conflict causes a turn that sees both sides, and its result must pass the checks of both', () => {
    const played = play(config({ parallel: 2 }), planned(both, conflicting(1)))
    const turns = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'turn' && work.purpose === 'resolve-conflict' ? [work] : []))
    expect(turns).toMatchObject([{ id: 'T002/a1/fix1', role: 'coder', workspace: 'T002', tree: 'both' }])
    const checks = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'check' && work.id.startsWith('T002/a1/check1') ? [work.name] : []))
    expect(checks).toEqual(['test', 'node two.js', 'node one.js'])
    expect(played.state).toMatchObject({ status: 'completed', tasks: { T002: { attempts: 1 } } })
  })

  const left = (why: Unresolved['why']): InspectOutcome => ({
    kind: 'inspect',
    tree: 't',
    files: ['a.ts'],
    fileCount: 1,
    insertions: 1,
    deletions: 0,
    restored: false,
    unresolved: [{ file: 'a.ts', why }],
  })

  test.each([
    ['markers left', (work: Work) => (work.kind === 'inspect' && work.resolves ? left('markers') : undefined)],
    ['one side lost', (work: Work) => (work.kind === 'inspect' && work.resolves ? left('one-side') : undefined)],
    [
      'the other side broken',
      (work: Work) =>
        work.kind === 'check' && work.id.startsWith('T002/a1/check1') && work.name === 'node one.js'
          ? checkExit(1)
          : undefined,
    ],
  ] as [string, World][])('%s: the later task is done again on what has landed', (_name, world) => {
    const played = play(config({ parallel: 2 }), planned(both, together(conflicting(1), world)))
    expect(played.of('attempt.failed')).toMatchObject([{ task: 'T002', failure: { kind: 'conflict' }, next: 'retry' }])
    expect(played.state).toMatchObject({ status: 'completed', tasks: { T002: { attempts: 2 } } })
  })

  test('a fix after a conflict resolution must keep the conflict resolved', () => {
    const tampers: World = (work) =>
      work.id === 'T002/a1/inspect1'
        ? {
            ...left('markers'),
            unresolved: [],
            tamper: [{ kind: 'test-skipped', file: 'a.test.js', test: 'adds', detail: '' }],
          }
        : undefined
    const played = play(config({ parallel: 2, guard: 'block' }), planned(both, together(conflicting(1), tampers)))
    const looked = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'inspect' && work.workspace === 'T002' ? [work.resolves] : []))
    expect(looked).toEqual([undefined, { theirs: 'own', tree: 'both' }, { theirs: 'own', tree: 'both' }])
  })

  test('a conflict with only one side in the journal is merged again', () => {
    const nameless: World = (work, state) => {
      const outcome = conflicting(1)(work, state)
      return work.id === 'T002/a1/merge0' && outcome ? ({ ...outcome, theirs: undefined } as Outcome) : undefined
    }
    expect(play(config({ parallel: 2 }), planned(both, nameless)).of('attempt.failed')).toMatchObject([
      { task: 'T002', next: 'retry' },
    ])
  })

  test('tasks that declare overlapping files never run together; others do', () => {
    const list = [
      { id: 'T001', files: ['src/a.ts'] },
      { id: 'T002', files: ['src/'] },
      { id: 'T003', files: ['docs/x.md'] },
      { id: 'T004', files: ['src/*.ts'] },
    ]
    const seen: string[] = []
    play(
      config({ parallel: 4 }),
      planned(list, (_work, state) => {
        seen.push(state.active.join('+'))
        return undefined
      }),
    )
    expect(seen).toContain('T001+T003')
    expect(seen.filter((active) => (active.match(/T001|T002|T004/g) ?? []).length > 1)).toEqual([])
  })
})
