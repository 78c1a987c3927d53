/** Writes the changes of a run to its source of tasks soon after they happen, and limits how often it writes. */
import { LooperError, messageOf } from '../model/error.ts'
import type { Event } from '../model/event.ts'
import type { Clock } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { isDeadline, type SyncOutcome, type SyncWork } from '../model/work.ts'
import type { Mirror } from './mirror.ts'

export interface TaskSource {
  poll(work: SyncWork, state: RunState): Promise<SyncOutcome>
  touch(event: Event): void
  /** Files from which the tasks were derived. */
  documents(): string[]
  /** Resolves when the source has every change that the run knows. */
  settle(): Promise<void>
  /** Tells the person, once, why the source could not be written. */
  report(error: unknown): void
  stop(): void
}

export interface InStepOptions {
  mirror: Mirror
  state: RunState
  clock: Clock
  documents(): string[]
  /** Called when writing to the source fails; the write is retried. */
  onTrouble(message: string): void
}

/**
 * Minimum pause between two writes, and the minimum as a multiple of the duration of the last write: writing a large
 * file must not slow down the run.
 */
const restMs = 1_000
const restFactor = 20
/** Upper bound of the pause: when the system clock is changed during a write, the measured duration can be hours. */
const longestRestMs = 300_000

export function keepInStep({ mirror, state, clock, documents, onTrouble }: InStepOptions): TaskSource {
  let timer: (() => void) | null = null
  let flushing: Promise<void> = Promise.resolve()
  let took = 0
  let trouble = ''
  let isStopped = false

  const flush = (): Promise<void> =>
    (flushing = flushing
      .catch(() => {})
      .then(async () => {
        if (!mirror.isDirty(state)) return
        const begun = clock.now()
        await mirror.flush(state)
        took = clock.now() - begun
        trouble = ''
      }))
  const report = (error: unknown): void => {
    const message = messageOf(error)
    // A poll that could not read the backlog has said why.
    const isKnown = error instanceof LooperError && error.code === 'CONFIG_BACKLOG' && state.backlog?.problems.length
    if (message !== trouble && !isKnown) onTrouble(`the backlog is not up to date: ${message}`)
    trouble = message
  }
  /** Retries a failed write later, even when no further event arrives. */
  const flushOrRetry = (): void =>
    void flush().catch((error: unknown) => {
      report(error)
      if (!isStopped) soon()
    })
  const soon = (): void => {
    timer ??= clock.at(clock.now() + Math.min(longestRestMs, Math.max(restMs, took * restFactor)), () => {
      timer = null
      flushOrRetry()
    })
  }
  const rest = (): void => {
    timer?.()
    timer = null
  }
  return {
    poll: (work, now) => mirror.poll(work, now),
    touch(event) {
      mirror.touch(event, state)
      // Write at once when the run starts to wait: it has time, and a person may read the source now.
      if (event.type === 'work.started' && event.work.kind === 'wait' && !isDeadline(event.work)) flushOrRetry()
      else if (mirror.isDirty(state)) soon()
    },
    documents,
    async settle() {
      rest()
      await flushing.catch(() => {})
      const isSent = !mirror.isDirty(state)
      await flush()
      // Save the last poll even when nothing was written. Otherwise the next process takes the observed state for a
      // change by another actor and undoes what a person asks of the run.
      if (isSent && (state.backlog?.polls ?? 0) > 0) await mirror.flush(state).catch(() => {})
    },
    report,
    stop() {
      isStopped = true
      rest()
    },
  }
}
