/** What dispatch is asked to do and what it tells about it: the words of the engine's port, as this layer sees them. */
import type { Usage } from '../model/usage.ts'
import type { CheckOutcome, CheckWork, TurnOutcome, TurnWork } from '../model/work.ts'

export interface TurnRequest {
  work: TurnWork
  starts: number
  cwd: string
  prompt: string
}

export interface CheckRequest {
  work: CheckWork
  starts: number
  cwd: string
}

export type Left = { work: TurnWork | CheckWork; starts: number; cwd: string }

export type DispatchState =
  | { state: 'absent' }
  | { state: 'running'; usage: Usage }
  | { state: 'done'; outcome: TurnOutcome | CheckOutcome }
  | { state: 'lost'; why: string }

export type How = 'gracefully' | 'now'

/** Runs a check as a child that carries `mark`; never rejects for what the check itself does. */
export type RunCheck = (request: CheckRequest & { mark: string }, signal: AbortSignal) => Promise<CheckOutcome>
