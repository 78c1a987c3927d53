/** What must be true of the answer of a turn, whatever program gave it. */
import { expect } from 'vitest'
import type { TurnAnswer } from '../../src/agents/adapter.ts'
import type { Usage } from '../../src/model/usage.ts'
import type { Expected } from './adapter-contract.ts'
import type { Recording } from './recording.ts'

/** What the engine counts on, whatever was printed. */
export function expectSound({ usage, text, sessionId, failure, value }: TurnAnswer, id: RegExp, twist: string): void {
  const isSound =
    Object.values(usage).every((amount) => Number.isFinite(amount) && amount >= 0)
    && [text, failure?.message ?? ''].every((each) => typeof each === 'string')
    && (sessionId === null || id.test(sessionId))
    && (value === null || (typeof value === 'object' && !Array.isArray(value)))
  if (!isSound)
    throw new Error(
      `${twist.slice(0, 300)}: ${JSON.stringify({ usage, text, sessionId, failure, value }).slice(0, 1_000)}`,
    )
}

export function expectReset(found: string | null, { resetsAt, lines }: Recording, expected: Expected): void {
  const { resets, resetsIn, resetsAt: told = resetsAt } = expected
  if (resetsIn !== undefined) {
    const { timestamp } = JSON.parse(lines.at(-1) ?? '{}')
    return expect(found).toBe(new Date(new Date(timestamp).getTime() + resetsIn * 1_000).toISOString())
  }
  if (resets === 'by the clock of today') return
  if (resets === undefined) return expect(found).toBeNull()
  const late = Date.parse(found ?? '') - Date.parse(told ?? '')
  expect(late).toBeGreaterThanOrEqual(0)
  expect(late).toBeLessThanOrEqual(resets === 'exact' ? 999 : 60_000)
}

export function expectUsage(found: Usage, expected: Usage, name?: string): void {
  expect(found, name).toEqual({ ...expected, costUsd: expect.closeTo(expected.costUsd, 8) })
}
