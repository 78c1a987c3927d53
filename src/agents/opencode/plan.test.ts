import { describe, expect, test } from 'vitest'
import { requestsFor, type MakeRequest } from '../../../test/kit/plan-request.ts'
import { noUsage } from '../../model/usage.ts'
import type { PlanRequest } from '../adapter.ts'
import { plan } from './plan.ts'

const usual = requestsFor('opencode', {
  folder: '/r/turns/T~1',
  resultFile: '/r/turns/T~1/result.json',
  mcp: { command: 'node', args: ['tools.js'], env: { LOOPER_ROLE: 'coder' } },
})
const request: MakeRequest = (agent = {}, change = {}, more = {}) =>
  usual(agent, change, { env: { ...agent.env }, ...more })
const start = ['/opt/opencode', 'run', '--format', 'json', '--auto', '--print-logs', '--log-level', 'ERROR']
const looper = {
  type: 'local',
  command: ['node', 'tools.js'],
  environment: { LOOPER_ROLE: 'coder' },
  enabled: true,
  timeout: 30_000,
}

describe('the command line of opencode (D5)', () => {
  test.each<[string, PlanRequest, string[]]>([
    ['is short for a fresh turn', request(), start],
    ['names the model of the work first', request({ model: 'a/b' }, { model: 'c/d' }), [...start, '-m', 'c/d']],
    ['names the model of the agent', request({ model: 'a/b' }), [...start, '-m', 'a/b']],
    [
      'goes on with a session',
      request({}, { session: { id: 'ses_1', spent: noUsage } }),
      [...start, '--session', 'ses_1'],
    ],
    ['is the same for judges', request({}, {}, { rights: 'read' }), start],
    [
      'ends with the arguments of the configuration',
      request({ args: ['--variant', 'high'] }),
      [...start, '--variant', 'high'],
    ],
    ['finds the program by its name', request({ bin: undefined }), ['opencode', ...start.slice(1)]],
  ])('%s', (_, asked, argv) => {
    expect(plan(asked).argv).toEqual(argv)
  })
})

test('the prompt is on stdin only, and names the tool', () => {
  const { argv, stdin } = plan(request())
  expect(stdin).toMatch(/^Do it\.\n\nIf you have the tool `looper_report`,.*\n$/)
  expect(argv.join(' ')).not.toContain('Do it')
})

test('the configuration can change its environment, except for the variables of Looper', () => {
  const { env } = plan(request({ env: { OPENCODE_DISABLE_MODELS_FETCH: '', MINE: '1', LOOPER_ROLE: 'king' } }))
  expect(env).toMatchObject({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '',
    MINE: '1',
    LOOPER_ROLE: 'coder',
  })
  expect(env).not.toHaveProperty('OPENCODE_PERMISSION')
})

test('judges may not edit', () => {
  expect(JSON.parse(plan(request({}, {}, { rights: 'read' })).env['OPENCODE_PERMISSION'] ?? '')).toEqual({
    edit: 'deny',
  })
})

describe('its configuration', () => {
  const content = (given?: string) =>
    plan(request(given === undefined ? {} : { env: { OPENCODE_CONFIG_CONTENT: given } })).env['OPENCODE_CONFIG_CONTENT']
    ?? ''
  const plugin = 'file:///r/turns/T%7E1/retries.js'

  test("has Looper's tools and a plugin that is written", () => {
    expect(JSON.parse(content())).toEqual({ share: 'disabled', plugin: [plugin], mcp: { looper } })
    expect(plan(request()).files.map(({ path }) => path)).toEqual(['/r/schemas/coder.json', '/r/turns/T~1/retries.js'])
  })

  test('keeps what the configuration of the agent has in the same place', () => {
    const given = { share: 'manual', provider: { x: {} }, plugin: ['mine'], mcp: { mine: { type: 'remote' } } }
    expect(JSON.parse(content(JSON.stringify(given)))).toEqual({
      ...given,
      plugin: ['mine', plugin],
      mcp: { mine: { type: 'remote' }, looper },
    })
  })

  test('keeps what the user has in their own environment', () => {
    const env = { OPENCODE_CONFIG_CONTENT: '{"share":"auto","model":"a/b"}' }
    expect(JSON.parse(plan(request({}, {}, { env })).env['OPENCODE_CONFIG_CONTENT'] ?? '')).toMatchObject({
      share: 'auto',
      model: 'a/b',
      mcp: { looper },
    })
  })

  test('is left alone when it is none', () => {
    expect(content('{ // with a comment\n}')).toBe('{ // with a comment\n}')
  })
})
