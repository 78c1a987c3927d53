/** Tests the built program through the protocol that agents use. */
import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { Purpose } from '../../model/purposes.ts'
import { resultJsonSchema } from '../result.ts'

const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

const program = resolve(import.meta.dirname, '../../../dist/tools.js')
const root = mkdtempSync(join(tmpdir(), 'looper-tools-'))
afterAll(() => rmSync(root, { recursive: true }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'turn-'))
})
const file = (name: string): string => join(folder, name)

const variables = (purpose: string): Record<string, string> => ({
  LOOPER_PURPOSE: purpose,
  LOOPER_RESULT_FILE: file('result.json'),
  LOOPER_RESULT_SCHEMA: file('schema.json'),
  LOOPER_OUTBOX: file('outbox.jsonl'),
})

interface Answer {
  result: {
    tools: { name: string; inputSchema: { type: string } }[]
    content: { text: string }[]
    isError: boolean
    protocolVersion: string
  }
}

/** Sends lines, closes the input, resolves with the response lines. */
async function talk(lines: readonly (string | Buffer | object)[], purpose: Purpose = 'implement'): Promise<Answer[]> {
  writeFileSync(file('schema.json'), JSON.stringify(await resultJsonSchema(purpose)))
  const child = spawn(process.execPath, [program], { env: variables(purpose), stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  for (const line of lines) {
    const text = typeof line === 'string' || Buffer.isBuffer(line) ? line : JSON.stringify({ jsonrpc: '2.0', ...line })
    child.stdin.write(Buffer.concat([Buffer.from(text), Buffer.from('\n')]))
  }
  child.stdin.end()
  const code = await new Promise((settle) => child.on('close', settle))
  expect(code).toBe(0)
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer)
}

const call = (name: string, input: unknown): object => ({
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
})
const said = ({ result }: Answer): string => result.content[0]!.text
const outbox = (): unknown[] =>
  readFileSync(file('outbox.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

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

  test('since 2026-07-28 there is none: each request tells its version', async () => {
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

describe('report', () => {
  test('writes the answer to the result file, readable only by the user', async () => {
    const answers = await talk([
      call('report', { status: 'complete', summary: 'first' }),
      call('report', { status: 'complete', extra: 'é' }),
    ])
    expect(answers.map(({ result }) => result.isError)).toEqual([false, false])
    expect(JSON.parse(readFileSync(file('result.json'), 'utf8'))).toEqual({ status: 'complete', extra: 'é' })
    expect(statSync(file('result.json')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder).toSorted()).toEqual(['result.json', 'schema.json'])
  })

  test('names what is wrong, and leaves nothing', async () => {
    const [wrong, none, list] = await talk([
      call('report', { status: 'done', files: [1] }),
      { id: 1, method: 'tools/call', params: { name: 'report' } },
      call('report', []),
    ])
    expect(said(wrong!)).toContain(
      '- status: expected one of "complete"|"blocked"|"needs_clarification"\n- files[0]: expected string',
    )
    expect(said(none!)).toContain("not a coder's answer")
    expect(said(list!)).toContain('answer: expected object')
    expect([wrong, none, list].map((answer) => answer?.result.isError)).toEqual([true, true, true])
    expect(existsSync(file('result.json'))).toBe(false)
  })

  test('an answer that Looper would not read to its end is refused', async () => {
    const [answer] = await talk([call('report', { status: 'complete', more: 'x'.repeat(4 * 1024 * 1024) })])
    expect(said(answer!)).toContain('too long')
  })

  test('says why it could not be kept', async () => {
    writeFileSync(file('a-file'), '')
    const child = spawnSync(process.execPath, [program], {
      env: { ...variables('implement'), LOOPER_RESULT_FILE: join(file('a-file'), 'result.json') },
      input: `${JSON.stringify({ jsonrpc: '2.0', ...call('report', { status: 'complete' }) })}\n`,
    })
    const { result } = JSON.parse(child.stdout.toString()) as Answer
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('ENOTDIR') }] })
  })

  test('is described even when the schema file is gone or spoilt', async () => {
    for (const content of [null, 'spoilt', '[]', '{"type":"string"}']) {
      rmSync(file('schema.json'), { force: true })
      if (content !== null) writeFileSync(file('schema.json'), content)
      const input = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n'
      const { stdout } = spawnSync(process.execPath, [program], { env: variables('test'), input })
      expect((JSON.parse(stdout.toString()) as Answer).result.tools[0]?.inputSchema).toMatchObject({
        type: 'object',
        required: ['status'],
      })
    }
  })
})

describe('telling while working', () => {
  const decision = { title: 'Use a map', choice: 'map', alternatives: [{ option: 'list', why: 'slow' }] }
  const task = { title: 'Document it', complexity: 'simple' }
  const question = { text: 'Which port?', options: ['80', '8080'], default: '8080' }

  test('is one line each in the outbox, and returns at once', async () => {
    const answers = await talk([call('record_decision', decision), call('add_task', task), call('ask', question)])
    expect(answers.map(({ result }) => result.isError)).toEqual([false, false, false])
    expect(said(answers[2]!)).toMatch(/^Recorded\. .*continue with what does not depend on it/)
    expect(outbox()).toEqual([
      { kind: 'decision', value: decision },
      { kind: 'task', value: task },
      { kind: 'question', value: question },
    ])
    expect(statSync(file('outbox.jsonl')).mode & 0o777).toBe(0o600)
  })

  test('is refused when it is wrong', async () => {
    const huge = { title: 'A', complexity: 'huge' }
    const answers = await talk([call('record_decision', {}), call('add_task', huge), call('ask', { text: '' })])
    expect(answers.map(said)).toEqual([
      'Not accepted: title: required',
      'Not accepted: complexity: expected one of "simple"|"medium"|"complex"',
      expect.stringMatching(/^Not accepted: text: /),
    ])
    expect(existsSync(file('outbox.jsonl'))).toBe(false)
  })

  test('is bounded in size and number, also over several starts of the program', async () => {
    const [long] = await talk([call('ask', { text: 'x'.repeat(20_000) })])
    expect(long?.result.isError).toBe(true)
    for (const times of [30, 30])
      await talk(Array.from({ length: times }, (_, i) => call('ask', { text: `question ${times} ${i}` })))
    expect(outbox()).toHaveLength(50)
    await talk(
      Array.from({ length: 20 }, (_, i) => call('add_task', { title: `task ${i}`, description: 'x'.repeat(15_000) })),
    )
    expect(statSync(file('outbox.jsonl')).size).toBeLessThanOrEqual(128 * 1024)
  })

  test('is refused at once when the outbox is not a regular file', async () => {
    writeFileSync(file('victim'), 'precious')
    for (const plant of [
      () => symlinkSync(file('victim'), file('outbox.jsonl')),
      () => void spawnSync('mkfifo', [file('outbox.jsonl')]),
    ]) {
      plant()
      const [answer] = await talk([call('ask', question)])
      expect(answer?.result.isError).toBe(true)
      rmSync(file('outbox.jsonl'))
    }
    expect(readFileSync(file('victim'), 'utf8')).toBe('precious')
  })

  test.each<[Purpose, string[]]>([
    ['plan', ['report', 'record_decision', 'add_task', 'ask']],
    ['verify-task', ['report']],
    ['test', ['report']],
    ['judge', ['report']],
  ])('%s is offered only what its answer has a place for', async (purpose, names) => {
    const [answer] = await talk([{ id: 1, method: 'tools/list' }], purpose)
    expect(answer?.result.tools.map(({ name }) => name)).toEqual(names)
  })
})
