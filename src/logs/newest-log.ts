/** Finds the last lines of a log from the end: reads only as much of a long stream as needed. */
import type { LogEvent } from '../model/log.ts'
import type { Entry, Turn } from './chronicle.ts'
import { createTurnReader, type ReadOptions, type TurnReader } from './turn-reader.ts'

export interface NewestOptions extends ReadOptions {
  count: number
  wanted: (turn: Turn) => boolean
  accepts: (event: LogEvent) => boolean
  /** Bytes of a stream's end to read first. */
  lookBytes?: number | undefined
}

/** An event with its position in the order of all events. */
interface Placed {
  event: LogEvent
  seq: number
  index: number
}

/** `open`: the turns that still run, each read to its current end. */
export async function newestLog(
  entries: readonly Entry[],
  options: NewestOptions,
): Promise<{ events: LogEvent[]; open: TurnReader[] }> {
  const { count, wanted, accepts } = options
  let kept = newest(
    entries.flatMap((entry) => (entry.kind === 'began' ? [] : placed(entry.events.filter(accepts), entry.seq))),
    count,
  )
  const open: TurnReader[] = []
  for (const turn of fromTheEnd(entries).filter(wanted)) {
    const isEarlier = kept.length >= count && turn.endedAt !== null && turn.endedAt < (kept[0]?.event.timestamp ?? '~')
    if (isEarlier) continue
    const { events, reader } = await endOf(turn, options)
    kept = newest([...kept, ...placed(events, turn.seq)], count)
    if (turn.endedAt === null) open.push(reader)
    else await reader.close()
  }
  return { events: kept.map(({ event }) => event), open: open.toSorted((a, b) => a.turn.seq - b.turn.seq) }
}

const placed = (events: readonly LogEvent[], seq: number): Placed[] =>
  events.map((event, index) => ({ event, seq, index }))

const newest = (all: readonly Placed[], count: number): Placed[] =>
  all.toSorted(byPlace).slice(Math.max(0, all.length - count))

const byPlace = (a: Placed, b: Placed): number =>
  compare(a.event.timestamp, b.event.timestamp) || a.seq - b.seq || a.index - b.index

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Newest first: turns that still run come before all ended ones. */
function fromTheEnd(entries: readonly Entry[]): Turn[] {
  const turns = entries.flatMap((entry) => (entry.kind === 'began' ? [entry.turn] : []))
  return turns.toSorted((a, b) => compare(b.endedAt ?? '~', a.endedAt ?? '~') || b.seq - a.seq)
}

interface End {
  events: LogEvent[]
  reader: TurnReader
}

/** The last events of a stream, read from its end in ever larger parts. */
async function endOf(turn: Turn, options: NewestOptions): Promise<End> {
  const size = await sizeOf(turn, options)
  const { count, lookBytes = 128 * 1024 } = options
  for (let length = count === 0 ? 0 : lookBytes; ; length *= 8) {
    const from = Math.max(0, size - length)
    const { events, reader } = await readFrom(turn, from, options)
    // One event more is needed, because the first one after a jump into the middle may be incomplete.
    const isEnough = from === 0 || count === 0 || (events.length > count && reader.knowsTime() !== false)
    if (isEnough) return { events: events.slice(Math.max(0, events.length - count)), reader }
    await reader.close()
  }
}

async function sizeOf({ stream }: Turn, { artifacts }: NewestOptions): Promise<number> {
  const file = stream === null ? null : await artifacts.open(stream)
  const size = (await file?.size()) ?? 0
  await file?.close()
  return size
}

/** Keeps one event more than wanted. */
async function readFrom(turn: Turn, from: number, options: NewestOptions): Promise<End> {
  const reader = createTurnReader(turn, { ...options, from })
  let kept: LogEvent[] = []
  let isPlaced = from === 0
  const take = (): void => {
    kept.push(...reader.take().filter(options.accepts))
    // In the middle of a stream the time is unknown until the next timestamp, so earlier events are dropped.
    if (!isPlaced && reader.knowsTime() === true) {
      isPlaced = true
      kept = kept.filter(({ timestamp }) => timestamp !== turn.startedAt)
    }
    kept.splice(0, Math.max(0, kept.length - options.count - 1))
  }
  while (await reader.read()) take()
  if (turn.endedAt !== null) await reader.end()
  take()
  return { events: kept, reader }
}
