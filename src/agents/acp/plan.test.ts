import { expect, test } from 'vitest'
import { sampleTurn } from '../../../test/kit/state.ts'
import type { PlanRequest } from '../adapter.ts'
import { createAcpAdapter } from './index.ts'

const adapter = createAcpAdapter({ driverPath: '/looper/dist/acp.js', node: '/bin/node' })
const request: PlanRequest = {
  env: {},
  home: '/r/homes/x',
  run: '001-x',
  prompt: 'Do it.\n',
  cwd: '/w',
  folder: '/r/turns/T',
  rights: 'read',
  resultFile: '/r/turns/T/result.json',
  schemaFile: '/r/schemas/coder.json',
  schema: '{"type":"object"}',
  agent: {
    acp: ['mine', '--acp'],
    args: ['--fast; rm -rf /'],
    env: { KEY: 'k', LOOPER_ROLE: 'judge', LOOPER_ACP: '{}' },
    model: 'small',
  },
  mcp: { command: '/bin/node', args: ['/looper/dist/tools.js'], env: { LOOPER_OUTBOX: '/r/turns/T/outbox.jsonl' } },
  work: sampleTurn({ agent: 'mine' }),
}

test('the driver is started, and learns of the agent from a variable that no setting overrides', () => {
  const { argv, env, stdin, files } = adapter.plan(request)
  expect(argv).toEqual(['/bin/node', '/looper/dist/acp.js'])
  expect(stdin).toBe('Do it.\n')
  expect(files).toEqual([{ path: request.schemaFile, content: request.schema }])
  expect(env).toMatchObject({
    KEY: 'k',
    LOOPER_ROLE: 'coder',
    LOOPER_RESULT_FILE: request.resultFile,
    LOOPER_INSIDE: '1',
  })
  expect(JSON.parse(env['LOOPER_ACP'] ?? '')).toEqual({
    argv: ['mine', '--acp', '--fast; rm -rf /'],
    rights: 'read',
    model: 'small',
    session: null,
    countsCost: true,
    mcp: request.mcp,
  })
})

test('a session, a model and a subscription are passed on', () => {
  const session = { id: 's-1', spent: { inputTokens: 1, outputTokens: 2, costUsd: 0.5 } }
  const agent = { ...request.agent, billing: 'subscription' as const }
  const { env } = adapter.plan({ ...request, agent, work: { ...request.work, session, model: 'big' } })
  expect(JSON.parse(env['LOOPER_ACP'] ?? '')).toMatchObject({
    session: { id: 's-1', spentUsd: 0.5 },
    model: 'big',
    countsCost: false,
  })
})

test('an agent that is not configured for it is refused', () => {
  for (const acp of [undefined, [], ['']]) {
    expect(() => adapter.plan({ ...request, agent: { acp } })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    )
  }
})
