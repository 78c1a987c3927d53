/** Follows runs, live or recorded, for any number of readers in this process. */
import type { FollowOptions, Followed } from '../api/follow.ts'
import type { StoredRun } from '../model/ports.ts'
import type { Reader, SharedRun } from './shared-run.ts'

export type Follow = (find: () => Promise<StoredRun>, options?: FollowOptions) => AsyncIterableIterator<Followed>

interface Entry {
  run: Promise<SharedRun>
  readers: number
}

/** Loaded on demand: most commands follow nothing. */
const shareRun = async (run: StoredRun): Promise<SharedRun> => (await import('./shared-run.ts')).shareRun(run)

/** Readers of one `Follow` share the runs that they follow. */
export function createFollow(share: (run: StoredRun) => Promise<SharedRun> = shareRun): Follow {
  const entries = new Map<string, Entry>()

  function enter(run: StoredRun): Entry {
    const entry = entries.get(run.folder) ?? { run: share(run), readers: 0 }
    entries.set(run.folder, entry)
    entry.readers += 1
    return entry
  }

  async function leave({ folder }: StoredRun, entry: Entry): Promise<void> {
    entry.readers -= 1
    if (entry.readers > 0) return
    entries.delete(folder)
    ;(await entry.run).close()
  }

  async function* read(run: StoredRun, options: FollowOptions, signal: AbortSignal): AsyncGenerator<Followed, void> {
    const entry = enter(run)
    try {
      yield* eventsOf(await entry.run, options, signal)
    } finally {
      await leave(run, entry)
    }
  }

  return (find, options = {}) => {
    const left = new AbortController()
    const signal = options.signal === undefined ? left.signal : AbortSignal.any([options.signal, left.signal])
    const events = (async function* () {
      yield* read(await find(), options, signal)
    })()
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
  }
}

async function* eventsOf(run: SharedRun, options: FollowOptions, signal: AbortSignal): AsyncGenerator<Followed, void> {
  const { after = 0, until = 'rest' } = options
  const reader: Reader = { seq: after }
  const aborted = whenAborted(signal)
  try {
    for (const event of await run.join(reader)) {
      if (signal.aborted) return
      reader.seq = event.seq
      yield { event, state: run.state }
    }
    while (!signal.aborted) {
      const event = run.take(reader)
      if (event !== null) yield { event, state: run.state }
      else if ((await Promise.race([run.more(), aborted])) === 'rests') {
        if (until === 'rest' || run.state.endedAt !== null) return
        await Promise.race([run.changed(), aborted])
      }
    }
  } finally {
    run.leave(reader)
  }
}

const whenAborted = (signal: AbortSignal): Promise<'aborted'> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve('aborted')
    signal.addEventListener('abort', () => resolve('aborted'), { once: true })
  })
