/**
 * Rollbacks while work is under way: which work is cancelled, what is known afterwards, and which targets are refused.
 */
import { expect, test } from 'vitest'
import { config, first, ids, planned } from '../../../../test/kit/planned-runs.ts'
import { checkExit, limits, play, seenIn, verdict, type World } from '../../../../test/kit/play.ts'
import type { Outcome } from '../../../model/work.ts'
import { receive } from '../../commands.ts'
import { concluded } from '../../policies/audit.ts'
import { excuseFor } from '../../policies/baseline.ts'
import { callOff } from '../../state/leave-workspaces.ts'
import { undo } from '../../state/undoing.ts'
import { rolledBack } from './next-step.ts'

test('E8: an attempt that a rollback cancels costs nothing, and its id is not reused', () => {
  const race = { complex: 2 }
  const tasks = [{ id: 'T001' }, { id: 'T002', complexity: 'complex', dependsOn: ['T001'] }]
  const played = play(config({ race, ...limits({ turns: 2, attempts: 2 }) }), planned(tasks))
  expect(played.state.tasks['T002']).toMatchObject({ status: 'doing', attemptsLeft: 0, racers: [{ n: 2 }] })
  const { wave } = played.state
  played.record({ type: 'rollback.requested', to: 'c0', checkpoint: null }).resume({ turns: null })
  expect(played.of('rolled.back')).toMatchObject([{ tasks: ['T001'] }])
  expect(played.state).toMatchObject({ status: 'completed', tasks: { T002: { status: 'done' } } })
  const attempts = played.of('task.started').flatMap(({ task, attempt }) => (task === 'T002' ? [attempt] : []))
  expect(attempts).toEqual([1, 2, 3, 4])
  expect(played.state.wave).toBeGreaterThan(wave)
})

test('E8: no rollback goes to a commit that contains a reverted change', () => {
  const { state } = play(config(limits({ turns: 3 })), planned(ids(4)))
  const [first, second] = state.landings
  if (!first || !second) throw new Error('two should have landed')
  state.landings = [
    { ...first, commit: 'aaaaaaa1' },
    { ...second, commit: 'aaaaaaa2' },
    { ...first, commit: 'aaaaaaa3', revert: true },
  ]
  state.checkpoints = [{ id: 'C1', commit: 'aaaaaaa2', wave: 1, landings: 2, passing: [], ref: '' }]
  const ask = (to: string | null) => receive(state, { id: 'x', do: 'rollback', to })
  expect(ask('C1')).toEqual({ refused: expect.stringContaining('T001') })
  expect(ask('aaaaaaa1')).toEqual({ refused: expect.stringContaining('T001') })
  expect(ask(null)).toEqual({ fact: { type: 'rollback.requested', to: 'c0', checkpoint: null } })
})

test('E8: passes of a pipeline build on each other and cannot be rolled back', () => {
  const { state } = play(config(limits({ turns: 3 })), planned(ids(4)))
  state.pipeline = {
    name: 'p',
    description: '',
    stages: [
      {
        name: 's',
        stage: 's',
        description: '',
        prompt: '',
        completion: { kind: 'fixed-n' },
        minIterations: 0,
        runs: 1,
        delaySeconds: 0,
        agent: null,
        model: null,
        perspectives: [],
        outputParse: [],
        checks: true,
      },
    ],
  }
  expect(receive(state, { id: 'x', do: 'rollback', to: 'base' })).toEqual({
    refused: expect.stringContaining('pipeline'),
  })
})

test('E8: after a rollback a check counts as green only on trees where it was seen green', () => {
  const checks = [
    { name: 'test', run: 'npm test' },
    { name: 'slow', run: 'npm run slow' },
  ]
  const redAtFirst: World = (work) =>
    work.id.startsWith('baseline/') && work.kind === 'check' && work.name === 'slow' ? checkExit(1) : undefined
  const played = play(
    config({ parallel: 1, baseline: 'no-worse', checks, ...limits({ turns: 3 }) }),
    planned(ids(4), redAtFirst),
  )
  expect(played.state.convergence.proofs).toMatchObject({ test: 2, slow: 2 })
  played.record({ type: 'rollback.requested', to: 'c0', checkpoint: null }).resume({ turns: 3 })
  expect(played.state.convergence.proofs).toEqual({ test: 0 })
})

test('A5: a wave whose review failed is reviewed in a new workspace after a resume', () => {
  const meta = config({ workflow: 'meta', review: true, ...limits({ goalIterations: 0 }) })
  let fails = 2
  const played = play(
    meta,
    planned(ids(1), (work) => {
      if (work.kind !== 'turn' || work.role !== 'supervisor') return undefined
      return work.purpose === 'review-wave' && fails-- > 0
        ? ({ ...verdict(90), status: 'error', error: { kind: 'crash', message: 'x', resetsAt: null } } as never)
        : verdict(90)
    }),
  )
  expect(played.state.status).toBe('failed')
  expect(played.state.starts['wave1/review']).toBe(1)
  played.resume()
  expect(played.state.status).toBe('completed')
  expect(played.of('work.started').filter(({ work }) => work.id === 'wave1/review')).toHaveLength(2)
})

