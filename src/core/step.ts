/**
 * A step that needs the world: not done yet, failed, or done with an outcome.
 * Steps without an outcome return a `Proposal`, or null when they are done.
 */
import type { RunState } from '../model/state.ts'
import type { FailureOutcome, Outcome, Work } from '../model/work.ts'
import { outcomeOf } from './work/ledger.ts'
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
export const perform = <const W extends Work>(state: RunState, work: W): Step<OutcomeOf<W>, FailureOutcome> =>
  performWhenOpen(state, work, undefined, () => work)

/**
 * Like `perform`, for the steps of an attempt: every decision passes through all of them, and most are done. `make`
 * describes the work and is called only when the ledger has no outcome for it.
 */
export function performWhenOpen<W extends Work>(
  state: RunState,
  { kind, id }: Pick<W, 'kind' | 'id'>,
  owner: string | undefined,
  make: () => W,
): Step<OutcomeOf<W>, FailureOutcome> {
  const outcome = outcomeOf(state, id, owner)
  if (outcome === undefined) return notYet(want(make()))
  if (outcome.kind === 'failure') return failed(outcome)
  if (isOutcomeOf<W>(kind, outcome)) return done(outcome)
  return failed(wrongKind(id, kind, outcome))
}

/** The journal has the outcome of other work under this id. */
export const wrongKind = (id: string, kind: Work['kind'], outcome: Outcome): FailureOutcome => ({
  kind: 'failure',
  code: 'BUG_INVARIANT',
  message: `the journal has an outcome of the kind ${outcome.kind} for ${id}, not ${kind}`,
})

const isOutcomeOf = <W extends Work>(kind: W['kind'], outcome: Outcome): outcome is OutcomeOf<W> =>
  outcome.kind === kind

/** For failures of the environment: pauses the run until a person has fixed the cause. */
export const orPause = <T>(step: Step<T, FailureOutcome>): Step<T> =>
  step.status === 'failed' ? notYet(pause(environment(step.failure))) : step
