/** Records what turns consume: while they run, when they end, and once only. */
import type { RunState } from '../model/state.ts'
import { noUsage, type Usage } from '../model/usage.ts'
import type { Outcome } from '../model/work.ts'
import type { Recorder } from './recorder.ts'

export interface Spending {
  /** Records the usage of running work when it has grown. */
  soFar(id: string, usage: Usage): void
  /** Usage counts even when the work was cancelled. */
  inTotal(id: string, usage: Usage): void
  /** Records the usage of the outcome. Returns the outcome to record. */
  paid(id: string, outcome: Outcome): Outcome
}

export function createSpending(state: RunState, { record }: Pick<Recorder, 'record'>): Spending {
  const spent = (id: string, usage: Usage): void => {
    if (amountOf(usage) > 0) record({ type: 'budget.spent', work: id, usage })
  }
  return {
    soFar(id, usage) {
      const known = state.spending[id]
      if (amountOf(usage) > (known ? amountOf(known) : 0)) record({ type: 'budget.spent', work: id, usage })
    },
    inTotal: spent,
    /** The usage of an answer that is kept for later is set to zero, so that it is not counted again. */
    paid(id, outcome) {
      if (outcome.kind === 'turn') spent(id, outcome.usage)
      if (outcome.kind !== 'failure' || outcome.answer === undefined) return outcome
      spent(id, outcome.answer.usage)
      return { ...outcome, answer: { ...outcome.answer, usage: { ...noUsage } } }
    },
  }
}

/** Greater than zero when anything was consumed. */
const amountOf = ({ costUsd, inputTokens, outputTokens }: Usage): number => costUsd + inputTokens + outputTokens
