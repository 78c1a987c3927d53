/** What turns consume. Usage is cumulative per turn, so reading a stream again counts nothing twice. */

export interface Usage {
  inputTokens: number
  outputTokens: number
  costUsd: number
}

export const noUsage: Readonly<Usage> = { inputTokens: 0, outputTokens: 0, costUsd: 0 }

export const addUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens + b.inputTokens,
  outputTokens: a.outputTokens + b.outputTokens,
  costUsd: a.costUsd + b.costUsd,
})

export const subtractUsage = (a: Usage, b: Usage): Usage => ({
  inputTokens: a.inputTokens - b.inputTokens,
  outputTokens: a.outputTokens - b.outputTokens,
  costUsd: a.costUsd - b.costUsd,
})
