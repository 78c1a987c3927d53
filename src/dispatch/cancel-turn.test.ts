import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AgentConfig } from '../model/config.ts'
import { createFixture, shell, turnId, type Fixture } from '../../test/kit/dispatch.ts'
import type { LocalDispatchOptions } from './local.ts'

let fixture: Fixture
beforeEach(() => {
  fixture = createFixture()
})
afterEach(() => fixture.clean())

const complete = `printf '{"status":"complete","summary":"done"}' > "$LOOPER_RESULT_FILE"`

describe('cancelling', () => {
  const start = async (agent: AgentConfig, options?: Partial<LocalDispatchOptions>) => {
    const dispatch = fixture.create({ agents: { mine: agent }, ...options })
    dispatch.ensure(fixture.request('mine'))
    await expect.poll(() => existsSync(join(fixture.cwd, 'up')), { timeout: 120_000 }).toBe(true)
    return dispatch
  }

  test('gracefully asks with SIGINT first', async () => {
    const dispatch = await start(
      shell(
        `trap 'echo INT > got; exit' INT; trap 'echo TERM > got; exit' TERM; touch up; while :; do sleep 0.02; done`,
      ),
      { timings: { graceMs: 60_000 } },
    )
    dispatch.cancel(turnId, 'gracefully')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(readFileSync(join(fixture.cwd, 'got'), 'utf8')).toBe('INT\n')
  })

  test('gracefully ends in SIGTERM and SIGKILL when it must, children in other sessions included', async () => {
    const dispatch = await start(
      shell(`trap '' INT; trap 'echo TERM > got' TERM; setsid sleep 60 & touch up; while :; do sleep 0.02; done`),
    )
    dispatch.cancel(turnId, 'gracefully')
    dispatch.cancel(turnId, 'gracefully')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(readFileSync(join(fixture.cwd, 'got'), 'utf8')).toBe('TERM\n')
    expect(fixture.alive()).toEqual([])
  })

  test('now does not ask, even after asking', async () => {
    const dispatch = await start(shell(`trap '' INT TERM; touch up; while :; do sleep 0.02; done`), {
      timings: { graceMs: 600_000 },
    })
    dispatch.cancel(turnId, 'gracefully')
    dispatch.cancel(turnId, 'now')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(fixture.alive()).toEqual([])
  })

  test('usage that it reports when asked to stop counts', async () => {
    const dispatch = await start(
      shell(
        `trap 'echo "{\\"type\\":\\"usage\\",\\"inputTokens\\":7,\\"costUsd\\":0.5}"; exit 130' INT; touch up; while :; do sleep 0.02; done`,
      ),
      { timings: { graceMs: 60_000 } },
    )
    dispatch.cancel(turnId, 'gracefully')
    expect(await fixture.settled(dispatch)).toEqual({
      state: 'lost',
      why: 'cancelled',
      usage: { inputTokens: 7, outputTokens: 0, costUsd: 0.5 },
    })
  })

  test('before the process exists, none is started', async () => {
    const dispatch = fixture.create({ agents: { mine: shell('touch up') } })
    dispatch.ensure(fixture.request('mine'))
    dispatch.cancel(turnId, 'gracefully')
    expect(await fixture.settled(dispatch)).toMatchObject({ state: 'lost', why: 'cancelled' })
    expect(existsSync(join(fixture.cwd, 'up'))).toBe(false)
  })

  test('cancelling unknown or finished work is no error', async () => {
    const dispatch = fixture.create({ agents: { mine: shell(complete) } })
    dispatch.cancel('unknown', 'now')
    dispatch.ensure(fixture.request('mine'))
    const state = await fixture.settled(dispatch)
    dispatch.cancel(turnId, 'now')
    expect(dispatch.inspect([turnId]).get(turnId)).toEqual(state)
  })
})
