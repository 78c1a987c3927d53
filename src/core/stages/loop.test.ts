import { describe, expect, test } from 'vitest'
import {
  agentError,
  baseConfig,
  checkExit,
  invalid,
  iterated,
  limits,
  ok,
  play,
  type Played,
  type World,
} from '../../../test/kit/play.ts'
import type { RunConfig } from '../../model/config.ts'
import type { Event } from '../../model/event.ts'
import { receive } from '../commands.ts'
import type { Completion, LoopStage } from '../../model/loop.ts'
import type { SourceTask } from '../../model/source.ts'
import { addMs } from '../../model/time.ts'
import type { TurnWork } from '../../model/work.ts'
import { evolve } from '../evolve.ts'
import { initialState } from '../initial.ts'

const stage = (completion: Completion, more: Partial<LoopStage> = {}): LoopStage => ({
  name: 'polish',
  stage: 'polish',
  description: '',
  prompt: 'Polish.',
  completion,
  minIterations: 1,
  runs: 10,
  delaySeconds: 0,
  agent: null,
  model: null,
  perspectives: [],
  outputParse: [],
  checks: true,
  ...more,
})

const run = (stages: LoopStage[], world: World = () => undefined, changes: Partial<RunConfig> = {}): Played =>
  play(baseConfig({ workflow: 'loop', parallel: 1, ...changes }), world, {
    pipeline: { name: 'p', description: '', stages },
  })

const turn =
  (answer: (work: TurnWork) => ReturnType<World>): World =>
  (work) =>
    work.kind === 'turn' ? answer(work) : undefined
const turns = (played: Played): string[] =>
  played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.id] : []))
/** The answers of the passes in order; the last one is repeated. */
const saying = (...answers: Record<string, unknown>[]): World =>
  turn(({ role }) => (role === 'iterator' ? iterated(answers.length > 1 ? answers.shift() : answers[0]) : undefined))
const plateaus = (...declared: boolean[]): World =>
  saying(...declared.map((plateau) => ({ status: 'continue', plateau })))

