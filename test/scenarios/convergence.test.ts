/**
 * What makes work converge, or tells exactly why it does not: the built program, real git, agents that follow a script.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { Event, EventType } from '../../src/model/event.ts'
import { createProject, type Project } from '../kit/project.ts'

let project: Project
afterEach(() => project?.remove())

const make = (agent: string, config: Record<string, unknown> = {}, files: Record<string, string> = {}): Project => {
  project = createProject({ agent, files, config: { review: false, parallel: 1, ...config } })
  return project
}
const of = <T extends EventType>(type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never
const plan = (...tasks: (string | Record<string, unknown>)[]): string =>
  `if (role === 'planner' && purpose === 'plan') answer({ status: 'plan', tasks: ${JSON.stringify(tasks.map((task) => (typeof task === 'string' ? { id: task, title: task } : { title: task['id'], ...task })))} })\n`
const done = `answer({ status: 'complete', summary: 'made ' + task })`
const branch = 'looper/001-make-things'
const landed = (file: string): string => project.git('show', `${branch}:${file}`)

test('stall: the same failure three times over leads to another agent with a fresh context, and then to an end that says why', async () => {
  make(
    `${plan('T001')}if (role === 'coder') { say({ type: 'session', id: env.WHO + attempt }); note('who', env.WHO); write('a.txt', 'bad ' + attempt + purpose); ${done} }`,
  )
  const agent = (who: string) => ({
    command: [process.execPath, join(project.root, '../agent.mjs')],
    env: { NOTES: project.notes, WHO: who },
  })
  project.configure({
    agent: 'one',
    agents: { one: agent('one'), two: agent('two') },
    review: false,
    parallel: 1,
    sessions: 'resume',
    checks: ['grep -q good a.txt || { echo "Error: not good"; exit 1; }'],
    checkReruns: 0,
    limits: { fixCycles: 1, attempts: 9, splitDepth: 0, goalIterations: 0 },
  })
  const ended = await project.looper('run', 'make things')
  expect(ended.code).toBe(1)
  expect(ended.stdout).toContain('STALLED · the same failure 3 times')
  expect(await project.status()).toMatchObject({
    status: 'failed',
    health: 'STALLED',
    reason: expect.stringContaining('STALLED after 2 recoveries'),
  })
  expect(of('recovery.begun')).toHaveLength(2)
  expect(of('task.started').map((event) => event.agent)).toEqual(['one', 'one', 'one', 'two', 'two'])
  expect(readFileSync(`${project.notes}/who`, 'utf8').trim().split('\n').join(' ')).toBe(
    'one one one one one one two two two two',
  )
  // A fix resumes the session; a new attempt does not, and neither does another agent.
  const turns = of('work.started').flatMap(({ work }) =>
    work.kind === 'turn' && work.role === 'coder' ? [`${work.purpose} ${work.session?.id ?? 'afresh'}`] : [],
  )
  expect(turns).toEqual(
    ['one1', 'one2', 'one3', 'two4', 'two5'].flatMap((session) => ['implement afresh', `fix ${session}`]),
  )
})

test('block: the question is asked, the task parked, the rest done, and the run says what it waits for', async () => {
  make(`${plan('T001', 'T002')}if (role === 'coder' && task === 'T001' && !prompt.includes('use sqlite')) answer({ status: 'needs_clarification', questions: [{ text: 'Which database?' }] })
    else if (role === 'coder') { write(task + '.txt', 'x'); ${done} }`)
  expect((await project.looper('run', 'make things')).code).toBe(3)
  expect(await project.status()).toMatchObject({
    status: 'paused',
    health: 'BLOCKED',
    tasks: [
      { id: 'T001', status: 'blocked' },
      { id: 'T002', status: 'done' },
    ],
  })
  expect(await project.looper('doctor', '1', '--repair')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--repair is for all journals'),
  })
  const told = await project.looper('doctor', '1')
  expect(told.stdout).toMatch(/What it waits for\n {2}An answer to Q1 \(T001\): Which database\?/)
  await project.looper('answer', 'Q1', 'use sqlite')
  expect((await project.looper('resume')).code).toBe(0)
})

test('lying agent: nothing changed is not done, however often it is claimed', async () => {
  make(
    `${plan('T001')}if (role === 'planner' && purpose === 'split') answer({ status: 'plan', tasks: [{ title: 'a' }, { title: 'b' }] })
    if (role === 'coder') ${done}`,
    { limits: { goalIterations: 1 } },
  )
  expect((await project.looper('run', 'make things')).code).toBe(1)
  expect((await project.status()).tasks.every(({ status }) => status !== 'done')).toBe(true)
})

test('culprit among eight landed tasks: bisected, reverted, done again, and the run goes on', async () => {
  const tasks = Array.from({ length: 8 }, (_, n) => ({
    id: `T00${n + 1}`,
    ...(n === 0 ? { checks: ['test ! -e broken'] } : {}),
  }))
  make(
    `${plan(...tasks)}if (role === 'coder') { write(task + '.txt', 'x'); if (task === 'T006' && !prompt.includes('passed before T006 landed')) write('broken', ''); ${done} }`,
    { parallel: 4 },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  expect(of('task.undone')).toMatchObject([{ task: 'T006', why: 'culprit' }])
  expect(project.git('log', '--format=%s', branch)).toMatch(/Revert "T006"/)
  expect(project.git('ls-tree', '--name-only', branch)).not.toContain('broken')
  expect((await project.status()).tasks.find(({ id }) => id === 'T006')).toMatchObject({ status: 'done', attempts: 2 })
})

test('a flaky check is distinguished from a real failure and listed, and no agent is asked to fix it', async () => {
  make(`${plan('T001')}if (role === 'coder') { write('a.txt', 'x'); ${done} }`, {
    checks: [{ name: 'shaky', run: 'test -e ~/.cache/seen || { touch ~/.cache/seen; exit 1; }' }],
    baseline: 'off',
  })
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  expect(of('attempt.fixing')).toEqual([])
  expect(await project.status()).toMatchObject({ flakyChecks: ['shaky'] })
  expect((await project.looper('report')).stdout).toContain('Check `shaky` is flaky: it passed in 1 of 2 runs')
})

describe('red baseline', () => {
  const suite = (...failing: string[]): string => `const failing = ${JSON.stringify(failing)}
    const fs = require('node:fs')
    for (const name of ['old', 'new']) { const bad = failing.includes(name) || fs.existsSync(name + '.bad'); console.log((bad ? 'not ok 1 - ' : 'ok 1 - ') + name); if (bad) process.exitCode = 1 }
    console.log('# pass ' + (process.exitCode ? 1 : 2)); console.log('# fail ' + (process.exitCode ? 1 : 0))`

  test('a check that was red before fails no task, and the report says so', async () => {
    make(
      `${plan('T001')}if (role === 'coder') { write('a.txt', 'x'); ${done} }`,
      { checks: [{ name: 'unit', run: 'node suite.cjs' }] },
      { 'suite.cjs': suite('old') },
    )
    const ended = await project.looper('run', 'make things')
    expect(ended, ended.stdout).toMatchObject({ code: 0 })
    expect(ended.stdout).toContain('already red: unit')
    expect((await project.looper('report')).stdout).toContain('no worse than the base')
    expect((await project.looper('apply')).stdout).toMatch(/^Applied .*\. Review this: 1 check red \(unit\)\.\n$/)
  })

  test('what a task breaks on top is', async () => {
    make(
      `${plan('T001')}if (role === 'coder') { write('new.bad', 'x'); ${done} }`,
      {
        checks: [{ name: 'unit', run: 'node suite.cjs' }],
        limits: { fixCycles: 0, attempts: 1, splitDepth: 0, goalIterations: 0 },
      },
      { 'suite.cjs': suite('old') },
    )
    expect((await project.looper('run', 'make things')).code).toBe(1)
  })

  test('a goal to fix it is not met while it is red', async () => {
    make(
      `${plan('T001')}if (role === 'coder') { write('a.txt', 'x'); ${done} }`,
      { checks: [{ name: 'unit', run: 'node suite.cjs' }] },
      { 'suite.cjs': suite('old') },
    )
    expect((await project.looper('run', 'fix the failing unit tests')).code).toBe(1)
  })
})

describe('proof of new tests', () => {
  const files = {
    'math.mjs': 'export const add = (a, b) => a - b\n',
    'old.test.mjs': "import test from 'node:test'\ntest('stands', () => {})\n",
  }
  const config = { checks: [{ name: 'unit', run: 'node --test' }] }
  const adds = (expected: string): string =>
    `import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './math.mjs'\ntest('adds', () => assert.equal(${expected}))\n`

  const silent = { checks: [{ name: 'unit', run: 'node --test > unit.log 2>&1' }] }
  test.each([
    ['tests that fail without the change prove it', 'add(1, 2), 3', true, 'they fail without the change', config],
    ['tests that pass without it prove nothing', 'add(1, 0), 1', false, '**no proof**: no check shows', config],
    ['where the output says nothing, the exit code does', 'add(1, 2), 3', true, 'they fail without the change', silent],
    [
      'or there is no proof, and the report says why',
      'add(1, 0), 1',
      false,
      '**no proof**: no check reports that it ran tests',
      silent,
    ],
  ])('%s', async (_name, expected, proved, words, config) => {
    make(
      `${plan('T001')}if (role === 'coder') { write('math.mjs', 'export const add = (a, b) => a + b\\n'); write('new.test.mjs', ${JSON.stringify(adds(expected))}); ${done} }`,
      config,
      files,
    )
    const ended = await project.looper('run', 'make things')
    expect(ended, ended.stdout).toMatchObject({ code: 0 })
    expect(of('proof.given')).toMatchObject([{ task: 'T001', proved, files: ['new.test.mjs'] }])
    expect((await project.looper('report')).stdout).toContain(words)
    expect(landed('math.mjs')).toContain('a + b')
  })
})

test('held-out checks decide, and no prompt names them', async () => {
  make(
    `note('prompts', prompt)\n${plan('T001')}if (role === 'coder') { write('a.txt', purpose === 'fix' ? 'good' : 'bad'); ${done} }
    if (role === 'supervisor') answer({ score: 90 }); if (role === 'tester') answer({ status: 'passed', total: 1 })`,
    {
      review: true,
      checks: [
        { name: 'open', run: 'true' },
        { name: 'secret-rule', run: 'echo telling words; grep -q good a.txt', hidden: true },
      ],
      baseline: 'off',
    },
  )
  const ended = await project.looper('run', 'make things')
  expect(ended, ended.stdout).toMatchObject({ code: 0 })
  expect(of('attempt.fixing')).toHaveLength(1)
  const prompts = readFileSync(`${project.notes}/prompts`, 'utf8')
  expect(prompts).toContain('a held-out check failed')
  expect(prompts).not.toMatch(/secret-rule|telling words|grep -q good/)
  expect(ended.stdout).toContain('secret-rule')
})
