/** Turns facts into events: applied in memory at once, durable at the next flush, announced only after that. */
import { evolve } from '../core/evolve.ts'
import { afterRest, type Event, type Fact } from '../model/event.ts'
import type { Clock, Journal, Snapshots } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'

export interface Recorder {
  record(fact: Fact): void
  /**
   * Resolves when everything recorded is durable. Throws when the journal refuses; then nothing of the group counts.
   */
  flush(): Promise<void>
  /** Saves a snapshot when enough has happened since the last. */
  snapshot(always: boolean): Promise<void>
}

interface Options {
  state: RunState
  journal: Journal
  snapshots: Snapshots
  clock: Pick<Clock, 'now' | 'skipped'>
  /** Takes secrets out of a fact before it is recorded. */
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
      // A clock that jumps back must not make time run backwards in the journal.
      const at = new Date(Math.max(clock.now(), state.lastAt === '' ? 0 : Date.parse(state.lastAt))).toISOString()
      const ms = clock.skipped?.() ?? 0
      // Before anything bears the new time: it must not count as running time. While no engine ran, none of it counts
      // anyway.
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
      // Only a cache: a run does not fail because its snapshot could not be kept.
      await snapshots.save(state).catch(() => {})
    },
  }
}
