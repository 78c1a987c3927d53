/**
 * A step that needs the world: not done yet, failed, or done with an outcome.
 * Steps without an outcome return a `Proposal`, or null when they are done.
 */
import type { RunState } from '../model/state.ts'
import type { FailureOutcome, Outcome, Work } from '../model/work.ts'
import { outcomeOf } from './ledger.ts'
import { environment, pause, want, type Proposal } from './proposal.ts'

/** What must be recorded, done or awaited first. */
export interface NotYet {
  status: 'not-yet'
  proposal: Proposal
}

export interface Failed<F> {
  status: 'failed'
  failure: F
}

export interface Done<T> {
  status: 'done'
  outcome: T
}

export type Step<T, F = never> = NotYet | Done<T> | ([F] extends [never] ? never : Failed<F>)

export const notYet = (proposal: Proposal): NotYet => ({ status: 'not-yet', proposal })

export const failed = <F>(failure: F): Failed<F> => ({ status: 'failed', failure })

export const done = <T>(outcome: T): Done<T> => ({ status: 'done', outcome })

export type OutcomeOf<W extends Work> = Extract<Outcome, { kind: W['kind'] }>

/** Returns the outcome of the work from the ledger, or wants the work when there is none. */
export function perform<const W extends Work>(state: RunState, work: W): Step<OutcomeOf<W>, FailureOutcome> {
  const outcome = outcomeOf(state, work.id)
  if (outcome === undefined) return notYet(want(work))
  if (outcome.kind === 'failure') return failed(outcome)
  if (isOutcomeOf(work, outcome)) return done(outcome)
  const message = `the journal has an outcome of the kind ${outcome.kind} for ${work.id}, not ${work.kind}`
  return failed({ kind: 'failure', code: 'BUG_INVARIANT', message })
}

const isOutcomeOf = <W extends Work>(work: W, outcome: Outcome): outcome is OutcomeOf<W> => outcome.kind === work.kind

/** For failures of the environment: pauses the run until a person has fixed the cause. */
export const orPause = <T>(step: Step<T, FailureOutcome>): Step<T> =>
  step.status === 'failed' ? notYet(pause(environment(step.failure))) : step