test('a run without a gate is not completed while a configured check is red', () => {
  const { state } = play(config({ parallel: 1 }), planned(ids(1)))
  expect(concluded(state)).toEqual({ status: 'completed', reason: null })
  state.convergence.red = ['whole']
  expect(concluded(state)).toEqual({ status: 'failed', reason: 'the final checks are red: whole' })
})

test('F14: a flaky check blames no task, even when it was proposed for the task', () => {
  const { state } = play(config(), planned(ids(1)))
  const own = {
    name: 'node accept.js',
    run: { argv: ['node', 'accept.js'] },
    timeoutMs: 1,
    proposed: true,
    hidden: false,
  }
  const red = checkExit(1)
  expect(excuseFor(state, null, own, red)).toBeNull()
  state.flaky['node accept.js'] = { check: 'node accept.js', runs: 2, passed: 1, task: 'T001' }
  expect(excuseFor(state, null, own, red)).toBe('flaky')
})

test('E8: a second rollback waits until the first has ended, because each has its own outcome', () => {
  const { state } = play(config(limits({ turns: 3 })), planned(ids(4)))
  const ask = () => receive(state, { id: 'x', do: 'rollback', to: 'base' })
  expect(ask()).toHaveProperty('fact')
  const id = `wave${state.wave}/rollback1`
  state.works[id] = { work: { kind: 'rollback', id, from: 'x', to: 'y' }, at: state.lastAt, starts: 1 }
  expect(ask()).toEqual({ refused: expect.stringContaining('already') })
  delete state.works[id]
  const comesTo = (status: 'done' | 'moved'): void => {
    state.ledger[`wave${state.wave}`] = {
      [id]: { outcome: { kind: 'rollback', status, kept: null }, at: state.lastAt },
    }
  }
  comesTo('done')
  expect(ask()).toEqual({ refused: expect.stringContaining('already') })
  comesTo('moved')
  expect(ask()).toHaveProperty('fact')
})

test('E8: a withdrawn rollback leaves the next work unchanged', () => {
  const played = play(config(limits({ turns: 3 })), planned(ids(4)))
  const before = { do: 'escalate', from: 'REGRESSING', evidence: 'x', broken: 1 } as const
  played.state.convergence.next = before
  played.record({ type: 'rollback.requested', to: 'c0', checkpoint: null })
  expect(played.state.convergence.next).toMatchObject({ do: 'roll-back', to: 'c0' })
  played.record({ type: 'rollback.withdrawn', why: 'x', next: before })
  expect(played.state.convergence.next).toEqual(before)
})

test('E8: a rollback that is requested while a revert lands waits until the landing is recorded', () => {
  const accepted = { id: 'T001', checks: ['node accept.js'] }
  const world: World = (work, state) => {
    if (work.kind === 'integrate' && work.step.kind === 'revert')
      return { kind: 'integrate', status: 'merged', commit: 'w', tree: 'w', onto: 'x' }
    if (work.id === 'wave2/at2/land')
      state.convergence.next = { do: 'roll-back', why: 'person', evidence: '', to: 'c0', checkpoint: null, tasks: [] }
    const isRed =
      work.kind === 'check'
      && work.name === 'node accept.js'
      && work.id.startsWith('wave')
      && seenIn(work) !== 'w'
      && seenIn(work) !== first
    return isRed && !state.tasks['T002']?.falls ? checkExit(1) : undefined
  }
  const played = play(config({ parallel: 1 }), planned([accepted, { id: 'T002' }], world))
  const told = played.events.map(({ type }) => type)
  expect(told.indexOf('task.undone')).toBeGreaterThan(0)
  expect(told.indexOf('rolled.back')).toBeGreaterThan(told.indexOf('task.undone'))
  expect(played.of('rolled.back')).toMatchObject([{ why: 'person', from: 'w', landings: 0 }])
})

test('F14: a check that is flaky in an audit stays flaky', () => {
  const checks = [
    { name: 'test', run: 'x' },
    { name: 'shaky', run: 'y', when: 'wave' as const },
  ]
  const world: World = (work) =>
    work.kind === 'check' && work.name === 'shaky' && (/^wave[^.]*$/.test(work.id) || work.id.startsWith('gate'))
      ? checkExit(1)
      : undefined
  const played = play(config({ parallel: 1, checkReruns: 1, baseline: 'off', checks }), planned(ids(1), world))
  expect(played.of('check.flaky')).toMatchObject([{ check: 'shaky', runs: 2, passed: 1 }])
  expect(played.of('branch.audited')).toMatchObject([{ green: ['shaky'] }])
  expect(played.state).toMatchObject({ status: 'completed', flaky: { shaky: { task: null } } })
})