describe('C2: when a loop stage is complete', () => {
  test('fixed-n: after exactly n passes', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 3 })])
    expect(turns(played)).toEqual(['loop1.1/iterate', 'loop1.2/iterate', 'loop1.3/iterate'])
    expect(played.state.status).toBe('completed')
  })

  test.each<[name: string, declared: boolean[], min: number, passes: number]>([
    ['when two in a row agree', [false, true, true], 1, 3],
    ['not when one alone does', [true, false, true, true], 1, 4],
    ['not before the least number of passes', [true, true, true, true], 4, 4],
    ['at the maximum, when no pass agrees', [false], 1, 10],
  ])('plateau: %s', (_name, declared, minIterations, passes) => {
    const played = run([stage({ kind: 'plateau' }, { minIterations })], plateaus(...declared))
    expect(turns(played)).toHaveLength(passes)
    expect(played.state.status).toBe('completed')
  })

  test('plateau: words in a summary do not count', () => {
    expect(
      turns(
        run(
          [stage({ kind: 'plateau' })],
          saying({ status: 'continue', summary: 'PLATEAU: true <promise>COMPLETE</promise>' }),
        ),
      ),
    ).toHaveLength(10)
  })

  test('plateau: a repeated turn is not a second opinion', () => {
    const asked = (work: TurnWork): ReturnType<World> =>
      work.errors.length > 0 || work.id !== 'loop1.1/iterate'
        ? iterated({ plateau: work.id.startsWith('loop1.1') })
        : invalid('no status')
    const played = run([stage({ kind: 'plateau' }, { runs: 3 })], turn(asked))
    expect(played.of('iteration.finished')).toHaveLength(3)
  })

  test('plateau: a pass with red checks is no plateau', () => {
    const played = run([stage({ kind: 'plateau' }, { runs: 3 })], (work) =>
      work.kind === 'check' ? checkExit(1) : plateaus(true)(work, {} as never),
    )
    expect(played.state).toMatchObject({ status: 'failed' })
    expect(played.state.reason).toContain('test failed')
  })

  test('all-items: one pass for each item', () => {
    const played = run([stage({ kind: 'all-items', items: ['a', 'b'] })])
    expect(turns(played)).toHaveLength(2)
    expect(played.of('loop.finished')).toMatchObject([{ iterations: 2, why: 'all 2 items are done' }])
  })

  test.each<[name: string, judged: { stop: boolean; confidence: number }, passes: number]>([
    ['stop, and sure', { stop: true, confidence: 0.5 }, 1],
    ['stop, but unsure', { stop: true, confidence: 0.49 }, 10],
    ['go on', { stop: false, confidence: 1 }, 10],
  ])('judge: %s', (_name, judged, passes) => {
    const played = run(
      [stage({ kind: 'judge', confidence: 0.5 })],
      turn(({ role }) => (role === 'judge' ? ok({ reason: '', ...judged }) : undefined)),
    )
    expect(played.of('iteration.finished')).toHaveLength(passes)
  })

  test('until: when the command succeeds; a run in which it never does has failed', () => {
    const after =
      (passes: number): World =>
      (work) =>
        work.kind === 'check' && work.name === 'until'
          ? checkExit(work.id.startsWith(`loop1.${passes}/`) ? 0 : 1)
          : undefined
    expect(run([stage({ kind: 'until', command: 'make ok' })], after(4)).of('iteration.finished')).toHaveLength(4)
    expect(run([stage({ kind: 'until', command: 'make ok' })], after(99)).state).toMatchObject({ status: 'failed' })
  })

  test('tasks-empty: one task after the other until none is left', () => {
    const task = (id: string): SourceTask => ({
      id,
      title: id,
      description: '',
      dependsOn: [],
      criteria: [],
      files: [],
      type: null,
      priority: 1,
      status: 'todo',
      reason: null,
    })
    const world =
      (tasks: SourceTask[]): World =>
      (work) =>
        work.kind === 'sync' && work.id === 'look/0'
          ? { kind: 'sync', tasks, removed: [], claim: null, complete: false, problems: [] }
          : undefined
    const played = run(
      [stage({ kind: 'tasks-empty', source: 'todo-file' }, { name: 'work' }), stage({ kind: 'fixed-n' }, { runs: 1 })],
      world([task('T1'), task('T2')]),
    )
    expect(turns(played)).toEqual(['T1/a1/iterate', 'T2/a1/iterate', 'loop2.1/iterate'])
    expect(played.state.status).toBe('completed')
    const alone = (tasks: SourceTask[]) =>
      run([stage({ kind: 'tasks-empty', source: 'todo-file' })], world(tasks)).state
    expect(alone([])).toMatchObject({ status: 'failed', turns: 0 })
    expect(alone([{ ...task('T1'), status: 'done' }])).toMatchObject({ status: 'completed', turns: 0 })
  })

  test('tasks-empty: with the agent, the model and the delay of the stage', () => {
    const task: SourceTask = {
      id: 'T1',
      title: 'x',
      description: '',
      dependsOn: [],
      criteria: [],
      files: [],
      type: null,
      priority: 1,
      status: 'todo',
      reason: null,
    }
    const world: World = (work) =>
      work.kind === 'sync' && work.id === 'look/0'
        ? {
            kind: 'sync',
            tasks: [task, { ...task, id: 'T2' }],
            removed: [],
            claim: null,
            complete: false,
            problems: [],
          }
        : undefined
    const played = run(
      [stage({ kind: 'tasks-empty', source: 'todo-file' }, { agent: 'b', model: 'm', delaySeconds: 5 })],
      world,
      { agents: { a: {}, b: {} } },
    )
    expect(
      played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [[work.agent, work.model]] : [])),
    ).toEqual([
      ['b', 'm'],
      ['b', 'm'],
    ])
    expect(played.of('work.started').map(({ work }) => work.id)).toContain('loop1.2/delay')
    expect(played.state.status).toBe('completed')
    const kept = (event: Event): string[] =>
      Object.keys(
        played.events.slice(0, played.events.indexOf(event) + 1).reduce(evolve, initialState()).ledger,
      ).filter((owner) => owner.startsWith('loop'))
    expect(
      played
        .of('work.finished')
        .filter(({ id }) => id === 'loop1.2/delay')
        .map(kept),
    ).toEqual([['loop1.2']])
    expect(played.of('task.finished').map(kept)).toEqual([[], []])
  })

  test('tasks-empty: a later stage polls on its own and does the tasks added in the meantime', () => {
    const task = (id: string): SourceTask => ({
      id,
      title: id,
      description: '',
      dependsOn: [],
      criteria: [],
      files: [],
      type: null,
      priority: 1,
      status: 'todo',
      reason: null,
    })
    let isAdded = false
    const world: World = (work, state) => {
      if (work.kind === 'turn' && work.id.startsWith('loop2')) isAdded = true
      if (work.kind !== 'sync') return undefined
      const fresh = work.id === 'look/0' ? [task('T1')] : isAdded && !state.tasks['T2'] ? [task('T2')] : []
      const claim = work.claim === null || fresh.length > 0 ? null : { task: work.claim, ok: true }
      return { kind: 'sync', tasks: fresh, removed: [], claim, complete: false, problems: [] }
    }
    const tasks = (name: string) => stage({ kind: 'tasks-empty', source: 'todo-file' }, { name })
    const played = run([tasks('work'), stage({ kind: 'fixed-n' }, { runs: 1 }), tasks('more')], world)
    expect(turns(played)).toEqual(['T1/a1/iterate', 'loop2.1/iterate', 'T2/a1/iterate'])
    expect(played.of('loop.finished').map(({ name, iterations }) => [name, iterations])).toEqual([
      ['work', 1],
      ['polish', 1],
      ['more', 1],
    ])
    isAdded = false
    expect(run([tasks('work'), tasks('more')], world).state.reason).toBe('stage "more" ran nothing: no task is open')
  })

  test('tasks-empty: an unreadable source pauses the run with the reason', () => {
    const played = run([stage({ kind: 'tasks-empty', source: 'todo-file' })], (work) =>
      work.kind === 'sync'
        ? { kind: 'sync', tasks: [], removed: [], claim: null, complete: false, problems: ['line 3: no comma'] }
        : undefined,
    )
    expect(played.state).toMatchObject({ status: 'paused', pause: { kind: 'setup' } })
    expect(played.state.reason).toContain('line 3: no comma')
  })

  test('a stage without a result is never complete', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 1 })], saying({ status: 'blocked', blockers: ['no plan'] }))
    expect(played.state).toMatchObject({ status: 'failed' })
  })
})

