import { expect, test } from 'vitest'
import { sampleState } from '../../../test/kit/state.ts'
import { consumedText, quotaText } from './quota-text.ts'

test('F1: a subscription shows how much of it is used', () => {
  const five = { name: 'five_hour', used: 0.624, resetsAt: '2026-03-01T11:00:00.000Z' }
  expect(quotaText({ allowances: { claude: [five, { name: 'seven_day', used: null, resetsAt: null }] } })).toBe(
    'claude five hour 62% used, anew 2026-03-01 11:00 UTC',
  )
  expect(quotaText({ allowances: {} })).toBe('')
})

test.each([
  [{ costUsd: 0.42, inputTokens: 12_000, outputTokens: 3_000 }, '$0.42 · 12.0k tokens in, 3.0k out'],
  [{ costUsd: 0, inputTokens: 12_000, outputTokens: 3_000 }, '12.0k tokens in, 3.0k out · claude five hour 50% used'],
  [{ costUsd: 0, inputTokens: 0, outputTokens: 0 }, 'claude five hour 50% used'],
])('F1: what %o is in words', (usage, words) => {
  expect(
    consumedText(sampleState({ usage, allowances: { claude: [{ name: 'five_hour', used: 0.5, resetsAt: null }] } })),
  ).toBe(words)
})

test('an agent that reports no quota has no text', () => {
  expect(consumedText(sampleState({ usage: { costUsd: 0, inputTokens: 0, outputTokens: 0 } }))).toBe(
    'not reported by the agents',
  )
})
