/** One piece of work from its start to its outcome, as dispatch tracks it. */
import type { CancelHow, WorkStatus } from '../model/ports/site.ts'
import { noUsage, type Usage } from '../model/usage.ts'

export interface Job {
  starts: number
  state(): WorkStatus
  cancel(how: CancelHow): void
  /** Stops watching and leaves the process alone. */
  close(): void
}

/** Operations on a job whose process exists. */
export interface Handle {
  usage(): Usage
  stop(how: CancelHow): void
  close(): void
}

export interface OpenJob extends Job {
  /** How the job was cancelled before it had a process; null when it was not. */
  cancelled(): CancelHow | null
  attach(handle: Handle): void
  settle(state: WorkStatus): void
}

export const cancelled = { state: 'lost', why: 'cancelled' } as const satisfies WorkStatus

export function createJob(starts: number, onSettled: () => void): OpenJob {
  let settled: WorkStatus | null = null
  let how: CancelHow | null = null
  let handle: Handle | null = null
  return {
    starts,
    state: () => settled ?? { state: 'running', usage: handle?.usage() ?? { ...noUsage } },
    cancelled: () => how,
    cancel(wanted) {
      how = wanted
      handle?.stop(wanted)
    },
    attach(given) {
      handle = given
      if (how !== null) handle.stop(how)
    },
    settle(state) {
      settled ??= state
      handle = null
      onSettled()
    },
    close: () => handle?.close(),
  }
}

/** A job whose outcome is known from the start. */
export function settledJob(starts: number, state: WorkStatus): Job {
  return { starts, state: () => state, cancel: () => {}, close: () => {} }
}
