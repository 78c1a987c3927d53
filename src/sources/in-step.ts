/** Keeps the source of a run's tasks in step with the run: soon after something has happened, and not all the time. */
import type { Event } from '../model/event.ts'
import type { Clock } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import type { SyncOutcome, SyncWork } from '../model/work.ts'
import { isTimeLimit } from '../model/work-id.ts'
import type { Mirror } from './mirror.ts'

export interface TaskSource {
  look(work: SyncWork, state: RunState): Promise<SyncOutcome>
  touch(event: Event): void
  /** Files that the tasks were taken from. */
  documents(): string[]
  /** Everything the run knows is there when this resolves. */
  settle(): Promise<void>
  stop(): void
}

export interface InStepOptions {
  mirror: Mirror
  state: RunState
  clock: Clock
  documents(): string[]
  /** The source could not be brought up to date; it is tried again. */
  onTrouble(message: string): void
}

/**
 * At least so long between two writes, and so many times what the last one took: a large file must not slow the run
 * down.
 */
const restMs = 1_000
const restFactor = 20
/** A clock that was set meanwhile tells of hours that nothing took. */
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
  const tell = (error: unknown): void => {
    const message = error instanceof Error ? error.message : String(error)
    if (message !== trouble) onTrouble(message)
    trouble = message
  }
  /** What could not be put there now is tried again later, whether or not anything else happens meanwhile. */
  const flushOrRetry = (): void =>
    void flush().catch((error: unknown) => {
      tell(error)
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
    look: (work, now) => mirror.look(work, now),
    touch(event) {
      mirror.touch(event, state)
      // Whoever waits has time, and so has whoever looks.
      if (event.type === 'work.started' && event.work.kind === 'wait' && !isTimeLimit(event.work.id)) flushOrRetry()
      else if (mirror.isDirty(state)) soon()
    },
    documents,
    async settle() {
      rest()
      await flushing.catch(() => {})
      const isTold = !mirror.isDirty(state)
      await flush()
      // What was only seen is kept as well: the next process would take it for somebody's change, and undo what a
      // person asks of the run.
      if (isTold && (state.backlog?.looks ?? 0) > 0) await mirror.flush(state).catch(() => {})
    },
    stop() {
      isStopped = true
      rest()
    },
  }
}
