import { describe, expect, test } from 'vitest'
import { requestsFor } from '../../../test/kit/plan-request.ts'
import { noUsage } from '../../model/usage.ts'
import type { PlanRequest } from '../adapter.ts'
import { createPlan } from './plan.ts'

const request = requestsFor('gemini', { mcp: { command: 'node', args: ['tools.js'], env: { LOOPER_ROLE: 'coder' } } })
const plan = createPlan({ isRoot: false })
const start = ['/opt/gemini', '-o', 'stream-json', '--approval-mode', 'yolo', '--skip-trust']

describe('the command line of gemini (D5)', () => {
  test.each<[string, PlanRequest, string[]]>([
    ['is short for a fresh turn', request(), start],
    ['names the model of the work first', request({ model: 'pro' }, { model: 'flash' }), [...start, '-m', 'flash']],
    ['names the model of the agent', request({ model: 'pro' }), [...start, '-m', 'pro']],
    ['goes on with a session', request({}, { session: { id: 's-1', spent: noUsage } }), [...start, '--resume', 's-1']],
    [
      'takes the editors from judges',
      request({}, {}, { rights: 'read' }),
      [...start, '--admin-policy', '/r/turns/T/read-only.toml'],
    ],
    ['ends with the arguments of the configuration', request({ args: ['--debug'] }), [...start, '--debug']],
    ['finds the program by its name', request({ bin: undefined }), ['gemini', ...start.slice(1)]],
  ])('%s', (_, asked, argv) => {
    expect(plan(asked).argv).toEqual(argv)
  })
})

test('the policy of judges is written, and only theirs', () => {
  const files = plan(request({}, {}, { rights: 'read' })).files
  expect(files.map(({ path }) => path)).toEqual(['/r/schemas/coder.json', '/r/turns/T/read-only.toml'])
  expect(files[1]?.content).toMatch(/toolName = \["write_file", "replace"\]\ndecision = "deny"/)
  expect(plan(request()).files).toEqual([{ path: '/r/schemas/coder.json', content: '{"type":"object"}' }])
})

test('the configuration can change its environment, except for the variables of Looper', () => {
  const { env } = plan(request({ env: { GEMINI_TELEMETRY_ENABLED: 'true', MINE: '1', LOOPER_ROLE: 'king' } }))
  expect(env).toMatchObject({
    GEMINI_CLI_NO_RELAUNCH: 'true',
    GEMINI_TELEMETRY_ENABLED: 'true',
    MINE: '1',
    LOOPER_ROLE: 'coder',
  })
  expect(env).not.toHaveProperty('GEMINI_CLI_SYSTEM_DEFAULTS_PATH')
})

test("as root it finds settings below the user's own, with Looper's tools", () => {
  const { env, files, stdin } = createPlan({ isRoot: true })(request())
  const path = '/r/turns/T/gemini-defaults.json'
  expect(env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH']).toBe(path)
  expect(JSON.parse(files.find((file) => file.path === path)?.content ?? '')).toMatchObject({
    general: { maxAttempts: 2 },
    mcpServers: { looper: { command: 'node', args: ['tools.js'], env: { LOOPER_ROLE: 'coder' }, trust: true } },
  })
  expect(stdin).toMatch(/^Do it\.\n\nIf you have the tool `mcp_looper_report`,.*\n$/)
})

describe('with a key it has a home for the run, also where it is not root', () => {
  const keyed = plan(request({}, {}, { env: { GEMINI_API_KEY: 'k' } }))
  const path = '/r/homes/x/.gemini/settings.json'

  test("with Looper's tools, which learn of the turn from its environment", () => {
    expect(keyed.env).toMatchObject({ GEMINI_CLI_HOME: '/r/homes/x', LOOPER_ROLE: 'coder' })
    expect(JSON.parse(keyed.files.find((file) => file.path === path)?.content ?? '')).toMatchObject({
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { maxAttempts: 2 },
      mcpServers: { looper: { command: 'node', args: ['tools.js'], env: { LOOPER_ROLE: '${LOOPER_ROLE}' } } },
    })
    expect(keyed.stdin).toContain('mcp_looper_report')
  })

  test('the same for every turn', () => {
    const other = request(
      {},
      {},
      { env: { GEMINI_API_KEY: 'k' }, mcp: { command: 'node', args: ['tools.js'], env: { LOOPER_ROLE: 'planner' } } },
    )
    expect(plan(other).files.find((file) => file.path === path)).toEqual(keyed.files.find((file) => file.path === path))
  })

  test('but not in the place of one that the user has chosen', () => {
    const { env, files } = plan(request({}, {}, { env: { GEMINI_API_KEY: 'k', GEMINI_CLI_HOME: '/mine' } }))
    expect(env).not.toHaveProperty('GEMINI_CLI_HOME')
    expect(files).toHaveLength(1)
  })
})

describe('the prompt', () => {
  test.each([
    ['Mail me@src.', 'Mail me\\@src.'],
    ['@@ -1 +1 @@ f', '\\@@ -1 +1 \\@@ f'],
    ['@@x', '\\@\\@x'],
    ['@"a b" and \\@c', '\\@"a b" and \\@c'],
  ])('no file is taken for meant in %s', (prompt, expected) => {
    const [text, note] = plan(request({}, {}, { prompt })).stdin.split('\n\n')
    expect(text).toBe(expected)
    expect(note).toContain('`\\@` stands for `@`')
  })

  test('an @ that stands alone stays', () => {
    expect(plan(request({}, {}, { prompt: 'a @ b @\n' })).stdin).toBe('a @ b @\n')
  })
})
