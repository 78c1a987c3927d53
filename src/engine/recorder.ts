/** Turns facts into events: applied in memory at once, durable at the next flush, announced only after that. */
import { evolve } from '../core/evolve.ts'
import { afterRest, type Event, type Fact } from '../model/event.ts'
import type { Clock, Journal, Snapshots } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'

export interface Recorder {
  record(fact: Fact): void
  /**
   * Resolves when everything recorded is durable. Throws when the journal refuses; then no event of the group counts.
   */
  flush(): Promise<void>
  /** Saves a snapshot when enough events were recorded since the last one. */
  snapshot(always: boolean): Promise<void>
}

interface Options {
  state: RunState
  journal: Journal
  snapshots: Snapshots
  clock: Pick<Clock, 'now' | 'skipped'>
  /** Removes secrets from a fact before it is recorded. */
  clean?: (fact: Fact) => Fact
  onEvent: (event: Event) => void
}

const eventsPerSnapshot = 2_000

export function createRecorder({
  state,
  journal,
  snapshots,
  clock,
  clean = (fact) => fact,
  onEvent,
}: Options): Recorder {
  let group: Event[] = []
  let durable = state.seq
  let saved = state.seq
  const add = (fact: Fact, at: string): void => {
    const event = { seq: state.seq + 1, at, ...clean(fact) }
    group.push(event)
    evolve(state, event)
  }
  return {
    record(fact) {
      // When the clock jumps back, times in the journal must not decrease.
      const at = new Date(Math.max(clock.now(), state.lastAt === '' ? 0 : Date.parse(state.lastAt))).toISOString()
      const ms = clock.skipped?.() ?? 0
      // The jump must be recorded before the first event with the new time, so that it does not count as running time.
      // After a pause or a crash none of the time counts anyway.
      if (ms > 0 && state.seq > 0 && !afterRest.has(fact.type)) add({ type: 'clock.jumped', ms: Math.round(ms) }, at)
      add(fact, at)
    },
    async flush() {
      if (group.length === 0) return
      const events = group
      group = []
      await journal.append(durable, events)
      durable = events.at(-1)?.seq ?? durable
      for (const event of events) onEvent(event)
    },
    async snapshot(always) {
      if (state.seq === saved || (!always && state.seq - saved < eventsPerSnapshot)) return
      saved = state.seq
      // A snapshot is only a cache, so a failed write does not fail the run.
      await snapshots.save(state).catch(() => {})
    },
  }
}
