import { describe, expect, test } from 'vitest'
import { LooperError } from '../../../api/error.ts'
import { call, terminal } from '../../../../test/kit/cli.ts'
import { sampleState } from '../../../../test/kit/state.ts'
import { stoppedRun } from '../../../../test/kit/runs.ts'

describe('orders to a run', () => {
  const add = { description: '', dependsOn: [], criteria: [], priority: null }
  test.each([
    [['stop'], null, { do: 'stop' }],
    [['pause', '001'], '001', { do: 'pause' }],
    [['abort', '001'], '001', { do: 'abort' }],
    [
      ['limit', '001', '--cost-usd', '50', '--turns', 'none'],
      '001',
      { do: 'limit', limits: { costUsd: 50, turns: null } },
    ],
    [['answer', 'Q1', 'use the table'], null, { do: 'answer', question: 'Q1', answer: 'use the table' }],
    [['answer', 'q12', 'yes'], null, { do: 'answer', question: 'Q12', answer: 'yes' }],
    [['answer', 'Q1', 'yes', '--run', '001'], '001', { do: 'answer', question: 'Q1', answer: 'yes' }],
    [['task', 'add', ' write docs '], null, { do: 'add', task: { ...add, title: 'write docs' } }],
    [
      [
        'task',
        'add',
        'bump',
        '--description',
        'more',
        '--after',
        'T001,T002',
        'T003',
        '--criterion',
        'a',
        '--criterion',
        'b',
        '--priority',
        '1',
        '--run',
        '001',
      ],
      '001',
      {
        do: 'add',
        task: {
          title: 'bump',
          description: 'more',
          dependsOn: ['T001', 'T002', 'T003'],
          criteria: ['a', 'b'],
          priority: 1,
        },
      },
    ],
    [
      ['task', 'add', 'drop it', '--allows', 'remove-tests:test/old/**', 'skip-tests', '--repairs', 'lint'],
      null,
      {
        do: 'add',
        task: { ...add, title: 'drop it', repairs: ['lint'], allows: ['remove-tests:test/old/**', 'skip-tests'] },
      },
    ],
    [['task', 'retry', 'T003'], null, { do: 'retry', task: 'T003' }],
    [['task', 'skip', 'T003'], null, { do: 'skip', task: 'T003', reason: null }],
    [
      ['task', 'skip', 'T003', '--reason', 'not needed', '--run', '001'],
      '001',
      { do: 'skip', task: 'T003', reason: 'not needed' },
    ],
  ])('looper %j', async (argv, run, order) => {
    for (const live of [true, false]) {
      const { code, stdout, stderr, app } = await call(argv, { live })
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^001-x: [^\n]+\n$/)
      expect(app?.asked.told).toEqual([{ run, order }])
    }
  })

  test('E7: an answer that is missing shows the question, one that is no option is taken and reported', async () => {
    const question = {
      id: 'Q1',
      text: 'How many\u001B[2J digits?',
      options: ['2', '4'],
      default: null,
      blocks: [],
      origin: 'o',
      answer: null,
      by: null,
    }
    const state = sampleState({ questions: [question, { ...question, id: 'Q2', options: [] }] })
    const overrides = { readRun: async () => ({ state, live: false, holder: null, dir: '/nowhere' }) }
    const missing = await call(['answer', 'q1'], { overrides })
    expect(missing).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/Q1 How many digits\?\n.*2 \| 4\n.*looper answer Q1/),
      stderr: '',
    })
    expect(missing.app?.asked.told).toEqual([])
    expect((await call(['answer', 'Q9'], { overrides })).stderr).toBe(
      'looper: the answer to Q9 is missing\n  `looper status 1` shows the open questions.\n',
    )
    expect((await call(['answer', 'Q1', '7'], { overrides, live: true })).stdout).toBe(
      '001-x: Q1 answered, although it is none of the options (2 | 4)\n',
    )
    for (const [id, answer] of [
      ['Q1', ' 4'],
      ['Q2', '7'],
      ['Q9', '7'],
    ] as const) {
      expect((await call(['answer', id, answer], { overrides, live: true })).stdout).toBe(`001-x: ${id} answered\n`)
    }
  })

  test('a resting run is not said to be under way', async () => {
    expect((await call(['task', 'retry', 'T003'], { live: false })).stdout).toBe(
      '001-x: T003 is open again; `looper resume 1` continues the run\n',
    )
    expect((await call(['task', 'retry', 'T003'], { live: true })).stdout).toBe('001-x: T003 is open again\n')
  })

  test('a task that joins a resting run has its id at once', async () => {
    const overrides = { sendOrder: async () => ({ run: '001-x', live: false, added: 'T004' }) }
    expect((await call(['task', 'add', 'x'], { overrides })).stdout).toBe(
      '001-x: T004 added; `looper resume 1` continues the run\n',
    )
    expect((await call(['task', 'add', 'x'], { live: true })).stdout).toBe('001-x: task added: it joins the plan\n')
  })

  test('stop waits until the run rests, and reports how', async () => {
    const stopped = await call(['stop'], { live: true, played: stoppedRun() })
    expect(stopped.stdout).toBe('001-x: paused (stopped by you) · `looper resume 1` continues it\n')
    expect(stopped.app?.asked.other).toEqual([['rest', '001-x']])
    expect((await call(['stop'], { live: true })).stdout).toBe('001-x: completed\n')
    const asked = await call(['stop', '--no-wait'], { live: true })
    expect(asked.stdout).toContain('asked to stop')
    expect(asked.app?.asked.other).toEqual([])
    const suspended = await call(['stop', '--no-wait'], {
      live: true,
      overrides: { sendOrder: async () => ({ run: '001-x', live: true, woken: 42 }) },
    })
    expect(suspended.stdout).toContain('001-x: its process 42 was suspended and has been continued; asked to stop')
    const stuck = await call(['stop'], { live: true, overrides: { rest: async () => null } })
    expect(stuck.code).toBe(1)
    expect(stuck.stdout).toContain(
      '001-x: asked to stop, but it is still under way after 120 s; `looper status 1` names its process',
    )
  })

  test('a refusal is printed', async () => {
    const overrides = {
      sendOrder: async () => {
        throw new LooperError('USAGE_NO_TASK', 'there is no task T9')
      },
    }
    const { code, stdout, stderr } = await call(['task', 'skip', 'T9'], { overrides })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^looper: there is no task T9\n {2}`looper ls`/)
  })

  test.each([
    [['answer', 'Q1', ' '], 'the answer is empty'],
    [['task', 'add', ''], 'the title is empty'],
    [['task', 'add', 'x', '--priority', 'high'], `--priority takes a whole number, not 'high'`],
  ])('looper %j is refused', async (argv, message) => {
    const { code, stderr, app } = await call(argv)
    expect({ code, told: app?.asked.told }).toEqual({ code: 2, told: [] })
    expect(stderr).toContain(`looper: ${message}\n`)
  })
})