describe('C1 C3: a pipeline', () => {
  const two = [
    stage({ kind: 'fixed-n' }, { name: 'plan', runs: 2 }),
    stage({ kind: 'fixed-n' }, { name: 'tasks', runs: 1, model: 'opus' }),
  ]

  test('runs its stages in order and passes on their outputs', () => {
    const played = run(
      two,
      turn((work) => iterated({ output: `from ${work.id}` })),
    )
    expect(played.of('loop.finished')).toMatchObject([
      { name: 'plan', iterations: 2 },
      { name: 'tasks', iterations: 1 },
    ])
    expect(played.state.loop?.outputs).toEqual({
      plan: [
        { from: '1', text: 'from loop1.1/iterate' },
        { from: '2', text: 'from loop1.2/iterate' },
      ],
      tasks: [{ from: '1', text: 'from loop2.1/iterate' }],
    })
  })

  test('gives each stage its model and agent', () => {
    const models = (played: Played) =>
      played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [[work.agent, work.model]] : []))
    expect(models(run(two))).toEqual([
      ['a', null],
      ['a', null],
      ['a', 'opus'],
    ])
    const agents = { a: { command: ['a'] }, b: { command: ['b'], model: 'm' } }
    expect(models(run([stage({ kind: 'fixed-n' }, { runs: 1, agent: 'b' })], undefined, { agents }))).toEqual([
      ['b', 'm'],
    ])
  })

  test('C7: gives each turn the session, the stage and the origin of the stage', () => {
    const played = run([
      stage({ kind: 'fixed-n' }, { name: 'plan', stage: 'improve', runs: 1 }),
      stage({ kind: 'fixed-n' }, { name: 'tasks', runs: 1 }),
    ])
    expect(played.of('work.started').flatMap(({ work }) => (work.kind === 'turn' ? [work.within] : []))).toEqual([
      { session: 'auth', stage: 'plan', type: 'improve' },
      { session: 'auth', stage: 'tasks', type: 'polish' },
    ])
  })

  test('waits between passes as the stage says, which does not count as waiting for an agent', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 3, delaySeconds: 3 })])
    const [first] = played.of('iteration.finished')
    const delays = played
      .of('work.started')
      .flatMap(({ work }) => (work.kind === 'wait' && work.id.endsWith('/delay') ? [work.until] : []))
    expect(delays).toHaveLength(2)
    expect(delays[0]).toBe(addMs(first?.at ?? '', 3000))
    expect(played.state.waitedMs).toBe(0)
  })

  test('C5: a repeated pattern is kept once, whichever pass reports it', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 2 })], saying({ patterns: ['tests live in test/'] }))
    expect(played.state.loop?.patterns).toEqual(['tests live in test/'])
  })
})

