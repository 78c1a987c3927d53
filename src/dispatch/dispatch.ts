/** Turns and checks as processes on one machine: started in a folder, watched, cancelled, adopted after a crash. */
import type { CancelHow, StartedWork, WorkStatus } from '../model/ports/site.ts'
import type { CheckWork, TurnWork } from '../model/work.ts'

/** Each start of a turn has its own folder. */
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

/** Work that an earlier engine left running. */
export interface LeftWork extends StartedWork {
  /** Empty when the folder is not known. */
  cwd: string
}

/** Nothing throws. `inspect` is authoritative; `watch` is only a hint to call it. */
export interface Dispatch {
  /** Idempotent by work id. */
  ensure(request: TurnRequest | CheckRequest): void
  /** The work ends up `lost`, or `done` if it finished first. */
  cancel(id: string, how: CancelHow): void
  inspect(ids: readonly string[]): Map<string, WorkStatus>
  /** Drops finished work whose outcome is recorded. */
  release(id: string): void
  watch(onHint: () => void): () => void
  /** Resolves when nothing is running any more. */
  quiet(): Promise<void>
  /**
   * Called once, before anything else. Adopts turns that still run or ended with an answer meanwhile, ends every other
   * process that carries this run's mark, and resolves when none is left.
   */
  recover(left: readonly LeftWork[]): Promise<void>
}