test('apply', async () => {
  expect(await call(['apply', '001'])).toMatchObject({ code: 0, stdout: 'merged looper/001-x\n' })
  const overrides = {
    apply: async () => {
      throw new LooperError('WORKSPACE_APPLY', 'conflicts in a.ts')
    },
  }
  const { code, stdout, stderr } = await call(['apply'], { overrides })
  expect({ code, stdout, stderr }).toEqual({
    code: 1,
    stdout: '',
    stderr: 'looper: conflicts in a.ts\n  Merge the run branch by hand.\n',
  })
})

describe('rollback', () => {
  const landings = ['T001', 'T002', 'T003'].map((task) => ({ task, commit: task, wave: 1, met: 0 }))
  const checkpoint = { id: 'C1', commit: 'T001', wave: 1, landings: 1, passing: [], ref: 'r' }
  const at = (changes: Parameters<typeof sampleState>[0], stdin: string | null, args: string[] = []) => {
    const state = sampleState({ run: '001-x', landings, checkpoints: [checkpoint], ...changes })
    const overrides = { readRun: async () => ({ state, live: false, holder: null, dir: '/nowhere' }) }
    return call(['rollback', ...args], {
      overrides,
      io: stdin === null ? terminal({}) : terminal({ tty: true, stdin }),
    })
  }

  test.each(['paused', 'completed', 'failed'] as const)('says what it undoes, and asks (%s)', async (status) => {
    const refused = await at({ status }, null)
    expect([refused.code, refused.app?.asked.told]).toEqual([2, []])
    expect(refused.stderr).toContain(`. 001-x is ${status}. This undoes T002, T003 (back to C1).\n  Add --yes`)
    const asked = await at({ status }, 'n\n')
    expect([asked.code, asked.app?.asked.told]).toEqual([1, []])
    expect(asked.stderr).toContain('This undoes T002, T003 (back to C1).\nUndo its last landings? [y/N]')
    expect((await at({ status, checkpoints: [] }, null)).stderr).toContain('T001, T002, T003 (back to the base)')
  })

  test('to a place: a completed run is asked about where a person can answer', async () => {
    const to = ['--to', 'C1']
    const asked = await at({ status: 'completed' }, 'n\n', to)
    expect([asked.code, asked.app?.asked.told]).toEqual([1, []])
    expect(asked.stderr).toContain('001-x is completed.\nUndo what it landed after C1? [y/N]')
    expect((await at({ status: 'completed' }, 'n\n', [...to, '--yes'])).app?.asked.told).toHaveLength(1)
    expect((await at({ status: 'completed' }, null, to)).app?.asked.told).toHaveLength(1)
    expect((await at({ status: 'paused' }, '', to)).app?.asked.told).toHaveLength(1)
  })

  test('where nothing has landed nothing is asked', async () => {
    expect((await at({ landings: [] }, null)).app?.asked.told).toHaveLength(1)
  })
})

