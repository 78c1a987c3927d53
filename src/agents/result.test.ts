import { describe, expect, test } from 'vitest'
import { purposes, type Purpose } from '../model/purposes.ts'
import { resultJsonSchema, validateResult } from './result.ts'

const parse = (text: string): unknown => JSON.parse(text)

describe('an answer is taken with its defaults', () => {
  test.each<[Purpose, unknown, object]>([
    [
      'implement',
      { status: 'complete', extra: { kept: 1 } },
      { status: 'complete', summary: '', files: [], newTasks: [], extra: { kept: 1 } },
    ],
    [
      'plan',
      { tasks: [{ title: 'A' }] },
      { status: 'plan', tasks: [{ title: 'A', complexity: 'medium', dependsOn: [] }] },
    ],
    ['verify-task', { score: 1e300 }, { score: 1e300, issues: [], feedback: '' }],
    ['test', { status: 'passed', total: 3 }, { status: 'passed', failures: [] }],
    [
      'plan',
      { analysis: null, risks: null, tasks: [{ id: null, title: 'A', complexity: null, criteria: null }] },
      { risks: [], tasks: [{ complexity: 'medium', criteria: [] }] },
    ],
  ])('%s %j', async (purpose, value, expected) => {
    const validation = await validateResult(purpose, value)
    expect(validation.ok && validation.result).toMatchObject(expected)
  })
})

describe('a problem is reported in a short line', () => {
  test.each<[Purpose, unknown, string[]]>([
    [
      'implement',
      {},
      ["not a coder's answer: it has none of the keys status, summary, files, decisions, questions, blocker, newTasks"],
    ],
    ['plan', { level: 'info', msg: 'a line of a log' }, [expect.stringContaining("not a planner's answer")]],
    ['implement', { summary: 'x' }, ['status: expected one of "complete"|"blocked"|"needs_clarification"']],
    ['implement', { status: 'done' }, ['status: expected one of "complete"|"blocked"|"needs_clarification"']],
    ['plan', { tasks: [{}] }, ['tasks[0].title: required']],
    [
      'plan',
      { tasks: [{ title: 'A', dependsOn: ['T1', 2] }] },
      ['tasks[0].dependsOn[1]: expected string, received number'],
    ],
    ['verify-task', { score: '80' }, ['score: expected number, received string']],
    ['verify-task', parse('{"score":1e999}'), ['score: expected number, received Infinity']],
    ['verify-task', { score: Number.NaN }, ['score: expected number, received NaN']],
    ['verify-task', { score: null, summary: 'x' }, ['score: expected number, received null']],
    ['plan', { tasks: [null] }, ['tasks[0]: expected object, received null']],
    ['verify-task', [1], ['answer: expected object, received array']],
    ['implement', null, ['answer: expected object, received null']],
  ])('%s %j', async (purpose, value, errors) => {
    expect(await validateResult(purpose, value)).toEqual({ ok: false, errors })
  })

  test('at most ten lines', async () => {
    const validation = await validateResult('plan', { tasks: Array.from({ length: 50 }, () => ({})) })
    expect(validation.ok ? [] : validation.errors).toHaveLength(10)
    expect(validation.ok ? '' : validation.errors.at(-1)).toBe('and 41 more')
  })
})

test.each<[string, string, string]>([
  [
    'nested beyond measure',
    `{"status":"complete","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`,
    'answer: nested deeper than 64 levels',
  ],
  [
    'made of too many values',
    `{"status":"complete","x":[${'0,'.repeat(200_000)}0]}`,
    'answer: more than 100000 values',
  ],
])('an answer %s is refused', async (_, text, error) => {
  expect(await validateResult('implement', parse(text))).toEqual({ ok: false, errors: [error] })
})

test('a hostile key does not reach the prototype', async () => {
  const validation = await validateResult('implement', parse('{"status":"complete","__proto__":{"polluted":true}}'))
  const result = (validation.ok ? validation.result : {}) as { polluted?: boolean; status?: string }
  expect(result.status).toBe('complete')
  expect(result.polluted).toBeUndefined()
  expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
})

test('agents are shown a JSON Schema in which only the necessary is required', async () => {
  expect(await resultJsonSchema('implement')).toMatchObject({
    type: 'object',
    required: ['status'],
    properties: { status: { enum: ['complete', 'blocked', 'needs_clarification'] } },
  })
})

test.each(Object.keys(purposes) as Purpose[])('the answer to %s has a shape of its own', async (purpose) => {
  expect(await resultJsonSchema(purpose)).toMatchObject({ type: 'object', properties: expect.any(Object) })
  expect(await validateResult(purpose, { anything: true })).toMatchObject({ ok: false })
})
