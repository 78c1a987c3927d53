import { describe, expect, test } from 'vitest'
import { requestsFor } from '../../../test/kit/plan-request.ts'
import type { Purpose } from '../../model/purposes.ts'
import { noUsage } from '../../model/usage.ts'
import type { PlanRequest } from '../adapter.ts'
import { plan } from './plan.ts'

const request = requestsFor('codex', { schema: '{"type":"object","properties":{"a":{"type":"string"}}}' })
const start = ['/opt/codex', 'exec', '--json', '--skip-git-repo-check', '-C', '/w']
const quiet = [
  '-c',
  'check_for_update_on_startup=false',
  '-c',
  'analytics.enabled=false',
  '-c',
  'feedback.enabled=false',
]
const free = ['--dangerously-bypass-approvals-and-sandbox']
const confined = ['-c', 'sandbox_mode="read-only"', '-c', 'approval_policy="never"']
const schema = ['--output-schema', '/r/turns/T/output-schema.json']

describe('the command line of codex (D5)', () => {
  test.each<[string, PlanRequest, string[]]>([
    ['is short for a fresh turn', request(), [...free, ...schema, '-']],
    [
      'names the model of the work first',
      request({ model: 'gpt-5' }, { model: 'o3' }),
      [...free, '-m', 'o3', ...schema, '-'],
    ],
    ['names the model of the agent', request({ model: 'gpt-5' }), [...free, '-m', 'gpt-5', ...schema, '-']],
    [
      'goes on with a session',
      request({}, { session: { id: 's-1', spent: noUsage } }),
      [...free, ...schema, 'resume', 's-1', '-'],
    ],
    [
      'has the arguments of the configuration before',
      request({ args: ['-c', 'x=1'] }, { session: { id: 's-1', spent: noUsage } }),
      [...free, ...schema, '-c', 'x=1', 'resume', 's-1', '-'],
    ],
    ['has no schema where any object will do', request({}, {}, { schema: '{"type":"object"}' }), [...free, '-']],
  ])('%s', (_, asked, rest) => {
    expect(plan(asked).argv).toEqual([...start, ...quiet, ...rest])
  })

  test.each<[Purpose, string[]]>([
    ['plan', confined],
    ['revise', confined],
    ['split', confined],
    ['review-plan', confined],
    ['test', free],
    ['verify-task', free],
    ['verify-goal', free],
  ])('a judge asked to %s', (purpose, rights) => {
    expect(plan(request({}, { purpose }, { rights: 'read' })).argv).toEqual([
      ...start,
      ...quiet,
      ...rights,
      ...schema,
      '-',
    ])
  })

  test.each<[Purpose, boolean]>([
    ['plan', true],
    ['review-plan', true],
    ['test', false],
    ['verify-goal', false],
  ])(
    'in the sandbox of Looper it makes none of its own; asked to %s, its workspace is read-only: %s',
    (purpose, readOnly) => {
      const spec = plan(request({}, { purpose }, { rights: 'read', confined: true }))
      expect(spec.argv).toEqual([...start, ...quiet, ...free, ...schema, '-'])
      expect(spec.readOnly).toBe(readOnly)
    },
  )
})

test('both schemas are written, the strict one into the folder of the turn', () => {
  const { stdin, files } = plan(request())
  expect(stdin).toBe('Do it.\n')
  expect(files.map(({ path }) => path)).toEqual(['/r/schemas/coder.json', '/r/turns/T/output-schema.json'])
  expect(files[0]?.content).toBe(request().schema)
  expect(JSON.parse(files[1]?.content ?? '')).toMatchObject({ required: ['a'], additionalProperties: false })
})

test('its home is its own', () => {
  expect(plan(request()).env).not.toHaveProperty('CODEX_HOME')
})