describe('alone, they list what there is', () => {
  test('looper limit shows the limits, the flags that change them, and an example', async () => {
    const state = sampleState({ run: '001-x', status: 'paused' })
    const overrides = { readRun: async () => ({ state, live: false, holder: null, dir: '/nowhere' }) }
    const { code, stdout, app } = await call(['limit'], { overrides })
    expect({ code, told: app?.asked.told }).toEqual({ code: 0, told: [] })
    expect(stdout).toMatch(/^Limits of 001-x:\n/)
    expect(stdout).toMatch(/\n {2}--cost-usd +(?:\d+|none) +\S/)
    expect(stdout).toMatch(/\n {2}--time-minutes +(?:\d+|none) +\S/)
    expect(stdout).toMatch(/\n\nChange one: looper limit 1 --cost-usd 50\n$/)
  })

  test('looper limit of a run that has ended proposes nothing that is refused', async () => {
    const state = sampleState({ status: 'completed' })
    const overrides = { readRun: async () => ({ state, live: false, holder: null, dir: '/nowhere' }) }
    const { stdout } = await call(['limit'], { overrides })
    expect(stdout).toMatch(/completed, so its limits stay\. .*: looper run "<goal>" --cost-usd 50\n$/)
    expect(stdout).not.toContain('looper limit')
  })

  test('looper answer shows the open questions and how to answer them', async () => {
    const question = {
      id: 'Q1',
      text: 'Which table?',
      options: ['a', 'b'],
      default: null,
      blocks: ['T002'],
      answer: null,
    }
    const questions = [question, { ...question, id: 'Q2', text: 'Old?', answer: 'yes' }] as never
    const state = sampleState({ run: '014-x', questions })
    const readRun = async () => ({ state, live: true, holder: null, dir: '/' })
    const { code, stdout } = await call(['answer'], { overrides: { readRun } })
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: [
        '? Q1 Which table?',
        '     holds up: T002',
        '     options:  a | b',
        '     answer:   looper answer Q1 "…" --run 14',
        '',
      ].join('\n'),
    })
    const none = { ...sampleState({ run: '014-x', questions: [] }) }
    const empty = { readRun: async () => ({ state: none, live: true, holder: null, dir: '/' }) }
    expect((await call(['answer'], { overrides: empty })).stdout).toBe('014-x has no open questions.\n')
  })
})
