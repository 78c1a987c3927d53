/** Failures that come back: what several tasks share stops the run, what differs does not, and no finding goes round. */
import { afterEach, describe, expect, test } from 'vitest'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project.remove())

const check = { checks: [{ name: 'test', run: 'node --test' }], review: false, checkReruns: 0 }
const passing = `import { test } from 'node:test'\ntest('adds', () => {})\n`
const plan = (tasks: number): string =>
  `if (role === 'planner') {
  const titles = purpose === 'split' ? ['half', 'rest'] : Array.from({ length: ${tasks} }, (_, n) => 'part ' + (n + 1))
  answer({ status: 'plan', tasks: titles.map((title) => ({ title })) })
}`
const coders = (of = project): string[] =>
  of
    .events()
    .flatMap((event) =>
      event.type === 'work.started' && event.work.kind === 'turn' && event.work.role === 'coder' ? [event.work.id] : [],
    )
const pauses = (): string[] =>
  project.events().flatMap((event) => (event.type === 'run.paused' ? [event.reason.detail] : []))

describe.each([1, 4])('%i at a time', (parallel) => {
  const open = (agent: string, tasks: number, more: Record<string, unknown> = {}): void => {
    project = createProject({
      agent: `${plan(tasks)}\n${agent}`,
      files: { 'package.json': '{"type":"module"}\n', '.gitignore': '*.ignored.js\n', 'a.test.js': passing },
      config: { ...check, parallel, ...more },
    })
  }

  test('tests of two tasks that lack a file of their own are two failures, and each is fixed', async () => {
    open(
      `if (role === 'coder') {
  const lib = task + (purpose === 'fix' ? '.js' : '.ignored.js')
  write(lib, 'export const one = 1\\n')
  write(task + '.test.js', "import './" + lib + "'\\n")
  answer({ status: 'complete', summary: 'wrote it' })
}`,
      2,
    )
    const { code, stdout, stderr } = await project.looper('run', 'Add two parts')
    expect({ code, output: stdout + stderr }).toMatchObject({ code: 0 })
    expect(pauses()).toEqual([])
    expect(coders()).toHaveLength(4)
  })

  test('one failure with the changes of two tasks pauses the run within six turns', async () => {
    open(
      `if (role === 'coder') {
  write(task + '.txt', String(Math.random()))
  write('a.test.js', "import { test } from 'node:test'\\ntest('adds', () => { throw new Error('no key') })\\n")
  answer({ status: 'complete', summary: 'wrote it' })
}`,
      parallel === 1 ? 6 : 4,
      { guard: 'off' },
    )
    const { code } = await project.looper('run', 'Add parts')
    expect(code).toBe(3)
    expect(pauses().at(-1)).toMatch(/^the check test fails in the same way with the changes of T00\d(?: and|,) T00\d/)
    expect(coders().length).toBeLessThanOrEqual(6)
  })
})

describe('a finding that an agent leaves in place', () => {
  const one = (agent: string, more: Record<string, unknown>, files: Record<string, string> = {}): void => {
    project = createProject({
      agent: `${plan(1)}\n${agent}`,
      files: { 'package.json': '{"type":"module"}\n', 'a.test.js': passing, ...files },
      config: { ...check, parallel: 1, ...more },
    })
  }
  const works = `write('work.txt', String(Math.random())); answer({ status: 'complete', summary: 'did it' })`

  test('of the guard is asked about after two attempts', async () => {
    const asserts = (call: string): string =>
      `import { test } from 'node:test'\nimport { one } from './one.js'\n${call}('is one', () => { if (one !== 1) throw 1 })\n`
    one(
      `if (role === 'coder') {
  write('one.js', 'export const one = 2\\n')
  write('one.test.js', ${JSON.stringify(asserts('test.skip'))})
  ${works}
}`,
      {},
      { 'one.js': 'export const one = 1\n', 'one.test.js': asserts('test') },
    )
    const { code } = await project.looper('run', 'Improve it')
    expect(code).toBe(3)
    expect(coders().length).toBeLessThanOrEqual(6)
    const asked = project.events().filter(({ type }) => type === 'question.asked')
    expect(asked).toHaveLength(1)
    for (const event of project.events().filter(({ type }) => type === 'attempt.failed')) {
      const lines =
        event.type === 'attempt.failed' ? event.failure.detail.split('\n').filter((line) => line !== '') : []
      expect(lines).toEqual([...new Set(lines)])
    }
  })

  test('of a reviewer, in the same words, ends the task after three attempts', async () => {
    one(
      `if (role === 'supervisor') answer(purpose === 'verify-task'
  ? { score: 40, summary: 'not yet', issues: [{ severity: 'major', message: 'The flag is missing' }], feedback: 'add it' }
  : { score: 90, summary: 'fine' })
if (role === 'tester') answer({ status: 'passed', total: 1, passed: 1, failed: 0 })
if (role === 'coder') { ${works} }`,
      { review: true },
    )
    const { code } = await project.looper('run', 'Improve it')
    expect(code).toBe(1)
    expect(coders()).toHaveLength(3)
    const { tasks } = await project.status()
    expect(tasks.map(({ id, status }) => ({ id, status }))).toEqual([{ id: 'T001', status: 'failed' }])
    const report = await project.looper('report')
    expect(report.stdout.split('The flag is missing').length - 1).toBeLessThanOrEqual(1)
  })

  test('of a tester ends the task after two attempts', async () => {
    one(
      `if (role === 'supervisor') answer({ score: 90, summary: 'fine' })
if (role === 'tester') answer({ status: 'failed', total: 1, passed: 0, failed: 1, failures: [{ name: 'the flag', error: 'no' }] })
if (role === 'coder') { ${works} }`,
      { review: true },
    )
    const { code } = await project.looper('run', 'Improve it')
    expect(code).toBe(1)
    expect(coders().length).toBeLessThanOrEqual(6)
  })

  test('of a check that stays red is bounded, with and without a split', async () => {
    one(`if (role === 'coder') { write('b.test.js', "throw new Error('no')\\n"); ${works} }`, {})
    await project.looper('run', 'Improve it')
    expect(coders().filter((id) => id.startsWith('T001/')).length).toBeLessThanOrEqual(9)
    expect(coders().filter((id) => id.startsWith('T001.')).length).toBeLessThanOrEqual(4)
  })
})
