/**
 * A run that this process performs, for readers in this process: its recorder publishes the events, and the state is
 * the engine's own. Nothing is read or folded again.
 */
import type { Followed } from '../../api/follow.ts'
import type { Event } from '../../model/event.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import type { Follower } from './follow.ts'
import type { Reader, SharedRun } from './shared-run.ts'

export interface PerformedRun {
  /**
   * Called when this process holds the run; `state` includes every event of the journal. Readers that come earlier
   * follow the journal.
   */
  open(state: RunState): void
  /** Publishes an event that is durable, and the state that includes it. */
  publish(event: Event, state: RunState): void
  /** Like `follow` of the App. Reads no file when it starts before the first event after `after` is published. */
  follow(after: number): AsyncIterableIterator<Followed>
  /** Ends all readers that do not wait for a resume, once they have every event. */
  close(): void
}

export function createPerformedRun(follower: Follower, run: StoredRun): PerformedRun {
  let shared: Published | null = null
  let unshare = (): void => {}
  return {
    open(state) {
      shared = createPublished(run, state)
      unshare = follower.share(run, shared)
    },
    publish: (event, state) => shared?.publish(event, state),
    follow: (after) => follower.follow(async () => run, { after }),
    close: () => unshare(),
  }
}

interface Published extends SharedRun {
  publish: PerformedRun['publish']
}

function createPublished({ journal }: StoredRun, opened: RunState): Published {
  /** The events that each reader has not taken yet. */
  const queues = new Map<Reader, Event[]>()
  let state = opened
  let lastSeq = opened.seq
  let closed = false
  let waiting: (() => void)[] = []

  function wakeReaders(): void {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }

  return {
    get state() {
      return state
    },
    publish(event, newest) {
      state = newest
      lastSeq = event.seq
      for (const [reader, queue] of queues) if (event.seq > reader.seq) queue.push(event)
      wakeReaders()
    },
    async join(reader) {
      queues.set(reader, [])
      const known = lastSeq
      if (reader.seq >= known) return []
      const events = await journal.events(reader.seq)
      return events.filter(({ seq }) => seq <= known)
    },
    leave: (reader) => void queues.delete(reader),
    take(reader) {
      const event = queues.get(reader)?.shift() ?? null
      if (event !== null) reader.seq = event.seq
      return event
    },
    more: () =>
      new Promise((resolve) => {
        if (closed) resolve('rests')
        else waiting.push(() => resolve('events'))
      }),
    changed: null,
    close() {
      closed = true
      wakeReaders()
    },
  }
}
