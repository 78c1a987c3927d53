import { describe, expect, test } from 'vitest'
import { requestsFor } from '../../../test/kit/plan-request.ts'
import { noUsage } from '../../model/usage.ts'
import type { PlanRequest } from '../adapter.ts'
import { createPlan } from './plan.ts'

const request = requestsFor('claude', {
  schema: '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}',
})
const plan = createPlan({ isRoot: false })
const start = ['/opt/claude', '-p', '--output-format', 'stream-json', '--verbose', '--dangerously-skip-permissions']
const editors = 'Edit,Write,NotebookEdit'
const schema = ['--json-schema', '{"type":"object"}']

describe('the command line of claude (D5)', () => {
  test.each<[string, PlanRequest, string[]]>([
    ['is short for a fresh turn', request(), [...start, ...schema]],
    [
      'names the model of the work first',
      request({ model: 'sonnet' }, { model: 'opus' }),
      [...start, '--model', 'opus', ...schema],
    ],
    ['names the model of the agent', request({ model: 'sonnet' }), [...start, '--model', 'sonnet', ...schema]],
    [
      'goes on with a session',
      request({}, { session: { id: 's-1', spent: noUsage } }),
      [...start, '--resume', 's-1', ...schema],
    ],
    [
      'passes on what is left of the budget',
      request({}, { budgetUsd: 1.5 }),
      [...start, ...schema, '--max-budget-usd', '1.5000'],
    ],
    [
      'never passes on a budget of nothing',
      request({}, { budgetUsd: 0 }),
      [...start, ...schema, '--max-budget-usd', '0.0001'],
    ],
    [
      'has no budget where nothing is paid by the token',
      request({ billing: 'subscription' }, { budgetUsd: 1.5 }),
      [...start, ...schema],
    ],
    [
      'takes the editors from judges',
      request({}, {}, { rights: 'read' }),
      [...start, '--disallowedTools', editors, ...schema],
    ],
    [
      'ends with the arguments of the configuration',
      request({ args: ['--effort', 'high'] }),
      [...start, ...schema, '--effort', 'high'],
    ],
    ['has no schema that is none', request({}, {}, { schema: 'oops' }), start],
    ['finds the program by its name', request({ bin: undefined }), ['claude', ...start.slice(1), ...schema]],
  ])('%s', (_, asked, argv) => {
    expect(plan(asked).argv).toEqual(argv)
  })
})

test('it is quiet and retries once, unless configured otherwise; settings of Looper cannot be overridden', () => {
  const { env } = plan(request({ env: { CLAUDE_CODE_MAX_RETRIES: '7', MINE: '1', LOOPER_ROLE: 'king' } }))
  expect(env).toMatchObject({
    CLAUDE_CODE_MAX_RETRIES: '7',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    MINE: '1',
    LOOPER_ROLE: 'coder',
    LOOPER_RESULT_FILE: '/r/turns/T/result.json',
  })
  expect(plan(request()).env['CLAUDE_CODE_MAX_RETRIES']).toBe('1')
})

test('only as root does its environment say that it is in a sandbox', () => {
  expect(plan(request()).env).not.toHaveProperty('IS_SANDBOX')
  expect(createPlan({ isRoot: true })(request()).env).toMatchObject({ IS_SANDBOX: '1' })
})
