import { expect, test } from 'vitest'
import { config, first, ids, planned } from '../../../../test/kit/planned-runs.ts'
import { checkExit, limits, ok, play, seenIn, type World } from '../../../../test/kit/play.ts'
import { rollBack } from '../../state/undoing.ts'

test('F15: a crash between a revert and its landing does not revert twice', () => {
  const accepted = { id: 'T001', checks: ['node accept.js'] }
  const world: World = (work, state) => {
    if (work.kind === 'integrate' && work.step.kind === 'revert')
      return { kind: 'integrate', status: 'merged', commit: 'w', tree: 'w', onto: 'x' }
    const isRed =
      work.kind === 'check'
      && work.name === 'node accept.js'
      && work.id.startsWith('wave')
      && seenIn(work) !== 'w'
      && seenIn(work) !== first
    return isRed && !state.tasks['T002']?.falls ? checkExit(1) : undefined
  }
  const played = play(config({ parallel: 1 }), planned([accepted, { id: 'T002' }], world))
  const steps = played
    .of('work.started')
    .flatMap(({ work }) => (work.kind === 'integrate' && work.id.startsWith('wave') ? [work.id] : []))
  expect(steps).toEqual(['wave2/at2/revert', 'wave2/at2/land'])
  expect(played.of('task.undone')).toMatchObject([{ task: 'T002', reverts: 'commit of T002/a1/merge0' }])
  expect(played.state.landings).toContainEqual(
    expect.objectContaining({ revert: true, reverts: 'commit of T002/a1/merge0' }),
  )
})

test('F15: a revert does not fail because of a check that was red without it; a later break is rolled back', () => {
  const checks = [
    { name: 'late', run: 'x', when: 'wave' as const },
    { name: 'whole', run: 'y', when: 'wave' as const },
  ]
  const world: World = (work, state) => {
    if (work.kind === 'integrate' && work.step.kind === 'revert')
      return { kind: 'integrate', status: 'merged', commit: 'w', tree: 'w', onto: 'x' }
    if (work.kind !== 'check' || !work.id.startsWith('wave') || state.antiPatterns.length > 0) return undefined
    // T003 breaks the first check. Without T003 the second check is red, since T002.
    if (work.name === 'late') return checkExit(seenIn(work) === 'commit of T003/a1/merge0' ? 1 : 0)
    return checkExit(seenIn(work) === first || seenIn(work) === 'c0' ? 0 : 1)
  }
  const played = play(config({ parallel: 1, baseline: 'no-worse', checks }), planned(ids(3), world))
  expect(played.of('rolled.back')[0]).toMatchObject({ why: 'culprit', to: 'c0' })
})

test('F15: when two tasks break one check, landings before the first of them stay', () => {
  const checks = [{ name: 'whole', run: 'y', when: 'wave' as const }]
  const world: World = (work, state) => {
    if (work.kind === 'integrate' && work.step.kind === 'revert')
      return { kind: 'integrate', status: 'merged', commit: 'w', tree: 'w', onto: 'x' }
    if (work.kind !== 'check' || !work.id.startsWith('wave') || state.antiPatterns.length > 0) return undefined
    return checkExit(seenIn(work) === first || seenIn(work) === 'c0' ? 0 : 1)
  }
  const played = play(config({ parallel: 1, baseline: 'no-worse', checks }), planned(ids(4), world))
  expect(played.of('rolled.back')).toMatchObject([{ why: 'culprit', to: first, tasks: ['T002', 'T003', 'T004'] }])
  expect(played.state.status).toBe('completed')
})

test('F15: a culprit is rolled back, even when its wave is rejected in the meantime', () => {
  const meta = config({ workflow: 'meta', review: true, ...limits({ goalIterations: 0 }) })
  const accepted = { id: 'T001', checks: ['node accept.js'] }
  const played = play(
    meta,
    planned([accepted, { id: 'T002', dependsOn: ['T001'] }], (work, state) => {
      if (work.kind === 'integrate' && work.step.kind === 'revert')
        return { kind: 'integrate', status: 'conflict', onto: 'x', files: ['a'], tree: 'b' }
      if (work.kind === 'check' && work.name === 'node accept.js' && work.id.startsWith('wave2/'))
        return checkExit(seenIn(work) === first ? 0 : 1)
      if (work.kind !== 'turn' || work.purpose !== 'review-wave') return undefined
      const approved = state.wave !== 2
      return ok({
        score: 80,
        summary: '',
        issues: [],
        missing: [],
        feedback: '',
        verdicts: [{ task: 'T002', approved, feedback: 'no' }],
      })
    }),
  )
  expect(played.of('rolled.back')).toMatchObject([{ why: 'culprit', to: 'commit of T001/a1/merge0' }])
})