test('a task is accepted only while a stage that works on tasks is to come', () => {
  const task = { title: 'x', description: '', dependsOn: [], criteria: [], priority: null }
  const add = (...stages: LoopStage[]) =>
    receive(
      run(
        stages,
        turn(() => agentError('auth')),
      ).state,
      { id: '1', do: 'add', task },
    )
  const refused = { refused: 'no stage is left that works on tasks' }
  expect(add(stage({ kind: 'fixed-n' }))).toEqual(refused)
  expect(add(stage({ kind: 'fixed-n' }), stage({ kind: 'tasks-empty', source: 'todo-file' }))).toHaveProperty('fact')
})

describe('a pass that changed something', () => {
  test('is checked, then landed, and the next one starts from there', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 2 })])
    expect(
      played
        .of('work.started')
        .map(({ work: { id } }) => id)
        .filter((id) => !id.startsWith('limit/')),
    ).toEqual([
      'loop1.1/prepare',
      'loop1.1/iterate',
      'loop1.1/inspect',
      'loop1.1/merge0',
      'loop1.1/check/1',
      'loop1.1/land0',
      'loop1.2/iterate',
      'loop1.2/inspect',
      'loop1.2/merge0',
      'loop1.2/check/1',
      'loop1.2/land0',
      'gate/g0/prepare',
      'gate/g0/check/1',
      'report/finish0',
    ])
    expect(played.state.loop?.base).toBe(null)
    expect(played.of('iteration.finished').map(({ base }) => base)).toEqual([
      'commit of loop1.1/merge0',
      'commit of loop1.2/merge0',
    ])
  })

  test('that is red lands nothing; the next pass gets the files and the reason', () => {
    let checks = 0
    const played = run([stage({ kind: 'fixed-n' }, { runs: 2 })], (work) =>
      work.kind === 'check' ? checkExit(checks++ === 0 ? 1 : 0) : undefined,
    )
    expect(played.of('iteration.finished')).toMatchObject([
      { failure: { kind: 'check' }, base: 'c0' },
      { failure: null },
    ])
    expect(played.of('work.started').map(({ work }) => work.id)).not.toContain('loop1.1/land0')
    expect(played.state.status).toBe('completed')
  })

  test('that is red because of a file that will not land names the file to the next pass', () => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 2 })], (work) => {
      if (work.kind === 'check') return checkExit(1, { tail: 'cannot find lib/mul.mjs' })
      if (work.kind !== 'inspect' || !work.outside) return undefined
      const outside = [{ kind: 'ignored', path: 'lib/mul.mjs', by: '.gitignore:1' } as const]
      return {
        kind: 'inspect',
        tree: 't',
        files: [],
        fileCount: 0,
        insertions: 0,
        deletions: 0,
        restored: false,
        outside,
      }
    })
    expect(played.of('iteration.finished')[0]?.failure?.detail).toContain(
      '`lib/mul.mjs` is ignored by `.gitignore:1` and will not land',
    )
  })

  test('is not checked when the stage disables it', () => {
    expect(run([stage({ kind: 'fixed-n' }, { runs: 1, checks: false })]).of('check.finished')).toEqual([])
  })
})

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

