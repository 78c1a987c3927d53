/** What else happens around a turn, besides its agent. The caller that wires the site decides for which turns. */
import type { TurnOutcome, TurnWork } from '../model/work.ts'

export interface TurnHooks {
  /** Called when the workspace has its tree and the agent has not started. The turn fails when it throws. */
  before?(path: string): Promise<void>
  /**
   * Called when the agent has answered; returns the outcome to record. Called again when it throws and the run is
   * resumed, and after a crash: must be idempotent.
   */
  after?(path: string, outcome: TurnOutcome): Promise<TurnOutcome>
}

/** The hooks of one turn. */
export type HooksOf = (work: TurnWork) => TurnHooks
