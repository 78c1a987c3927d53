/** The whole log of a run in order of time, read as a stream: nothing is kept in memory. */
import type { LogEvent } from '../model/log.ts'
import type { Entry, Turn } from './chronicle.ts'
import { createTurnReader, type ReadOptions, type TurnReader } from './turn-reader.ts'

/** A turn's log whose next event can be peeked at. */
interface Source {
  reader: TurnReader
  peek(): LogEvent | null
  next(): LogEvent | null
}

function createSource(reader: TurnReader): Source {
  let queue: LogEvent[] = []
  let at = 0
  const peek = (): LogEvent | null => {
    for (let more = true; at >= queue.length && more;) {
      more = reader.read()
      queue = reader.take()
      at = 0
    }
    return queue[at] ?? null
  }
  const next = (): LogEvent | null => {
    const event = peek()
    if (event !== null) at++
    return event
  }
  return { reader, peek, next }
}

/**
 * Yields the log of `entries` and the streams of the `wanted` turns. Returns the turns that still run, each read to its
 * current end.
 */
export function* wholeLog(
  entries: Iterable<Entry>,
  wanted: (turn: Turn) => boolean,
  options: ReadOptions,
): Generator<LogEvent, TurnReader[]> {
  const open: Source[] = []
  for (const entry of entries) {
    yield* upTo(open, entry.at)
    if (entry.kind === 'began') {
      if (wanted(entry.turn)) open.push(createSource(createTurnReader(entry.turn, options)))
      continue
    }
    if (entry.kind === 'ended') yield* leave(open, entry.turn)
    yield* entry.events
  }
  yield* upTo(open, null)
  return open.map(({ reader }) => reader)
}

function* leave(open: Source[], turn: Turn): Generator<LogEvent> {
  const index = open.findIndex(({ reader }) => reader.turn === turn)
  const [source] = index < 0 ? [] : open.splice(index, 1)
  if (source === undefined) return
  for (let event = source.next(); event !== null; event = source.next()) yield event
  source.reader.end()
  yield* source.reader.take()
  source.reader.close()
}

/** Yields events up to `at`, earliest first; at the same time, the turn that began first. Null: all events. */
function* upTo(open: readonly Source[], at: string | null): Generator<LogEvent> {
  for (;;) {
    let first: Source | null = null
    for (const source of open) {
      const event = source.peek()
      const earliest = first?.peek()?.timestamp
      if (
        event !== null
        && (at === null || event.timestamp <= at)
        && (earliest === undefined || event.timestamp < earliest)
      )
        first = source
    }
    const event = first?.next() ?? null
    if (event === null) return
    yield event
  }
}
