/** Runs turns of ACP agents through dispatch: driver, agent and tools are separate processes. */
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAcpAdapter } from '../agents/acp/index.ts'
import type { AgentConfig } from '../model/config.ts'
import { createFixture, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import type { LocalDispatch } from './local.ts'

const dist = resolve(import.meta.dirname, '../../dist')
const options = {
  mcpPath: join(dist, 'tools.js'),
  adapters: { mine: createAcpAdapter({ driverPath: join(dist, 'acp.js') }) },
}
const agent = (scenario: object): AgentConfig => ({
  acp: [process.execPath, resolve(import.meta.dirname, '../../test/kit/acp-agent.js'), JSON.stringify(scenario)],
})

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

test('the answer is reported by tool, beside messages and tool uses', async () => {
  const says = {
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Done: {"status":"blocked"}' } },
  }
  const usage = { inputTokens: 1000, cachedReadTokens: 200, outputTokens: 50, totalTokens: 1250 }
  const report = { status: 'complete', summary: 'by tool' }
  const outcome = await fixture.turn(agent({ turn: [{ report }, says], answer: { usage } }), options)
  expect(outcome).toMatchObject({
    status: 'ok',
    result: report,
    sessionId: 's-1',
    usage: { inputTokens: 1200, outputTokens: 50, costUsd: 0 },
  })
  expect(fixture.alive()).toEqual([])
})

test('errors are reported with their kind', async () => {
  const refuse = { 'session/prompt': { code: 429, message: 'You have exhausted your daily quota on this model.' } }
  expect(await fixture.turn(agent({ refuse }), options)).toMatchObject({
    status: 'error',
    error: { kind: 'usage_limit' },
  })
})

describe('the end leaves nothing behind', () => {
  const started = async (scenario: object): Promise<LocalDispatch> => {
    const dispatch = fixture.create({ agents: { mine: agent(scenario) }, ...options })
    dispatch.ensure(fixture.request('mine'))
    const log = join(fixture.cwd, 'acp.log')
    await expect
      .poll(() => existsSync(log) && readFileSync(log, 'utf8').includes('session/prompt'), { timeout: 120_000 })
      .toBe(true)
    return dispatch
  }

  test.each<['gracefully' | 'now', object]>([
    ['gracefully', { turn: [{ until: 'session/cancel' }] }],
    ['gracefully', { turn: [{ hang: true }], stubborn: ['SIGINT', 'SIGTERM'] }],
    ['now', { turn: [{ hang: true }], stubborn: ['SIGINT', 'SIGTERM'] }],
  ])('%s, of %j', async (how, scenario) => {
    const dispatch = await started(scenario)
    expect(fixture.alive().length).toBeGreaterThan(1)
    dispatch.cancel(turnId, how)
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(fixture.alive()).toEqual([])
  })
})
