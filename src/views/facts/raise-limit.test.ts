import { expect, test } from 'vitest'
import { sampleConfig, sampleState } from '../../../test/kit/state.ts'
import { withAmounts } from './raise-limit.ts'

const { limits } = sampleConfig()
const usage = (costUsd: number): { inputTokens: number; outputTokens: number; costUsd: number } => ({
  inputTokens: 600,
  outputTokens: 400,
  costUsd,
})

test.each([
  ['--turns <more>', { turns: 3 }, '--turns 8'],
  ['--turns <more>', { turns: 0 }, '--turns 8'],
  ['--cost-usd <more>', { costUsd: 1 }, '--cost-usd 4'],
  ['--cost-usd <more>', { costUsd: 50 }, '--cost-usd 100'],
  ['--tokens <more>', { tokens: 900 }, '--tokens 4000'],
  ['--time-minutes <more>', { timeMinutes: 5 }, '--time-minutes 10'],
  ['--wait-minutes <more>', { waitMinutes: 0 }, '--wait-minutes 1'],
  ['--disk-mb <more>', { diskMb: 3 }, '--disk-mb 9'],
  ['--colors <more>', {}, '--colors <more>'],
])('%s with %j: a number that suffices', (text, changed, expected) => {
  const config = sampleConfig({ limits: { ...limits, ...changed } })
  const state = sampleState({ config, turns: 4, usage: usage(1.2), dearest: usage(0.7), diskBytes: 4_500_000 })
  expect(withAmounts(`looper resume ${text}`, state)).toBe(`looper resume ${expected}`)
})
