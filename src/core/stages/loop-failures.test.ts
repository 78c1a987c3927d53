import { describe, expect, test } from 'vitest'
import { plateaus, run, saying, stage, turn, turns } from '../../../test/kit/loop-runs.ts'
import { agentError, checkExit, invalid, limits, ok, type Played, type World } from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'

describe('C6: failures', () => {
  test('a failed pass is repeated; three in a row end the run with position and reason', () => {
    const once = run(
      [stage({ kind: 'fixed-n' }, { runs: 2 })],
      turn((work) => (work.id.startsWith('loop1.2/') ? agentError('crash') : undefined)),
    )
    expect(turns(once)).toEqual(['loop1.1/iterate', 'loop1.2/iterate', 'loop1.2/iterate.retry', 'loop1.2.2/iterate'])
    expect(once.state.status).toBe('completed')
    const always = run(
      [stage({ kind: 'fixed-n' }, { runs: 25 })],
      turn((work) => (work.id.startsWith('loop1.5') ? agentError('crash') : undefined)),
    )
    expect(always.state.reason).toBe(
      '"auth" failed at iteration 5/25 of stage "polish" (last successful: 4): 3 passes in a row failed: crash: crash',
    )
    expect(always.resume({}, () => undefined).state).toMatchObject({ status: 'completed' })
    expect(always.of('iteration.finished').filter(({ status }) => status === 'done')).toHaveLength(25)
  })

  test('a resume continues the running pass, and each try of a pass has its own id', () => {
    let broken = true
    const world = turn(({ id }) => {
      if (id === 'loop1.1/iterate' || id === 'loop1.1/iterate.retry') return agentError('crash')
      return id === 'loop1.1.2/iterate' && broken ? agentError('auth') : undefined
    })
    const played = run([stage({ kind: 'fixed-n' }, { runs: 1 })], world)
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'auth' } })
    broken = false
    expect(played.resume().state.status).toBe('completed')
    expect(turns(played)).toEqual([
      'loop1.1/iterate',
      'loop1.1/iterate.retry',
      'loop1.1.2/iterate',
      'loop1.1.2/iterate',
    ])
  })

  test('a resume after three failures uses new ids', () => {
    const played = run(
      [stage({ kind: 'fixed-n' }, { runs: 1 })],
      turn(() => agentError('crash')),
    )
    const before = new Set(turns(played))
    played.resume()
    expect(
      turns(played)
        .slice(before.size)
        .filter((id) => before.has(id)),
    ).toEqual([])
  })

  test('a landed change stays when its judge fails', () => {
    const world = turn(({ id, role }) =>
      role === 'judge' ? (id.startsWith('loop1.1/') ? invalid('no') : ok({ stop: true, confidence: 1 })) : undefined,
    )
    const played = run([stage({ kind: 'judge', confidence: 0.5 })], world)
    expect(played.of('iteration.finished')).toMatchObject([
      { status: 'failed', base: 'commit of loop1.1/merge0' },
      { status: 'done', base: 'commit of loop1.1.2/merge0' },
    ])
    expect(played.of('work.started').find(({ work }) => work.id === 'loop1.1.2/inspect')).toMatchObject({
      work: { base: 'commit of loop1.1/merge0' },
    })
  })

  test('two blocked passes in a row pause the run with the reason', () => {
    const played = run([stage({ kind: 'fixed-n' })], saying({ status: 'blocked', blockers: ['no key'] }))
    expect(played.state).toMatchObject({
      status: 'paused',
      pause: { kind: 'blocked', detail: 'stage "polish" is blocked: no key' },
    })
  })

  test('a limit pauses the stage, and a resume continues there', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 4 })], undefined, limits({ turns: 2 }))
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'limit' } })
    expect(turns(played.resume({ turns: 10 }))).toEqual([
      'loop1.1/iterate',
      'loop1.2/iterate',
      'loop1.3/iterate',
      'loop1.4/iterate',
    ])
  })
})

describe('F13: the tamper guard inspects passes', () => {
  const found = { kind: 'test-skipped' as const, file: 'a.test.js', test: 'adds', detail: 'it.skip' }
  /** The first pass skips a test and the given pass restores it; the passes in between change nothing. */
  const skips = (fixedAt: number): World => {
    let pass = 0
    return (work) =>
      work.kind === 'inspect'
        ? {
            kind: 'inspect',
            tree: `t${++pass}`,
            files: [],
            fileCount: pass < fixedAt || pass === 1 ? 1 : 0,
            insertions: 1,
            deletions: 0,
            restored: false,
            tamper: pass < fixedAt ? [found] : [],
          }
        : undefined
  }
  const inPlace: RunConfig['workspace'] = { mode: 'in-place', setup: null, copy: [], commit: false }
  const bases = (played: Played) =>
    played.of('work.started').flatMap(({ work }) => (work.kind === 'inspect' ? [work.base] : []))

  test('a weakening is reported to the next pass, does not land, and keeps the stage open until it is undone', () => {
    const [agents, checkout] = [plateaus(true), skips(3)]
    const played = run([stage({ kind: 'plateau' })], (work, state) => agents(work, state) ?? checkout(work, state), {
      guard: 'block',
    })
    expect(played.of('finding.raised')).toMatchObject([
      { severity: 'BLOCKER', task: null, origin: 'loop1.1/inspect' },
      { origin: 'loop1.2/inspect' },
    ])
    expect(played.of('iteration.finished').map(({ failure }) => failure?.kind ?? null)).toEqual([
      'tamper',
      'tamper',
      null,
      null,
    ])
    expect(played.of('work.started').some(({ work }) => work.kind === 'integrate')).toBe(false)
    expect(played.state.status).toBe('completed')
  })

  test('a weakening that stays fails the stage with the reason when its passes are used', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 3 })], skips(99), { guard: 'block' })
    expect(played.state).toMatchObject({
      status: 'failed',
      reason: expect.stringContaining('after 3 passes: tests or checks were made weaker: a.test.js › adds'),
    })
  })

  test('in place each pass is compared with the last accepted state', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 4 })], skips(3), { guard: 'block', workspace: inPlace })
    expect(bases(played)).toEqual(['t0', 't0', 't0', 't3'])
  })

  test('in place, a red check stays red after a pass that changes nothing', () => {
    const played = run(
      [stage({ kind: 'fixed-n' }, { runs: 2 })],
      (work) => {
        if (work.kind === 'check') return checkExit(1)
        return work.kind === 'inspect'
          ? {
              kind: 'inspect',
              tree: 't1',
              files: [],
              fileCount: work.base === 't1' ? 0 : 1,
              insertions: 1,
              deletions: 0,
              restored: false,
            }
          : undefined
      },
      { workspace: inPlace },
    )
    expect(played.state.status).toBe('failed')
  })

  test('a stage or a goal can permit it; warn reports and continues', () => {
    const asked = run([stage({ kind: 'fixed-n' }, { runs: 1, prompt: 'Skip the slow tests.' })], skips(99), {
      guard: 'block',
    })
    expect(asked.state).toMatchObject({ status: 'completed', findings: [] })
    const warned = run([stage({ kind: 'fixed-n' }, { runs: 1, prompt: 'Never skip tests.' })], skips(99), {
      guard: 'warn',
    })
    expect(warned.state).toMatchObject({ status: 'completed', findings: [{ severity: 'WARNING' }] })
  })
})
