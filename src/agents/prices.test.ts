import { expect, test } from 'vitest'
import type { AgentConfig } from '../model/config.ts'
import { costOf } from './prices.ts'

const million = { input: 1_000_000, cachedInput: 0, output: 1_000_000 }
const half = { ...million, cachedInput: 500_000 }

test.each<[string | null, typeof million, AgentConfig, number]>([
  ['gpt-5', million, {}, 11.25],
  ['gpt-5', half, {}, 10.6875],
  ['gpt-5-2025-08-07', million, {}, 11.25],
  ['gpt-5-codex', half, {}, 10.6875],
  ['gpt-5-mini', half, {}, 2.1375],
  ['gpt-5-nano', half, {}, 0.4275],
  ['gemini-2.5-pro', half, {}, 11.25],
  ['gemini-2.5-flash', million, {}, 2.8],
  ['gemini-2.5-flash-lite', million, {}, 0.5],
  ['claude-sonnet-5', half, {}, 11.1],
  ['claude-opus-5-5', million, {}, 24],
  ['claude-haiku-4-5-20251001', half, {}, 5.55],
  ['gpt-5.5', million, {}, 0],
  ['toString', million, {}, 0],
  [null, million, {}, 0],
  ['gpt-5', million, { prices: { 'gpt-5': { input: 1, output: 2 } } }, 3],
  ['gpt-5', half, { prices: { 'gpt-5': { input: 1, output: 2 } } }, 3],
  ['gpt-5.5', half, { prices: { 'gpt-5.5': { input: 2, output: 4, cachedInput: 1 } } }, 5.5],
  ['gpt-5', { input: 1_000_000, cachedInput: 9_000_000, output: 0 }, {}, 0.125],
  ['gpt-5', million, { billing: 'subscription' }, 0],
  ['gpt-5', { input: 1e300, cachedInput: 0, output: 0 }, {}, 1e6],
])('%s, %o, %o (D5)', (model, consumed, agent, dollars) => {
  expect(costOf(consumed, model, agent)).toBeCloseTo(dollars, 9)
})
