import { expect, test } from 'vitest'
import { converse } from './converse.ts'

/** An agent that answers at once, and the order of the calls. `silences`: the result of each call of `silentMs`. */
function talk(agentCapabilities: object, silences: number[]) {
  const steps: string[] = []
  const answers: Record<string, object> = {
    initialize: { protocolVersion: 1, agentCapabilities },
    'session/prompt': { stopReason: 'end_turn' },
  }
  const over = converse({
    peer: {
      ask: (method) => {
        steps.push(method)
        return Promise.resolve(answers[method] ?? {})
      },
    },
    instruction: {
      argv: ['x'],
      rights: 'write',
      model: null,
      session: { id: 's-1', spentUsd: 0 },
      countsCost: true,
      mcp: { command: 'y', args: [], env: {} },
    },
    moment: () => ({ after: '2026-11-15T23:52:00.000Z', said: null, zone: 'UTC' }),
    cwd: '/',
    prompt: 'Do it.',
    onSession: () => {},
    onPrompt: () => steps.push('listen'),
    silentMs() {
      steps.push('look')
      return silences.shift() ?? 1_000
    },
  })
  return { over, steps }
}

test('an agent that replays its session gets the prompt after the replay', async () => {
  const { over, steps } = talk({ loadSession: true }, [0, 10, 20, 30, 40, 50, 60])
  expect(await over).toEqual({ stopReason: 'end_turn' })
  expect(steps.slice(0, 3)).toEqual(['initialize', 'session/load', 'look'])
  expect(steps.filter((step) => step === 'look').length).toBeGreaterThan(7)
  expect(steps.slice(-3)).toEqual(['look', 'listen', 'session/prompt'])
})

test('an agent that can continue without it is not waited for', async () => {
  const { over, steps } = talk({ sessionCapabilities: { resume: {} } }, [])
  await over
  expect(steps).toEqual(['initialize', 'session/resume', 'listen', 'session/prompt'])
})