test('F15: no task is blamed for a check that is now red on a tree where it was green', () => {
  const checks = [
    { name: 'test', run: 'x' },
    { name: 'whole', run: 'y', when: 'wave' as const },
  ]
  const down: World = (work) =>
    work.kind === 'check' && work.name === 'whole' && !work.id.startsWith('baseline') ? checkExit(1) : undefined
  const played = play(config({ parallel: 1, baseline: 'no-worse', checks }), planned(ids(3), down))
  expect(played.of('task.undone').concat(played.of('rolled.back') as never)).toEqual([])
  expect(played.of('branch.audited')).toMatchObject([{ green: [], red: ['whole'] }])
  expect(played.state).toMatchObject({
    status: 'failed',
    reason: expect.stringContaining('whole failed') as string,
    checkpoints: [],
  })
  expect(played.of('task.started')).toHaveLength(3)
})

test('F15: a flaky check that stays red after a revert reverts no task', () => {
  const checks = [
    { name: 'test', run: 'x' },
    { name: 'shaky', run: 'y', when: 'wave' as const },
  ]
  const world: World = (work) => {
    if (work.kind === 'integrate' && work.step.kind === 'revert')
      return { kind: 'integrate', status: 'merged', commit: 'w', tree: 'w', onto: 'x' }
    if (work.kind !== 'check' || work.name !== 'shaky') return undefined
    return checkExit(work.id === 'baseline/2' || (work.id.startsWith('wave') && seenIn(work) !== 'c0') ? 1 : 0)
  }
  const played = play(
    config({ parallel: 1, baseline: 'no-worse', checkReruns: 1, checks, ...limits({ recoveries: 0 }) }),
    planned(ids(1), world),
  )
  expect(played.state.flaky).toHaveProperty('shaky')
  expect(played.of('task.undone')).toEqual([])
  expect(played.state).toMatchObject({
    status: 'paused',
    convergence: { health: 'REGRESSING' },
    pause: { kind: 'health' },
  })
})

const whole = [
  { name: 'test', run: 'x' },
  { name: 'whole', run: 'y', when: 'wave' as const },
]

test('F14: a check that proves flaky during bisecting finds no culprit; the current tree is checked again with more reruns', () => {
  const world: World = (work) => {
    if (work.kind !== 'check' || work.name !== 'whole' || !work.id.startsWith('wave')) return undefined
    if (seenIn(work) === 'c0') return checkExit(work.id.includes('.rerun') ? 0 : 1)
    return checkExit(work.id.endsWith('.rerun7') ? 0 : 1)
  }
  const played = play(
    config({ parallel: 1, baseline: 'no-worse', checkReruns: 2, checks: whole }),
    planned(ids(1), world),
  )
  expect(played.of('check.flaky')).toMatchObject([{ check: 'whole', elsewhere: true }])
  expect(played.of('task.undone')).toEqual([])
  expect(played.of('branch.audited')).toMatchObject([{ green: ['whole'] }])
  const begun = played.of('work.started').map(({ work }) => work.id)
  expect(begun.some((id) => id.startsWith('wave1/at1.1/'))).toBe(true)
  expect(new Set(begun).size).toBe(begun.length)
})

test('F15: a check that was red for an outside reason is rerun after a resume, and is unknown after a rollback', () => {
  let down = true
  const world: World = (work) =>
    work.kind === 'check' && work.name === 'whole' && !work.id.startsWith('baseline') && down ? checkExit(1) : undefined
  const played = play(config({ parallel: 1, baseline: 'no-worse', checks: whole }), planned(ids(2), world))
  expect(played.state).toMatchObject({ status: 'failed', convergence: { red: ['whole'] } })
  down = false
  played.resume()
  expect(played.of('branch.audited')).toMatchObject([{ red: ['whole'] }, { green: ['whole'] }])
  expect(played.state).toMatchObject({ status: 'completed', convergence: { red: [] } })
  const { state } = play(
    config({ parallel: 1, baseline: 'no-worse', checks: whole }),
    planned(ids(2), (work) =>
      work.kind === 'check' && work.name === 'whole' && !work.id.startsWith('baseline') ? checkExit(1) : undefined,
    ),
  )
  rollBack(state, {
    seq: 0,
    at: state.lastAt,
    type: 'rolled.back',
    from: 'x',
    to: 'c0',
    checkpoint: null,
    why: 'person',
    tasks: ['T001', 'T002'],
    landings: 0,
    kept: null,
    antiPattern: { id: 'A1', title: '', tried: '', evidence: '', why: '', tasks: [], files: [] },
  })
  expect(state.convergence).toMatchObject({ red: [], audited: 0 })
})
