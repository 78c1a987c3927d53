/** Follows runs, live or recorded, for any number of readers in this process. */
import type { FollowOptions, Followed } from '../../api/follow.ts'
import type { StoredRun } from '../../model/ports.ts'
import type { Reader, SharedRun } from './shared-run.ts'

export type Follow = (find: () => Promise<StoredRun>, options?: FollowOptions) => AsyncIterableIterator<Followed>

/** Readers of one follower share the runs that they follow. */
export interface Follower {
  follow: Follow
  /**
   * Readers that come from now on get a run that this process performs from `performed`, not from its journal. Returns
   * a function that ends this.
   */
  share(run: StoredRun, performed: SharedRun): () => void
}

interface Entry {
  run: Promise<SharedRun>
  readers: number
}

/** Loaded on demand: most commands follow nothing. */
const shareRun = async (run: StoredRun, known: number): Promise<SharedRun> =>
  (await import('./shared-run.ts')).shareRun(run, known)

/** `known`: the last event that the first reader of the run has. */
export function createFollower(open: (run: StoredRun, known: number) => Promise<SharedRun> = shareRun): Follower {
  const entries = new Map<string, Entry>()

  function enter(run: StoredRun, known: number): Entry {
    const entry = entries.get(run.folder) ?? { run: open(run, known), readers: 0 }
    entries.set(run.folder, entry)
    entry.readers += 1
    return entry
  }

  function drop({ folder }: StoredRun, entry: Entry): void {
    if (entries.get(folder) === entry) entries.delete(folder)
  }

  async function leave(run: StoredRun, entry: Entry): Promise<void> {
    entry.readers -= 1
    if (entry.readers > 0) return
    drop(run, entry)
    ;(await entry.run).close()
  }

  async function* read(
    find: () => Promise<StoredRun>,
    { after = 0, until = 'rest' }: FollowOptions,
    signal: AbortSignal,
  ): AsyncGenerator<Followed, void> {
    const run = await find()
    const reader: Reader = { seq: after }
    for (let isOver = false; !isOver;) {
      const entry = enter(run, reader.seq)
      try {
        const shared = await entry.run
        yield* eventsOf(shared, reader, until, signal)
        // A run that this process performed and that paused is followed in its journal from here on.
        isOver = until === 'rest' || signal.aborted || shared.state.endedAt !== null
      } finally {
        await leave(run, entry)
      }
    }
  }

  return {
    follow(find, options = {}) {
      const left = new AbortController()
      const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal])
      const events = read(find, options, signal)
      return {
        next: () => events.next(),
        // Abort first: the generator's own `return` would wait for the next event.
        return() {
          left.abort()
          return events.return()
        },
        [Symbol.asyncIterator]() {
          return this
        },
      }
    },
    share(run, performed) {
      // The entry counts as its own reader, so that it stays when no reader is left.
      const entry = { run: Promise.resolve(performed), readers: 1 }
      entries.set(run.folder, entry)
      return () => {
        drop(run, entry)
        performed.close()
      }
    },
  }
}

/** Ends when the run rests and the reader does not wait for more, or when more comes only from the journal. */
async function* eventsOf(
  run: SharedRun,
  reader: Reader,
  until: 'rest' | 'end',
  signal: AbortSignal,
): AsyncGenerator<Followed, void> {
  const orAborted = createAbortable(signal)
  try {
    for (const event of await run.join(reader)) {
      if (signal.aborted) return
      reader.seq = event.seq
      yield { event, state: run.state }
    }
    while (!signal.aborted) {
      const event = run.take(reader)
      if (event !== null) yield { event, state: run.state }
      else if ((await orAborted(run.more())) === 'rests') {
        if (until === 'rest' || run.changed === null || run.state.endedAt !== null) return
        await orAborted(run.changed())
      }
    }
  } finally {
    run.leave(reader)
  }
}

/** Waits for one promise at a time, or until the signal is given. `Promise.race` would keep every one of them. */
function createAbortable(signal: AbortSignal): <T>(promise: Promise<T>) => Promise<T | null> {
  let onAbort = (): void => {}
  signal.addEventListener('abort', () => onAbort(), { once: true })
  return (promise) =>
    new Promise((resolve, reject) => {
      onAbort = () => resolve(null)
      if (signal.aborted) onAbort()
      promise.then(resolve, reject)
    })
}