test('E8: a commit without an audit is no checkpoint, and a checkpoint names no held-out check', () => {
  const checks = [
    { name: 'test', run: 'x' },
    { name: 'secret', run: 'z', hidden: true },
    { name: 'whole', run: 'y', when: 'wave' as const },
  ]
  const chain = ids(3).map((task, at) => ({ ...task, dependsOn: at === 0 ? [] : [`T00${at}`] }))
  const played = play(config({ parallel: 1, checks }), planned(chain))
  expect(played.of('checkpoint.made')).toMatchObject([
    { checkpoint: { id: 'C1', landings: 3, passing: expect.arrayContaining(['whole', 'secret']) as string[] } },
  ])
  const made = played.of('work.started').flatMap(({ work }) => (work.kind === 'checkpoint' ? [work.passing] : []))
  expect(made.flat()).toContain('whole')
  expect(made.flat()).not.toContain('secret')
})

test('E7: a reverted task causes a question, and the rest stays', () => {
  const checks = [
    { name: 'test', run: 'x' },
    { name: 'whole', run: 'y', when: 'wave' as const },
  ]
  let reverts = 0
  const world: World = (work) => {
    if (work.kind === 'integrate' && work.step.kind === 'revert')
      return { kind: 'integrate', status: 'merged', commit: `w${++reverts}`, tree: `w${reverts}`, onto: 'x' }
    return work.kind === 'check' && work.name === 'whole' && seenIn(work)?.includes('T002') ? checkExit(1) : undefined
  }
  const played = play(
    config({ parallel: 1, checks, baseline: 'no-worse', ...limits({ attempts: 9 }) }),
    planned([{ id: 'T001' }, { id: 'T002', dependsOn: ['T001'] }], world),
  )
  expect(played.of('task.undone')).toMatchObject([{ task: 'T002' }, { task: 'T002' }])
  expect(played.of('rolled.back')).toEqual([])
  expect(played.of('question.asked')).toMatchObject([{ question: { blocks: ['T002'] } }])
  expect(played.state).toMatchObject({
    status: 'paused',
    tasks: { T001: { status: 'done' }, T002: { status: 'blocked' } },
  })
})

test('E7: attempts without a result do not count as a return to a failed state', () => {
  const none = {
    kind: 'inspect',
    tree: 't0',
    files: [],
    fileCount: 0,
    insertions: 0,
    deletions: 0,
    restored: false,
  } satisfies Outcome
  const world: World = (work) => {
    const n = Number(/\/a(\d+)\//.exec(work.id)?.[1] ?? 0)
    if (work.kind === 'inspect') return n % 2 === 1 && n < 5 ? none : undefined
    return work.kind === 'check' && n === 2 ? checkExit(1) : undefined
  }
  const played = play(
    config({ parallel: 1, ...limits({ attempts: 9, fixCycles: 0, splitDepth: 0 }) }),
    planned(ids(1), world),
  )
  expect(
    played
      .of('attempt.failed')
      .map(({ failure }) => failure.kind)
      .slice(0, 3),
  ).toEqual(['no-change', 'check', 'no-change'])
  expect(played.of('health.changed').map(({ health }) => health)).not.toContain('FLIP-FLOPPING')
})

test('E8: an undone task has no evidence any more, and the time of other tasks is not counted for it', () => {
  const { state } = play(config({ parallel: 1 }), planned(ids(2)))
  const task = state.tasks['T001']
  if (!task) throw new Error('T001 should be there')
  Object.assign(task, { proof: 'proved', begunMs: 5, attempt: null })
  undo(state, task)
  expect(task).not.toHaveProperty('proof')
  Object.assign(state, { elapsedMs: 1_000, activeSince: null })
  Object.assign(task, { status: 'doing', begunMs: 400, tookMs: 100, attempt: { n: 1, round: 0 } })
  callOff(state, 'T001')
  expect(task).toMatchObject({ tookMs: 700 })
  expect(task).not.toHaveProperty('begunMs')
})

test('E8: a rollback of changes whose tasks are no longer done still names these tasks', () => {
  const { state } = play(config({ parallel: 1 }), planned(ids(2)))
  for (const task of Object.values(state.tasks)) undo(state, task)
  const [back] = rolledBack(
    state,
    { do: 'roll-back', why: 'person', evidence: '', to: state.base.commit, checkpoint: null, tasks: [] },
    { from: 'x', kept: null },
  )
  expect(back).toMatchObject({ type: 'rolled.back', tasks: [], antiPattern: { tasks: ['T001', 'T002'] } })
})
