import { describe, expect, test } from 'vitest'
import type { AgentConfig } from '../../model/config.ts'
import { noUsage } from '../../model/usage.ts'
import type { TurnWork } from '../../model/work.ts'
import type { PlanRequest } from '../adapter.ts'
import { createPlan } from './plan.ts'

const work: TurnWork = {
  kind: 'turn',
  id: 'T001/a2/implement',
  slot: 'T001/a2',
  workspace: 'T001',
  role: 'coder',
  purpose: 'implement',
  agent: 'claude',
  model: null,
  task: 'T001',
  attempt: 2,
  errors: [],
  tree: null,
  base: null,
}
const request = (
  agent: AgentConfig = {},
  change: Partial<TurnWork> = {},
  more: Partial<PlanRequest> = {},
): PlanRequest => ({
  env: {},
  home: '/r/homes/x',
  run: '001-x',
  work: { ...work, ...change },
  agent: { bin: '/opt/claude', ...agent },
  prompt: 'Do it.\n',
  cwd: '/w',
  rights: 'write',
  folder: '/r/turns/T',
  resultFile: '/r/turns/T/result.json',
  schemaFile: '/r/schemas/coder.json',
  mcp: { command: 'node', args: [], env: {} },
  schema: '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}',
  ...more,
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

test('only as root is it told that it is in a sandbox', () => {
  expect(plan(request()).env).not.toHaveProperty('IS_SANDBOX')
  expect(createPlan({ isRoot: true })(request()).env).toMatchObject({ IS_SANDBOX: '1' })
})
