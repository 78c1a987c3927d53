/** What a run must say it has consumed, reckoned from what the model told the CLI. */
import type { Usage } from '../../../src/model/usage.ts'
import type { TokenCounts } from '../../../src/testing.ts'
import type { RealAgent } from './real-agents.ts'

export function usageOf({ price, hidesThoughts }: RealAgent, told: readonly { tokens: TokenCounts }[]): Usage {
  const sum = (pick: (tokens: TokenCounts) => number): number =>
    told.reduce((total, { tokens }) => total + pick(tokens), 0)
  return {
    inputTokens: sum(({ input, cacheRead, cacheWrite }) => input + cacheRead + cacheWrite),
    outputTokens: sum(({ output, reasoning }) => (hidesThoughts ? output - reasoning : output)),
    costUsd:
      sum(
        ({ input, cacheRead, cacheWrite, output }) =>
          input * price.input + cacheRead * price.cacheRead + cacheWrite * price.cacheWrite + output * price.output,
      ) / 1e6,
  }
}

/** Sums of fractions differ in their last digits. */
export const rounded = ({ costUsd, ...tokens }: Usage): Usage => ({
  ...tokens,
  costUsd: Math.round(costUsd * 1e8) / 1e8,
})
