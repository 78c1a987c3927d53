import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { call, listening, projects, received, turns } from '../kit/outside.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const quick = { review: false, limits: { attempts: 1, goalIterations: 0, splitDepth: 0, fixCycles: 0 } }

describe.concurrent('plans that cannot be', () => {
  const plans: [string, object[], RegExp][] = [
    [
      'a cycle',
      [
        { id: 'A', title: 'a', dependsOn: ['B'] },
        { id: 'B', title: 'b', dependsOn: ['A'] },
      ],
      /circle.*A.*B|circle.*B.*A/,
    ],
    ['a task that needs itself', [{ id: 'A', title: 'a', dependsOn: ['A'] }], /circle|itself/],
    ['an unknown dependency', [{ id: 'A', title: 'a', dependsOn: ['Z9'] }], /Z9/],
    [
      'the same id twice',
      [
        { id: 'A', title: 'a' },
        { id: 'A', title: 'b' },
      ],
      /"A"/,
    ],
    ['no task', [], /task/],
    ['a task without a title', [{ id: 'A' }], /title/],
  ]
  test.each(plans)('%s: one repair turn with the errors, then exit 1', async (_, tasks, told) => {
    const project = create({
      config: quick,
      agent: `${listening}answer({ status: 'plan', tasks: ${JSON.stringify(tasks)} })`,
    })
    const { code, stdout, stderr } = await project.looper('run', 'plan badly')
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const [first, second, ...rest] = turns(project)
    expect([first, rest]).toEqual(['plan/r0 planner plan', []])
    expect(second).toMatch(/ planner plan$/)
    expect(received(project, second!.split(' ')[0]!)).toMatch(told)
    expect(stdout).toMatch(told)
    expect(await project.status()).toMatchObject({ status: 'failed', reason: expect.stringMatching(told), tasks: [] })
  })

  test('a plan that the repair turn corrects is accepted; so are plans of one and of twenty tasks', async () => {
    const project = create({
      config: { ...quick, checks: [] },
      agent: `${listening}
if (role === 'planner') answer({ tasks: env.LOOPER_TURN === 'plan/r0' ? [{ id: 'A', title: 'a', dependsOn: ['B'] }] : Array.from({ length: 20 }, (_, n) => ({ title: 'number ' + n })) })
if (role === 'coder') { write(task, ''); answer({ status: 'complete' }) }`,
    })
    expect(await project.looper('run', 'plan well')).toMatchObject({ code: 0 })
    const { tasks } = await project.status()
    expect(tasks.map(({ id }) => id)).toEqual(
      Array.from({ length: 20 }, (_, n) => `T${String(n + 1).padStart(3, '0')}`),
    )
  })
})

describe('the command line', () => {
  test('typing errors are reported with a suggestion', async () => {
    const project = create()
    const cases: [string[], RegExp][] = [
      [['stauts'], /status/],
      [['run'], /goal/],
      [['run', ''], /goal/],
      [['run', 'a', 'b'], /quotes/],
      [['run', 'x', '--goal-file', 'y'], /cannot be used together/],
      [['run', '--goal-file', 'nothing.md'], /nothing\.md/],
      [['task'], /add, retry, skip/],
      [['task', 'ad'], /task add/],
      [['answer', 'Q1', ''], /empty/],
      [['tail', '-n', 'few'], /--lines/],
      [['discard'], /no run/i],
      [['resume', '--turns', 'lots'], /--turns/],
    ]
    for (const [args, told] of cases) {
      const { code, stdout, stderr } = await project.looper(...args)
      expect({ args, code, stdout, stderr }).toEqual({ args, code: 2, stdout: '', stderr: expect.stringMatching(told) })
    }
    for (const args of [
      ['--help'],
      ['run', '--help'],
      ['help', 'status'],
      ['task', '--help'],
      ['version'],
      ['--version'],
    ]) {
      const { code, stdout, stderr } = await project.looper(...args)
      expect({ args, code, stderr }).toEqual({ args, code: 0, stderr: '' })
      expect(stdout.length).toBeGreaterThan(3)
    }
  })

  test('a goal from stdin, from a file, and without “run”', async () => {
    const project = create({ config: quick })
    const goal = 'Make two files,\nlike “this” & $that'
    writeFileSync(join(project.root, 'goal.md'), goal)
    const all = await Promise.all([
      call(project, ['run', '-', '--dry-run', '--json'], { input: goal }),
      call(project, ['run', '--goal-file', 'goal.md', '--dry-run', '--json']),
      call(project, [goal, '--dry-run', '--json']),
    ])
    for (const { code, stdout } of all)
      expect({ code, card: JSON.parse(stdout) as unknown }).toMatchObject({ code: 0, card: { goal } })
  })
})
