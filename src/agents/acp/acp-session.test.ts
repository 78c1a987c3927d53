import { describe, expect, test } from 'vitest'
import { failure, methods, play, says, type Settings, told, uses, useAcpFolder } from '../../../test/kit/acp-turn.ts'
import type { AgentErrorKind } from '../../model/agent-error.ts'

useAcpFolder()

describe.concurrent('permission', () => {
  const wants = (kind?: string): object => ({ permission: { toolCallId: 't-1', title: 'x', kind } })
  test.each<['read' | 'write', object[], string]>([
    ['write', [wants('edit')], 'once'],
    ['read', [wants('execute')], 'once'],
    ['read', [wants('edit')], 'no'],
    ['read', [uses({ kind: 'edit' }), wants()], 'no'],
  ])('for who may %s: %j gets "%s"', async (rights, turn, optionId) => {
    const { log } = await play({ turn }, { rights })
    expect(log.at(-1)).toEqual({
      permission: { jsonrpc: '2.0', result: { outcome: { outcome: 'selected', optionId } } },
    })
  })

  test('a turn that ends because of a refusal says so', async () => {
    const turn = await play({ turn: [wants('edit')], answer: { stopReason: 'cancelled' } }, { rights: 'read' })
    expect(failure(turn)).toEqual({
      kind: 'interrupted',
      message: 'the agent stopped when it was not allowed to edit',
      resetsAt: null,
    })
  })

  test('nothing else can be asked of Looper', async () => {
    const { log } = await play({ turn: [{ ask: 'fs/read_text_file' }, { ask: 'terminal/create' }] })
    const error = { code: -32601 }
    expect(log.slice(-2)).toMatchObject([{ 'fs/read_text_file': { error } }, { 'terminal/create': { error } }])
  })

  const available = (...ids: string[]): object => ({
    session: { modes: { availableModes: ids.map((id) => ({ id, name: id })) } },
  })
  test.each<['read' | 'write', object, unknown]>([
    ['write', available('default', 'plan', 'bypassPermissions'), { sessionId: 's-1', modeId: 'bypassPermissions' }],
    ['write', available('default', 'yolo'), { sessionId: 's-1', modeId: 'yolo' }],
    ['write', available('read-only', 'agent', 'agent-full-access'), { sessionId: 's-1', modeId: 'agent-full-access' }],
    ['read', available('read-only', 'agent', 'agent-full-access'), { sessionId: 's-1', modeId: 'read-only' }],
    ['read', available('default', 'yolo', 'plan'), undefined],
    ['write', { session: { modes: { availableModes: 'none' } } }, undefined],
  ])('for who may %s, %j: the mode is %j', async (rights, scenario, mode) => {
    expect(told(await play(scenario, { rights }), 'session/set_mode')).toEqual(mode)
  })

  test('an agent that keeps its mode is driven in that', async () => {
    const turn = await play({
      ...available('yolo'),
      refuse: { 'session/set_mode': { code: -32603, message: 'not in this folder' } },
    })
    expect(failure(turn)).toBeNull()
  })
})

describe.concurrent('the model', () => {
  const option = {
    session: {
      configOptions: [
        { id: 'mode', category: 'mode' },
        { id: 'llm', category: 'model' },
      ],
      models: {},
    },
  }
  const method = { session: { models: {} } }
  test.each<[string, object, Settings, string, object | undefined]>([
    [
      'is chosen by option',
      option,
      { work: { model: 'big' } },
      'session/set_config_option',
      { configId: 'llm', value: 'big' },
    ],
    ['is chosen by method', method, { agent: { model: 'big' } }, 'session/set_model', { modelId: 'big' }],
    [
      "is the role's before the agent's",
      method,
      { work: { model: 'a' }, agent: { model: 'b' } },
      'session/set_model',
      { modelId: 'a' },
    ],
    ['is left alone', option, {}, 'session/set_config_option', undefined],
  ])('%s', async (_, scenario, settings, method, expected) => {
    const turn = await play(scenario, settings)
    expect(told(turn, method)).toEqual(expected && { sessionId: 's-1', ...expected })
    expect(failure(turn)).toBeNull()
  })

  test('that cannot be chosen is a matter of configuration', async () => {
    expect(failure(await play({}, { work: { model: 'big' } }))).toMatchObject({
      kind: 'config',
      message: expect.stringContaining('"big"'),
    })
    const refuse = { 'session/set_model': { code: -32602, message: 'Unknown model' } }
    const turn = await play({ ...method, refuse }, { work: { model: 'big' } })
    expect(failure(turn)).toEqual({ kind: 'config', message: 'Unknown model', resetsAt: null })
  })
})

describe.concurrent('going on with a session', () => {
  const session = { work: { session: { id: 's-1', spent: { inputTokens: 1, outputTokens: 1, costUsd: 0 } } } }

  test('reports no replayed event, not even one that arrives after the replay', async () => {
    const replay = [says('old'), uses({ rawInput: { a: 1 } })]
    const turn = await play({ replay, late: [says('also old')], turn: [says('new')] }, session)
    expect(turn.events).toEqual([
      { type: 'session', id: 's-1' },
      { type: 'message', text: 'new' },
    ])
    expect(methods(turn)).toEqual(['initialize', 'session/load', 'session/prompt'])
    expect(told(turn, 'session/load')).toMatchObject({ sessionId: 's-1', mcpServers: [{ name: 'looper' }] })
    expect(turn.answer.sessionId).toBe('s-1')
  })

  test('prefers the way without repeating the conversation', async () => {
    const turn = await play(
      { hello: { agentCapabilities: { loadSession: true, sessionCapabilities: { resume: {} } } } },
      session,
    )
    expect(methods(turn)).toEqual(['initialize', 'session/resume', 'session/prompt'])
  })

  const refusing = (code: number): object => ({ refuse: { 'session/load': { code, message: 'no' } } })
  test.each<[string, object, AgentErrorKind]>([
    ['that is unknown', refusing(-32603), 'session_not_found'],
    ['of an agent that forgets', { hello: { agentCapabilities: {} } }, 'session_not_found'],
    ['without a login', refusing(-32000), 'auth'],
  ])('%s fails', async (_, scenario, kind) => {
    expect(failure(await play(scenario, session))).toMatchObject({ kind })
  })

  test('is not promised by an agent that cannot', async () => {
    const turn = await play({ hello: { agentCapabilities: { loadSession: false } } })
    expect(turn).toMatchObject({ code: 0, answer: { sessionId: null } })
  })
})
