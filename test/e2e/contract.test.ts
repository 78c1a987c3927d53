/**
 * The contract as a stranger relies on it: agents in three languages, events on stdout, errors by kind, JSON that
 * scripts read.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { Event } from '../../src/model/event.ts'
import { projects } from '../kit/outside.ts'
import { type Ended, type Project } from '../kit/project.ts'
import { runThreeAgents } from '../kit/three-agents.ts'

const create = projects()
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })
const variables = ['RUN', 'TASK', 'ROLE', 'PURPOSE', 'TURN', 'ATTEMPT', 'RESULT_FILE', 'RESULT_SCHEMA', 'INSIDE'].map(
  (name) => `LOOPER_${name}`,
)
const found = <T extends Event['type']>(project: Project, type: T): Event<T>[] =>
  project.events().filter((event) => event.type === type) as never

describe('agents in sh, python and node take a run from goal to branch', () => {
  let project: Project
  let ended: Ended

  beforeAll(async () => {
    ;({ project, ended } = await runThreeAgents(create))
  })

  test('and it completes', async () => {
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(project.git('ls-tree', '--name-only', 'looper/001-make-two-files').split('\n')).toEqual([
      'README.md',
      'T001.txt',
      'T002.txt',
    ])
  })

  const environment = (name: string): Record<string, string> =>
    Object.fromEntries(
      readFileSync(join(project.notes, `env-${name}`), 'utf8')
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    )

  test.each([
    ['planner', { TASK: '', ROLE: 'planner', PURPOSE: 'plan', TURN: 'plan/r0', ATTEMPT: '1' }],
    ['T002', { TASK: 'T002', ROLE: 'coder', PURPOSE: 'implement', TURN: 'T002/a1/implement', ATTEMPT: '1' }],
    ['tester', { TASK: 'T002', ROLE: 'tester', PURPOSE: 'test', TURN: 'T002/a1/test0', ATTEMPT: '1' }],
    ['review-plan', { TASK: '', ROLE: 'supervisor', PURPOSE: 'review-plan', ATTEMPT: '1' }],
    ['verify-task', { TASK: 'T002', ROLE: 'supervisor', PURPOSE: 'verify-task' }],
    ['verify-goal', { TASK: '', ROLE: 'supervisor', PURPOSE: 'verify-goal' }],
  ])('the environment of %s', (name, expected) => {
    const env = environment(name)
    expect(env).toMatchObject(
      Object.fromEntries(
        Object.entries({ RUN: '001-make-two-files', INSIDE: '1', ...expected }).map(([key, value]) => [
          `LOOPER_${key}`,
          value,
        ]),
      ),
    )
    for (const variable of variables) expect(env).toHaveProperty(variable)
    expect(env).not.toHaveProperty('FOREIGN')
    expect(env).not.toHaveProperty('MY_API_KEY')
    expect(env).toHaveProperty('PATH')
    expect(env).toHaveProperty('HOME')
  })

  test('the prompt comes on stdin; the workspace is a worktree of the task with the files of its base', () => {
    const prompt = readFileSync(join(project.notes, 'prompt-planner'), 'utf8')
    expect(prompt).toContain('Make two files')
    const files = readFileSync(join(project.notes, 'ls-planner'), 'utf8').split('\n')
    expect(files).toContain('README.md')
    expect(files).not.toContain('.looper')
    const places = ['planner', 'T001', 'T002'].map((name) =>
      readFileSync(join(project.notes, `pwd-${name}`), 'utf8').trim(),
    )
    // A task may have the worktree of one that is done; the planner's is not shared.
    const [planner, ...tasks] = places
    expect(tasks).not.toContain(planner)
    for (const place of places) expect(place.startsWith(project.workspaces)).toBe(true)
    expect(readFileSync(join(project.notes, 'prompt-T001'), 'utf8')).toMatch(/it is there[^]*it says "\}" and \{/)
  })

  test('LOOPER_RESULT_SCHEMA is a JSON Schema that takes good answers and no bad ones', () => {
    const schemaOf = (role: string): z.ZodType => {
      const text = readFileSync(join(project.notes, `schema-${role}`), 'utf8')
      expect(JSON.parse(text)).toMatchObject({
        $schema: expect.stringContaining('json-schema.org'),
        type: 'object',
        properties: {},
      })
      return z.fromJSONSchema(JSON.parse(text))
    }
    const cases: Record<string, { good: unknown[]; bad: unknown[] }> = {
      planner: {
        good: [
          { status: 'plan', tasks: [{ title: 'x' }] },
          { tasks: [{ id: 'a', title: 'x', dependsOn: [], more: 1 }], extra: true },
        ],
        bad: [{ status: 'maybe' }, { tasks: [{ title: 7 }] }, { tasks: [{ title: 'x', complexity: 'huge' }] }],
      },
      coder: {
        good: [{ status: 'complete' }, { status: 'blocked', blocker: { kind: 'external', reason: 'x' }, extra: [] }],
        bad: [{}, { status: 'done' }],
      },
      tester: {
        good: [{ status: 'passed' }, { status: 'failed', failures: [{ name: 'x', error: 'y' }] }],
        bad: [{}, { status: 'green' }],
      },
      supervisor: {
        good: [{ score: 1 }, { score: 99, issues: [{ severity: 'minor', message: 'x' }] }],
        bad: [{}, { score: 'high' }],
      },
    }
    for (const [role, { good, bad }] of Object.entries(cases)) {
      const schema = schemaOf(role)
      for (const answer of good)
        expect(schema.safeParse(answer), `${role} ${JSON.stringify(answer)}`).toMatchObject({ success: true })
      for (const answer of bad)
        expect(schema.safeParse(answer), `${role} ${JSON.stringify(answer)}`).toMatchObject({ success: false })
    }
  })

  test('usage events are summed; a file beats stdout; extra keys are kept and missing ones defaulted', async () => {
    const status = await project.status()
    expect(status.usage).toEqual({ inputTokens: 11 + 2 * 100, outputTokens: 7, costUsd: 0.75 })
    const results = found(project, 'work.finished').flatMap(({ id, outcome }) =>
      outcome.kind === 'turn' && outcome.status === 'ok' ? [[id, outcome.result] as const] : [],
    )
    const answers = Object.fromEntries(results)
    expect(answers['plan/r0']).toMatchObject({
      confidence: { of: 'mine' },
      risks: [],
      assumptions: [],
      decisions: [],
      questions: [],
      tasks: [
        { id: 'T001', color: 'red', complexity: 'medium', dependsOn: [], description: '' },
        { complexity: 'simple' },
      ],
    })
    expect(answers['T001/a1/implement']).toMatchObject({
      status: 'complete',
      mood: 'good',
      summary: '',
      files: [],
      newTasks: [],
      questions: [],
    })
    expect(answers['T001/a1/test0']).toMatchObject({ status: 'passed', total: 2 })
    expect(answers['T001/a1/verify0']).toMatchObject({
      score: 88,
      approved: false,
      issues: [],
      missing: [],
      feedback: '',
    })
    expect(found(project, 'work.finished').find(({ id }) => id === 'plan/r0')?.outcome).toMatchObject({
      sessionId: 's-1',
    })
  })
})
