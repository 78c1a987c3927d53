/** The whole log of a run in order of time, read as a stream: nothing is kept in memory. */
import type { LogEvent } from '../model/log.ts'
import type { Entry, Turn } from './chronicle.ts'
import { createTurnReader, type ReadOptions, type TurnReader } from './turn-reader.ts'

/** A turn's log whose next event can be peeked at. */
interface Source {
  reader: TurnReader
  /** Reads on when no event is in memory. */
  fill(): Promise<void>
  /** The next event in memory. After `fill`, null means the current end of the stream. */
  peek(): LogEvent | null
  drop(): void
}

function createSource(reader: TurnReader): Source {
  let queue: LogEvent[] = []
  let at = 0
  return {
    reader,
    async fill() {
      for (let more = true; at >= queue.length && more;) {
        more = await reader.read()
        queue = reader.take()
        at = 0
      }
    },
    peek: () => queue[at] ?? null,
    drop: () => void at++,
  }
}

/**
 * Yields the log of `entries` and the streams of the `wanted` turns, some events at a time. Returns the turns that
 * still run, each read to its current end.
 */
export async function* wholeLog(
  entries: Iterable<Entry>,
  wanted: (turn: Turn) => boolean,
  options: ReadOptions,
): AsyncGenerator<LogEvent[], TurnReader[]> {
  const open: Source[] = []
  for (const entry of entries) {
    yield* upTo(open, entry.at)
    if (entry.kind === 'began') {
      if (wanted(entry.turn)) open.push(createSource(createTurnReader(entry.turn, options)))
      continue
    }
    if (entry.kind === 'ended') yield* leave(open, entry.turn)
    yield entry.events
  }
  yield* upTo(open, null)
  return open.map(({ reader }) => reader)
}

async function* leave(open: Source[], turn: Turn): AsyncGenerator<LogEvent[]> {
  const index = open.findIndex(({ reader }) => reader.turn === turn)
  const [source] = index < 0 ? [] : open.splice(index, 1)
  if (source === undefined) return
  yield* upTo([source], null)
  await source.reader.end()
  yield source.reader.take()
  await source.reader.close()
}

/** Yields events up to `at`, earliest first; at the same time, the turn that began first. Null: all events. */
async function* upTo(open: readonly Source[], at: string | null): AsyncGenerator<LogEvent[]> {
  for (;;) {
    for (const source of open) await source.fill()
    const events = merge(open, at)
    if (events.length === 0) return
    yield events
  }
}

/** Takes events up to `at`, until one of the sources has to read on. */
function merge(open: readonly Source[], at: string | null): LogEvent[] {
  const merged: LogEvent[] = []
  for (;;) {
    let first: Source | null = null
    let earliest: LogEvent | null = null
    for (const source of open) {
      const event = source.peek()
      if (event === null || (at !== null && event.timestamp > at)) continue
      if (earliest === null || event.timestamp < earliest.timestamp) [first, earliest] = [source, event]
    }
    if (first === null || earliest === null) return merged
    merged.push(earliest)
    first.drop()
    if (first.peek() === null) return merged
  }
}
