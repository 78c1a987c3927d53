import { describe, expect, test } from 'vitest'
import { backlog, config } from '../../../../test/kit/in-place-runs.ts'
import { agentError, checkExit, coded, limits, play, type World } from '../../../../test/kit/play.ts'

describe('F13: changes that attempts left in place are compared with the state before them', () => {
  const guarded = config({
    guard: 'block',
    ...limits({ attempts: 2, splitDepth: 0, goalIterations: 0, fixCycles: 0 }),
    checks: [{ name: 'test', run: 'npm test' }],
  })
  /**
   * A checkout whose tree changes with each inspection. A test is skipped from the first inspection until the given
   * one.
   */
  const checkout = (fixedAt: number, count = 1): { world: World; put: (tree: string) => void } => {
    let [tree, inspected] = ['start', 0]
    const world = backlog(count, (work) => {
      if (work.kind === 'prepare') return { kind: 'prepare', base: 'c0', tree }
      if (work.kind !== 'inspect') return undefined
      tree = `left ${++inspected}`
      // The guard compares only these two trees.
      const isSeen = (work.accepted ?? work.base) === 'start' && inspected < fixedAt
      const tamper = isSeen
        ? [
            {
              kind: 'test-skipped' as const,
              file: 'a.test.js',
              test: 'adds',
              detail: 'it.skip',
              ...(work.accepted === undefined ? {} : { before: true as const }),
            },
          ]
        : []
      return { kind: 'inspect', tree, files: ['a'], fileCount: 1, insertions: 1, deletions: 0, restored: false, tamper }
    })
    return {
      world,
      put: (now) => {
        tree = now
      },
    }
  }
  const inspections = (played: ReturnType<typeof play>) =>
    played.of('work.started').flatMap(({ work }) => (work.kind === 'inspect' ? [work] : []))

  test('in the next attempt, and in the next task', () => {
    const played = play(guarded, checkout(99, 2).world)
    expect(inspections(played)).toMatchObject([
      { base: 'start' },
      ...['left 1', 'left 2', 'left 3'].map((base) => ({ base, accepted: 'start' })),
    ])
    // Each finding is listed once, although each task leaves it in two attempts.
    expect(played.of('finding.raised')).toHaveLength(2)
    expect(played.state.counts).toMatchObject({ failed: 2, done: 0 })
  })

  test('until it is fixed: then the accepted state is the new baseline', () => {
    const played = play(guarded, checkout(2, 2).world)
    expect(played.state.status).toBe('completed')
    expect(inspections(played).at(-1)).toMatchObject({ base: 'left 2' })
    expect(inspections(played).at(-1)).not.toHaveProperty('accepted')
  })

  test('a resume keeps the baseline; changes of a person are distinguished from it', () => {
    const same = checkout(99)
    const resumed = play(guarded, same.world).resume()
    expect(resumed.state.counts).toMatchObject({ failed: 1 })
    expect(inspections(resumed).at(-1)).not.toHaveProperty('edits')
    const changed = checkout(99)
    const played = play(guarded, changed.world)
    changed.put('by hand')
    const again = played.resume()
    expect(again.state.counts).toMatchObject({ failed: 1 })
    const edit = { from: 'left 2', to: 'by hand' }
    expect(inspections(again).slice(2)).toMatchObject([
      { base: 'by hand', accepted: 'start', edits: [edit] },
      { base: 'left 3', accepted: 'start', edits: [edit] },
    ])
    changed.put('by hand again')
    expect(inspections(again.resume()).at(-1)).toMatchObject({
      accepted: 'start',
      edits: [edit, { from: 'left 4', to: 'by hand again' }],
    })
  })

  describe('also while the attempt rests', () => {
    const looks = (played: ReturnType<typeof play>): string[] =>
      played
        .of('work.started')
        .flatMap(({ work }) => (work.kind === 'prepare' || work.kind === 'inspect' ? [work.id] : []))
    const edited = { base: 'start', edits: [{ from: 'by agent', to: 'by hand' }] }

    test('after an error of its agent', () => {
      const { world, put } = checkout(0)
      let fails = true
      const played = play(guarded, (work, state) => {
        if (work.kind !== 'turn' || !fails) return world(work, state)
        put('by agent')
        fails = false
        return agentError('auth')
      })
      expect(played.state.status).toBe('paused')
      put('by hand')
      expect(inspections(played.resume())).toMatchObject([edited])
      expect(looks(played)).toEqual([
        'T1/a1/prepare',
        'T1/a1/look1',
        'T1/a1/look2',
        'T1/a1/inspect0',
        'gate/g0/prepare',
      ])
      expect(played.state.status).toBe('completed')
    })

    /** The run is asked to pause or stop while its coder works; then a person edits the checkout. */
    const interrupted = (how: 'pause' | 'stop') => {
      const { world, put } = checkout(0)
      const { events } = play(guarded, world)
      const upTo = events.findIndex((event) => event.type === 'work.started' && event.work.kind === 'turn') + 1
      const last = events[upTo - 1]!
      put('by agent')
      const looked: World = (work, state) =>
        work.kind === 'inspect' && state.request === 'pause'
          ? {
              kind: 'inspect',
              tree: 'by agent',
              files: ['a'],
              fileCount: 1,
              insertions: 1,
              deletions: 0,
              restored: false,
              tamper: [],
            }
          : world(work, state)
      const played = play(guarded, looked, {
        from: [...events.slice(0, upTo), { type: 'stop.requested', how, seq: last.seq + 1, at: last.at }],
      })
      expect(played.state.status).toBe('paused')
      return { played, put }
    }

    test('before a pause after its turn: the files that the turn left are inspected first', () => {
      const { played, put } = interrupted('pause')
      expect(looks(played)).toEqual(['T1/a1/prepare', 'T1/a1/inspect0'])
      put('by hand')
      played.resume()
      expect(looks(played).slice(2)).toEqual(['T1/a1/look2', 'gate/g0/prepare'])
      expect(played.state).toMatchObject({ status: 'completed' })
    })

    test('a change during the turn of the agent is not accepted, because its author is unknown', () => {
      const { played, put } = interrupted('stop')
      put('by hand')
      expect(inspections(played.resume()).map((work) => [work.base, 'edits' in work])).toEqual([['start', false]])
      expect(looks(played)).toEqual(['T1/a1/prepare', 'T1/a1/look1', 'T1/a1/inspect0', 'gate/g0/prepare'])
    })
  })

  test('the baseline is dropped when the task is done', () => {
    const { world, put } = checkout(5, 2)
    const played = play(guarded, world)
    put('by hand')
    const again = played.resume()
    expect(again.state.status).toBe('completed')
    expect(inspections(again).map((work) => 'edits' in work)).toEqual([false, false, false, false, true, false])
  })

  test('a task that was permitted the change and failed permits it for later tasks', () => {
    const { world } = checkout(99, 2)
    const played = play(guarded, (work, state) => {
      if (work.kind === 'check' && work.task === 'T1') return checkExit(1)
      const said = world(work, state)
      return said?.kind === 'sync'
        ? {
            ...said,
            tasks: said.tasks.map((task) => (task.id === 'T1' ? { ...task, title: 'Skip the slow tests' } : task)),
          }
        : said
    })
    expect(played.state.tasks).toMatchObject({ T1: { status: 'failed' }, T2: { status: 'done' } })
    expect(played.of('finding.raised')).toEqual([])
  })

  describe('only this task has the permission', () => {
    const skip = (test: string, before?: true) => ({
      kind: 'test-skipped' as const,
      file: 'a.test.js',
      test,
      detail: 'it.skip',
      ...(before ? { before } : {}),
    })
    /** T1 may skip tests, does so and fails; `found` returns what the inspection reports for each attempt at T2. */
    const after = (found: (attempt: number) => ReturnType<typeof skip>[], isLooked = true) => {
      const { world } = checkout(0, 2)
      return play(guarded, (work, state) => {
        if (work.kind === 'turn' && work.task === 'T1' && !isLooked)
          return coded({ status: 'blocked', blocker: { kind: 'external', reason: 'no' } })
        if (work.kind === 'check' && work.task === 'T1') return checkExit(1)
        const said = world(work, state)
        if (said?.kind === 'sync')
          return {
            ...said,
            tasks: said.tasks.map((task) => (task.id === 'T1' ? { ...task, title: 'Skip the slow tests' } : task)),
          }
        if (said?.kind !== 'inspect') return said
        return {
          ...said,
          tamper: work.id.startsWith('T1/') ? [skip('slow')] : found(Number(/a(\d+)/.exec(work.id)?.[1])),
        }
      }).state.tasks['T2']?.status
    }

    test.each([
      ['what it left', () => [skip('slow', true)], 'done'],
      ['the same by another', () => [skip('slow')], 'failed'],
      ['more by another', () => [skip('slow', true), skip('quick')], 'failed'],
      [
        'more by another, which its next attempt finds',
        (attempt: number) => [skip('slow', true), skip('quick', attempt > 1 || undefined)],
        'failed',
      ],
    ] as const)('%s', (_, found, status) => expect(after(found)).toBe(status))

    test('also when the tree was not inspected after its turn', () =>
      expect(after(() => [skip('slow', true)], false)).toBe('done'))
  })
})
