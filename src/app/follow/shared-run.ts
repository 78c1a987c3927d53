/** A recorded run, or a live run of another process, for readers in this process: read once and folded once for all. */
import { evolve } from '../../core/evolve.ts'
import { initialState } from '../../core/initial.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'

const pollMs = 500
/** Shorter than the poll interval, so that each poll probes the lock of the run, but not each change of the journal. */
const probeMs = 400

export interface Reader {
  /** The last event that the reader has. */
  seq: number
}

export interface SharedRun {
  /** Includes all events up to the reader that is furthest ahead. */
  readonly state: RunState
  /** Returns the events after the reader's last one that were dropped before it joined. */
  join(reader: Reader): Promise<Event[]>
  leave(reader: Reader): void
  /** The next event for a reader; null when it has every event that was read. */
  take(reader: Reader): Event | null
  /** Reads more events. `rests`: no process holds the run, and there is nothing more to read. */
  more(): Promise<'events' | 'rests'>
  /** Resolves when a resting run may have new events. Null: they come from the journal. */
  changed: (() => Promise<void>) | null
  close(): void
}

/** `known`: the last event that the first reader has. What a snapshot before it includes is not read again. */
export async function shareRun({ journal, lock }: StoredRun, known = 0): Promise<SharedRun> {
  const saved = known === 0 ? null : await journal.snapshot()
  const { state, position } = saved !== null && saved.position.seq <= known ? saved : { state: initialState() }
  const tail = await journal.tail({ pollMs, from: position })
  const readers = new Set<Reader>()
  /** Events that were read and that some reader does not have yet. */
  let kept: Event[] = []
  let lastRead = state.seq
  let reading: Promise<'events' | 'rests'> | null = null
  let probedAt = -Infinity
  let closed = false

  async function readOn(): Promise<'events' | 'rests'> {
    while (!closed) {
      const changed = tail.changed()
      // Probe the lock before reading the journal, so that the last events of its holder are read below.
      const rests = await probe()
      const events = await tail.read()
      if (events.length > 0) {
        keep(events)
        return 'events'
      }
      if (rests) return 'rests'
      await changed
    }
    return 'rests'
  }

  async function probe(): Promise<boolean> {
    const now = performance.now()
    if (now - probedAt < probeMs) return false
    const live = await lock.isHeld()
    if (live) probedAt = now
    return !live
  }

  function keep(events: readonly Event[]): void {
    const slowest = Math.min(...[...readers].map(({ seq }) => seq))
    kept = [...kept, ...events].filter(({ seq }) => seq > Math.min(slowest, state.seq))
    lastRead = events.at(-1)?.seq ?? lastRead
  }

  function foldTo(seq: number): void {
    for (let event = after(state.seq); event !== null && event.seq <= seq; event = after(state.seq)) {
      evolve(state, event)
    }
  }

  /** The kept event after `seq`. A journal numbers its events without gaps. */
  function after(seq: number): Event | null {
    const first = kept[0]
    return first === undefined ? null : (kept[Math.max(0, seq + 1 - first.seq)] ?? null)
  }

  return {
    state,
    async join(reader) {
      readers.add(reader)
      const first = kept[0]?.seq ?? lastRead + 1
      if (reader.seq >= first - 1) return []
      const events = await journal.events(reader.seq)
      return events.filter(({ seq }) => seq < first)
    },
    leave: (reader) => void readers.delete(reader),
    take(reader) {
      foldTo(reader.seq)
      const event = after(reader.seq)
      if (event === null) return null
      foldTo(event.seq)
      reader.seq = event.seq
      return event
    },
    more() {
      reading ??= readOn().finally(() => (reading = null))
      return reading
    },
    changed: tail.changed,
    close() {
      closed = true
      tail.close()
    },
  }
}
