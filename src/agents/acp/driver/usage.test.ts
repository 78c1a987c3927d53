import { expect, test } from 'vitest'
import { tokensOf } from './usage.ts'

const usage = (more: object): Record<string, unknown> => ({
  usage: { inputTokens: 1000, cachedReadTokens: 200, cachedWriteTokens: 30, ...more },
})
const quota = (token_count: unknown): Record<string, unknown> => ({ usage: null, _meta: { quota: { token_count } } })

test.each<[string, Record<string, unknown>, object | null]>([
  [
    'thoughts beside',
    usage({ outputTokens: 30, thoughtTokens: 20, totalTokens: 1280 }),
    { inputTokens: 1230, outputTokens: 50 },
  ],
  [
    'thoughts in the output',
    usage({ outputTokens: 50, thoughtTokens: 20, totalTokens: 1280 }),
    { inputTokens: 1230, outputTokens: 50 },
  ],
  ['no total', usage({ outputTokens: 50, thoughtTokens: 20 }), { inputTokens: 1230, outputTokens: 50 }],
  [
    'a total of something else',
    { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 258_400 } },
    { inputTokens: 0, outputTokens: 0 },
  ],
  ['a quota', quota({ input_tokens: 7, output_tokens: 3 }), { inputTokens: 7, outputTokens: 3 }],
  [
    'nonsense',
    { usage: { inputTokens: -5, outputTokens: '9', totalTokens: null } },
    { inputTokens: 0, outputTokens: 0 },
  ],
  ['an empty quota', quota(null), null],
  ['nothing', {}, null],
])('%s', (_, answer, tokens) => {
  expect(tokensOf(answer)).toEqual(tokens)
})
