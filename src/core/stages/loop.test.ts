import { describe, expect, test } from 'vitest'
import { run, saying, stage, turn, turns } from '../../../test/kit/loop-runs.ts'
import { agentError, checkExit, iterated, type Played, type World } from '../../../test/kit/play.ts'
import type { LoopStage } from '../../model/loop.ts'
import { addMs } from '../../model/time.ts'
import { receive } from '../commands.ts'

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
    expect(commands).toEqual(["looper config set checks '<command>'", "looper config set checks '[]'", null])
  })
})
