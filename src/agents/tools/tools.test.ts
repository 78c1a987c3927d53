/** Tests the built program through the protocol that agents use. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { program, talk, variables, useToolsFolder } from '../../../test/kit/tools-talk.ts'

useToolsFolder()

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

describe('the protocol', () => {
  test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '%s begins with a handshake',
    async (protocolVersion) => {
      const answers = await talk([
        {
          id: 'a',
          method: 'initialize',
          params: { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
        },
        { method: 'notifications/initialized' },
        { id: 2, method: 'ping' },
        { id: 3, method: 'tools/list' },
        { id: 4, method: 'resources/list' },
      ])
      expect(answers).toMatchObject([
        {
          jsonrpc: '2.0',
          id: 'a',
          result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'looper', version } },
        },
        { id: 2, result: {} },
        {
          id: 3,
          result: { tools: [{ name: 'report' }, { name: 'record_decision' }, { name: 'add_task' }, { name: 'ask' }] },
        },
        { id: 4, error: { code: -32601 } },
      ])
      const { tools } = answers[2]!.result
      expect(tools[0]?.inputSchema).toMatchObject({ type: 'object', required: ['status'] })
      for (const { inputSchema } of tools) expect(inputSchema.type).toBe('object')
    },
  )

  test('an unknown version is answered with the newest that has a handshake', async () => {
    const [answer] = await talk([{ id: 1, method: 'initialize', params: { protocolVersion: '1999-01-01' } }])
    expect(answer?.result.protocolVersion).toBe('2025-11-25')
  })

  test('since 2026-07-28 there is none: each request reports its version', async () => {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const answers = await talk([
      { id: 1, method: 'server/discover', params: { _meta } },
      { id: 2, method: 'tools/list', params: { _meta } },
      { id: 3, method: 'tools/call', params: { _meta, name: 'report', arguments: { status: 'complete' } } },
      { id: 4, method: 'tools/list', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2999-01-01' } } },
    ])
    expect(answers).toMatchObject([
      {
        result: {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {} },
          ttlMs: expect.any(Number),
        },
      },
      { result: { resultType: 'complete', tools: expect.any(Array), cacheScope: 'private' } },
      { result: { resultType: 'complete', isError: false } },
      { error: { code: -32022, data: { requested: '2999-01-01', supported: expect.arrayContaining(['2026-07-28']) } } },
    ])
  })

  test('no line can end it', async () => {
    const invalid = { code: -32600 }
    const answers = await talk([
      'no json',
      Buffer.from([0xff, 0x00, 0x7b]),
      'null',
      '7',
      '{}',
      '{"jsonrpc":"2.0","id":{},"method":"ping"}',
      '{"jsonrpc":"1.0","id":5,"method":"ping"}',
      '{"jsonrpc":"2.0","id":6,"result":{}}',
      '{"jsonrpc":"2.0","id":7,"error":null}',
      '{"jsonrpc":"2.0","method":"no/such/notification","params":[1]}',
      '{"jsonrpc":"2.0","id":8,"method":"tools/call","params":null}',
      '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"toString","arguments":[]}}',
      '{"jsonrpc":"2.0","id":10,"method":"__proto__"}',
      '[]',
      '[1,{"jsonrpc":"2.0","id":11,"method":"ping"},{"jsonrpc":"2.0","method":"ping"}]',
      '[{"jsonrpc":"2.0","method":"ping"}]',
      `[${'0,'.repeat(200)}0]`,
      '['.repeat(100_000),
      Buffer.alloc(9 * 1024 * 1024, 'x'),
      `{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"report","arguments":${'['.repeat(3_000)}${']'.repeat(3_000)}}}`,
      { id: 13, method: 'ping' },
    ])
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } },
      { id: null, error: invalid },
      { id: null, error: invalid },
      { id: null, error: invalid },
      { id: null, error: invalid },
      { id: 5, error: invalid },
      { id: 7, error: invalid },
      { id: 8, error: { code: -32602 } },
      { id: 9, error: { code: -32602 } },
      { id: 10, error: { code: -32601 } },
      { id: null, error: invalid },
      [
        { id: null, error: invalid },
        { id: 11, result: {} },
      ],
      { id: null, error: invalid },
      { id: null, error: { code: -32700 } },
      { id: null, error: { code: -32700 } },
      { id: 12, result: { isError: true } },
      { id: 13, result: {} },
    ])
  })

  test('it ends with the agent, and does not start without a turn', () => {
    expect(spawnSync(process.execPath, [program], { env: variables('implement'), input: '' }).status).toBe(0)
    expect(spawnSync(process.execPath, [program], { env: variables('unknown'), input: '' })).toMatchObject({
      status: 2,
    })
    expect(spawnSync(process.execPath, [program], { env: {}, input: '' })).toMatchObject({ status: 2 })
  })
})