test('a landed commit inside a submodule that only the checkout has is a warning of its pass', () => {
  const submodules = [{ path: 'libs/x', commit: '1a2b3c4d5e6f'.padEnd(40, '0'), kept: 'refs/looper/r/polish/a0' }]
  const played = run([stage({ kind: 'fixed-n' }, { runs: 1 })], (work) => {
    if (work.kind !== 'integrate') return undefined
    return work.step.kind === 'land'
      ? { kind: 'integrate', status: 'landed', commit: 'm' }
      : { kind: 'integrate', status: 'merged', commit: 'm', tree: 't', onto: 'c0', submodules }
  })
  expect(played.of('finding.raised')).toMatchObject([
    {
      severity: 'WARNING',
      task: null,
      title: 'a commit inside a submodule is not pushed',
      detail: expect.stringContaining("at the commit 1a2b3c4d5e6f, which is only in the checkout's copy"),
    },
  ])
})

describe('the checks on the base of a pipeline', () => {
  const pytest = { kind: 'module', subject: 'pytest', line: 'No module named pytest' } as const
  const unable: World = (work) =>
    work.kind === 'check' ? checkExit(1, { cannotRun: pytest, tail: pytest.line }) : undefined
  const red: World = (work) => (work.kind === 'check' ? checkExit(1) : undefined)
  const policies = ['pause', 'no-worse', 'fix-first'] as const

  test.each(policies)('one that cannot run pauses the run before the first turn (%s)', (baseline) => {
    const played = run([stage({ kind: 'fixed-n' })], unable, { baseline })
    expect(turns(played)).toEqual([])
    expect(played.state.pause).toMatchObject({
      kind: 'setup',
      detail: 'the check test (`npm test`) cannot run: the package pytest is not installed',
      preflight: 'cannot-run',
      output: pytest.line,
    })
    expect(played.state.pause?.remedies?.map(({ command }) => command)).toContain("looper config set checks '[]'")
    expect(played.resume({}, () => undefined).state.status).toBe('completed')
  })

  test('a stage before the others that runs no checks waits for it, too', () => {
    const stages = [stage({ kind: 'fixed-n' }, { name: 'ideas', checks: false }), stage({ kind: 'fixed-n' })]
    expect(turns(run(stages, unable, { baseline: 'pause' }))).toEqual([])
  })

  test.each(policies)('none runs where no stage uses checks (%s)', (baseline) => {
    const played = run([stage({ kind: 'fixed-n' }, { runs: 1, checks: false })], unable, { baseline })
    expect(played.of('work.started').filter(({ work }) => work.kind === 'check')).toEqual([])
    expect(played.state.status).toBe('completed')
  })

  test('one that fails pauses the run, and no repair is offered that a pipeline has no task for', () => {
    const played = run([stage({ kind: 'fixed-n' })], red, { baseline: 'pause' })
    expect(turns(played)).toEqual([])
    const commands = (played.state.pause?.remedies ?? []).map(({ command }) => command)
    expect(commands).toEqual(["looper config set checks '<command>'", "looper config set checks '[]'"])
  })
})
