/** Tests the built driver with a fake agent, started the way a turn is started. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  dist,
  failure,
  methods,
  play,
  type Played,
  says,
  type Settings,
  standIn,
  told,
  uses,
  useAcpFolder,
} from '../../../test/kit/acp-turn.ts'
import type { AgentErrorKind } from '../../model/agent-error.ts'
import type { AgentConfig } from '../../model/config.ts'
import { identityOf } from '../../platform/process-identity.ts'

useAcpFolder()

const costs = (amount: number): object => ({
  update: { sessionUpdate: 'usage_update', used: 1, size: 2, cost: { amount, currency: 'USD' } },
})

describe.concurrent('a turn', () => {
  test('is a session with the prompt, and its answer comes by the tool', async () => {
    const turn = await play({
      turn: [says('Hello '), says('there.'), { report: { status: 'complete', summary: 'by tool' } }],
    })
    expect(turn).toMatchObject({
      code: 0,
      answer: { value: { status: 'complete', summary: 'by tool' }, failure: null, sessionId: 's-1' },
    })
    expect(turn.events).toEqual([
      { type: 'session', id: 's-1' },
      { type: 'message', text: 'Hello there.' },
    ])
    expect(methods(turn)).toEqual(['initialize', 'session/new', 'session/prompt'])
    expect(told(turn, 'initialize')).toMatchObject({
      protocolVersion: 1,
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    })
    expect(told(turn, 'session/new')).toMatchObject({
      cwd: expect.stringContaining('turn-'),
      mcpServers: [{ name: 'looper', command: process.execPath }],
    })
    expect(told(turn, 'session/prompt')).toMatchObject({
      sessionId: 's-1',
      prompt: [{ type: 'text', text: expect.stringMatching(/^Do it\.\n+.*`report`/) }],
    })
  })

  test('carries its mark, and no other process sees what the driver received', async () => {
    const { log } = await play({})
    expect(log[0]).toMatchObject({ mark: 'marked', told: null })
  })

  test('answers with the last JSON of its words when it has no tool', async () => {
    const answer = says('So:\n```json\n{"status":\n "complete"}\n```', 'b')
    const turn = await play({ turn: [says('Not this: {"status":"blocked"}', 'a'), answer] })
    expect(turn.answer).toMatchObject({ value: { status: 'complete' }, failure: null })
  })

  test('words that look like events are none', async () => {
    const turn = await play({ turn: [says('{"type":"error","kind":"auth","message":"no"}')] })
    expect(turn.answer).toMatchObject({ value: null, failure: null })
  })

  test('gives a sign of life where there is no event', async () => {
    const thought = { update: { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'hm' } } }
    const { stderr, events } = await play({ turn: [{ pause: 1_100 }, thought, says('Done.')] })
    expect(stderr).toBe('.')
    expect(events).toHaveLength(2)
  })

  test('updates of another session, or of none, are ignored', async () => {
    const other = { ...says('of a subagent'), sessionId: 's-2' }
    const odd = [
      null,
      7,
      {},
      { sessionUpdate: 'plan' },
      { sessionUpdate: 'agent_message_chunk' },
      { sessionUpdate: 'tool_call' },
    ]
    const { events, answer } = await play({ turn: [other, ...odd.map((update) => ({ update })), says('Done.')] })
    expect(events.slice(1)).toEqual([
      { type: 'message', text: 'Done.' },
      { type: 'tool_use', name: 'tool', input: {} },
    ])
    expect(answer.failure).toBeNull()
  })
})

describe.concurrent('usage', () => {
  const spent = { session: { id: 's-1', spent: { inputTokens: 1, outputTokens: 1, costUsd: 0.5 } } }
  const usage = { inputTokens: 1000, cachedReadTokens: 200, outputTokens: 50, totalTokens: 1250 }
  test.each<[string, Settings, number]>([
    ['of a fresh session', {}, 0.75],
    ['of one that goes on', { work: spent }, 0.25],
    ['of a subscription', { agent: { billing: 'subscription' } }, 0],
  ])('%s', async (_, settings, costUsd) => {
    const { answer } = await play({ turn: [costs(0.75)], answer: { usage } }, settings)
    expect(answer.usage).toEqual({ inputTokens: 1200, outputTokens: 50, costUsd })
  })
})

describe.concurrent('how a turn stops', () => {
  test.each<[unknown, AgentErrorKind | null]>([
    ['end_turn', null],
    ['max_tokens', 'context_overflow'],
    ['max_turn_requests', 'max_turns'],
    ['refusal', 'bad_response'],
    ['cancelled', 'interrupted'],
    ['boredom', 'bad_response'],
    [null, 'bad_response'],
  ])('%s is %s', async (stopReason, kind) => {
    const turn = await play({ answer: { stopReason } })
    expect([turn.code, failure(turn)?.kind ?? null]).toEqual([kind === null ? 0 : 1, kind])
  })

  test('a valid answer stands, however it stops', async () => {
    const { answer } = await play({ turn: [{ report: { status: 'complete' } }], answer: { stopReason: 'max_tokens' } })
    expect(answer).toMatchObject({ value: { status: 'complete' }, failure: { kind: 'context_overflow' } })
  })

  test.each(['initialize', 'session/new', 'session/prompt'])('%s refused for want of a login', async (method) => {
    const turn = await play({ refuse: { [method]: { code: -32000, message: 'Authentication required' } } })
    const message = 'Authentication required: log in with the agent itself, or give it a key'
    expect(failure(turn)).toEqual({ kind: 'auth', message, resetsAt: null })
  })

  test('an error reported as the last words is one; in the middle of work it is talk', async () => {
    const sentence = 'exceeded retry limit, last status: 429 Too Many Requests\n\n'
    expect(failure(await play({ turn: [says('Hi.', 'a'), says(sentence)] }))).toMatchObject({ kind: 'rate_limited' })
    expect(failure(await play({ turn: [says(sentence), uses({ rawInput: { a: 1 } })] }))).toBeNull()
    expect(failure(await play({ turn: [says(sentence, 'a'), says('Now it works.', 'b')] }))).toBeNull()
  })
})

describe.concurrent('an agent that does not behave', () => {
  test.each<[string, object, AgentErrorKind, RegExp]>([
    ['ends at once', { first: [{ complain: 'bad flag\n' }, { exit: 2 }] }, 'crash', /exited with code 2: bad flag/],
    ['ends well in the middle', { turn: [says('Hi.'), { exit: 0 }] }, 'crash', /exited with code 0/],
    ['dies in the middle', { turn: [{ signal: 'SIGKILL' }] }, 'crash', /ended by SIGKILL/],
    ['is asked to end by another process', { turn: [{ signal: 'SIGTERM' }] }, 'interrupted', /interrupted/],
    ['speaks another version', { hello: { protocolVersion: 2 } }, 'config', /version 2 of ACP/],
    ['says nothing of its version', { hello: { protocolVersion: null } }, 'config', /version null/],
    [
      'has no sessions',
      { refuse: { 'session/new': { code: -32601, message: 'Method not found' } } },
      'config',
      /Method not found/,
    ],
    ['gives no id', { session: { sessionId: 7 } }, 'bad_response', /no id/],
    [
      'only babbles',
      { first: [{ print: 'usage: x\n'.repeat(1_001) }, { hang: true }] },
      'bad_response',
      /does not speak ACP: usage: x/,
    ],
    ['babbles and ends', { first: [{ print: 'usage: x [y]\n' }, { exit: 0 }] }, 'crash', /usage: x \[y\]/],
  ])('%s', async (_, scenario, kind, message) => {
    const turn = await play(scenario)
    expect(turn.code).toBe(1)
    expect(failure(turn)).toEqual({ kind, message: expect.stringMatching(message), resetsAt: null })
  })

  test('some noise is borne', async () => {
    const lines = [
      'starting',
      '\u0000\u0001{',
      '[]',
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '{"jsonrpc":"2.0","id":"x","error":1}',
      '{}',
    ]
    const noise = { print: `${lines.join('\n')}\n` }
    const turn = await play({ first: [noise], turn: [noise, { report: { status: 'complete' } }] })
    expect(turn).toMatchObject({ code: 0, answer: { failure: null } })
  })

  test('the text before a crash is kept', async () => {
    const { events } = await play({ turn: [says('Half a sen'), { signal: 'SIGKILL' }] })
    expect(events.slice(1)).toMatchObject([{ type: 'message', text: 'Half a sen' }, { type: 'error' }])
  })

  test.each<[string, AgentConfig, RegExp]>([
    ['does not exist', { acp: ['/no/such/program'] }, /no such program/],
    ['is no program', { acp: [join(standIn, '..')] }, /not executable/],
  ])('%s', async (_, agent, message) => {
    const turn = await play({}, { agent })
    expect(turn.code).toBe(1)
    expect(failure(turn)).toMatchObject({ kind: 'config', message: expect.stringMatching(message) })
  })

  test('an echo is no agent', async () => {
    expect(failure(await play({}, { agent: { acp: ['cat'], args: [] } }))).toMatchObject({ kind: 'config' })
  })

  test('a driver without instructions does nothing', async () => {
    const child = spawn(process.execPath, [join(dist, 'acp.js')], { env: {}, stdio: ['ignore', 'inherit', 'pipe'] })
    expect(await new Promise((settle) => child.on('close', settle))).toBe(2)
  })
})

describe.concurrent('the end', () => {
  const stubborn = { turn: [{ hang: true }], stubborn: ['SIGINT', 'SIGTERM'] }
  const goesOn = { turn: [{ until: 'session/cancel' }, says('No.'), { hang: true }] }
  const pidOf = ({ log }: Played): number => Number(log[0]?.pid)
  const isGone = (turn: Played): boolean => identityOf(pidOf(turn)) === null

  test('of the turn is the end of the agent, whatever it does about it', async () => {
    for (const scenario of [{}, { stays: true }, { stays: true, stubborn: ['SIGTERM'] }]) {
      const turn = await play(scenario)
      expect([turn.code, isGone(turn)]).toEqual([0, true])
    }
  })

  test('asked for: the agent may say its last words', async () => {
    const answer = { stopReason: 'cancelled', usage: { inputTokens: 5, outputTokens: 1 } }
    const turn = await play(
      { turn: [says('Hm.'), { until: 'session/cancel' }, says(' Stopped.')], answer },
      { when: ['session/prompt', (pid) => process.kill(pid, 'SIGINT')] },
    )
    const error = { kind: 'interrupted' }
    expect(turn.events).toMatchObject([{ type: 'session' }, { text: 'Hm. Stopped.' }, { type: 'usage' }, { error }])
    expect([turn.code, isGone(turn)]).toEqual([1, true])
  })

  test.each<[string, object, string, (pid: number) => void]>([
    ['of the whole group', { turn: [{ hang: true }] }, 'session/prompt', (pid) => process.kill(-pid, 'SIGINT')],
    ['of one that goes on', goesOn, 'session/prompt', (pid) => process.kill(pid, 'SIGTERM')],
    ['before there is a session', { deaf: ['session/new'] }, 'session/new', (pid) => process.kill(pid, 'SIGTERM')],
    ['of one that does not listen', stubborn, 'session/prompt', (pid) => process.kill(-pid, 'SIGTERM')],
  ])('asked for: %s', async (_, scenario, method, act) => {
    const turn = await play(scenario, { when: [method, act] })
    expect(failure(turn)).toMatchObject({ kind: 'interrupted' })
    expect([turn.code, isGone(turn)]).toEqual([1, true])
  })

  test('asked for twice is not asked for any more', async () => {
    const insist = (pid: number): void => {
      process.kill(pid, 'SIGINT')
      process.kill(pid, 'SIGTERM')
    }
    const turn = await play(stubborn, { when: ['session/prompt', insist] })
    expect(failure(turn)).toMatchObject({ kind: 'interrupted' })
    expect(isGone(turn)).toBe(true)
    expect(turn.log.filter(({ signal }) => signal !== undefined)).toEqual([])
  })

  test('nothing is permitted once the end is asked for', async () => {
    const turn = await play(
      { turn: [{ until: 'session/cancel' }, { permission: { toolCallId: 't', kind: 'edit' } }] },
      { when: ['session/prompt', (pid) => process.kill(pid, 'SIGTERM')] },
    )
    const asked = turn.log.find(({ permission }) => permission !== undefined)
    expect(asked).toMatchObject({ permission: { result: { outcome: { outcome: 'cancelled' } } } })
  })
})
