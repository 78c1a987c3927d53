import { expect, test } from 'vitest'
import { quotaText } from './quota-text.ts'

test('F1: whoever pays by subscription sees how much of it is used', () => {
  const five = { name: 'five_hour', used: 0.624, resetsAt: '2026-03-01T11:00:00.000Z' }
  expect(quotaText({ allowances: { claude: [five, { name: 'seven_day', used: null, resetsAt: null }] } }))
    .toBe('claude five hour 62% used, anew 2026-03-01 11:00 UTC')
  expect(quotaText({ allowances: {} })).toBe('')
})
