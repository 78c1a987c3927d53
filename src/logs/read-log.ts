/** The log of a run: all of it or its last lines, then new lines until the run ends. */
import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { Mask } from '../agents/mask.ts'
import type { Event } from '../model/event.ts'
import type { LogEvent } from '../model/log.ts'
import type { StoredRun } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { createChronicle, type Chronicle, type Turn } from './chronicle.ts'
import { newestLog } from './newest-log.ts'
import { accepts, mayHave, type Selection } from './select.ts'
import { createTurnReader, type ReadOptions, type TurnReader } from './turn-reader.ts'
import { wholeLog } from './whole-log.ts'

export interface LogOptions extends Selection {
  /** The events after a known one, until the signal aborts; null to end with what is there. */
  follow: ((after: number) => AsyncIterator<{ event: Event }>) | null
  /** Number of last lines; null means all. */
  last: number | null
  signal: AbortSignal
  /** Called with the state of the run when reading begins; may throw. */
  maskFor: (state: RunState) => Mask
  /** ISO time. */
  now: () => string
  pollMs?: number
  lookBytes?: number
}

/** Lines to yield before other work gets a turn. */
const linesAtOnce = 500

export async function* readLog(
  { journal, artifacts }: StoredRun,
  options: LogOptions,
): AsyncGenerator<LogEvent, void, undefined> {
  const events = await journal.events()
  const chronicle = createChronicle()
  const entries = events.flatMap((event) => chronicle.take(event) ?? [])
  const ends = isOver(events)
  let isLive = false
  const mask = options.maskFor(chronicle.state)
  const reading: ReadOptions = { artifacts, mask, now: () => (isLive ? options.now() : null) }
  const wanted = (turn: Turn): boolean => mayHave(options, turn)
  const wants = accepts(options)
  let open: TurnReader[]
  if (options.last === null) {
    const log = wholeLog(entries, wanted, reading)
    let step = await log.next()
    for (let shown = 0; step.done !== true; step = await log.next()) {
      for (const event of step.value) {
        if (wants(event)) yield event
        if (++shown % linesAtOnce === 0) await yieldToOthers()
        if (options.signal.aborted) return
      }
    }
    open = step.value
  } else {
    const newest = await newestLog(entries, {
      ...reading,
      count: options.last,
      wanted,
      accepts: wants,
      lookBytes: options.lookBytes,
    })
    yield* newest.events
    open = newest.open
  }
  isLive = true
  const last = events.at(-1)?.seq ?? 0
  const live = { chronicle, open, wanted, reading }
  const coming = options.follow && !ends ? follow(options.follow(last), live, options) : []
  for await (const event of coming) if (wants(event)) yield event
  for (const reader of open) await reader.close()
}

const isOver = (events: readonly Event[]): boolean =>
  events.findLast(({ type }) => type === 'run.ended' || type === 'run.resumed')?.type === 'run.ended'

interface Live {
  chronicle: Chronicle
  open: TurnReader[]
  wanted: (turn: Turn) => boolean
  reading: ReadOptions
}

/** Follows the journal and the streams of the running turns. */
async function* follow(
  journal: AsyncIterator<{ event: Event }>,
  live: Live,
  { signal, pollMs = 200 }: LogOptions,
): AsyncGenerator<LogEvent> {
  try {
    let coming = journal.next()
    while (!signal.aborted) {
      const arrived = await within(pollMs, coming)
      for (const reader of live.open) yield* readNew(reader)
      if (arrived === null) continue
      if (arrived.done === true) return
      const { event } = arrived.value
      yield* linesFor(event, live)
      if (event.type === 'run.ended') return
      coming = journal.next()
    }
  } finally {
    await journal.return?.()
  }
}

/** Null on timeout; the awaited promise continues. */
async function within<T>(ms: number, waited: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  try {
    return await Promise.race([waited, late])
  } finally {
    clearTimeout(timer)
  }
}

/** Blocks to read from one stream at a time, so that a fast writer does not delay the others. */
const blocksAtOnce = 64

async function* readNew(reader: TurnReader): AsyncGenerator<LogEvent> {
  for (let blocks = 0; blocks < blocksAtOnce && (await reader.read()); blocks++) yield* reader.take()
}

async function* linesFor(event: Event, { chronicle, open, wanted, reading }: Live): AsyncGenerator<LogEvent> {
  const entry = chronicle.take(event)
  if (entry === null) return
  if (entry.kind === 'began') {
    if (wanted(entry.turn)) open.push(createTurnReader(entry.turn, reading))
    return
  }
  if (entry.kind === 'ended') {
    const index = open.findIndex(({ turn }) => turn === entry.turn)
    for (const reader of index < 0 ? [] : open.splice(index, 1)) {
      await reader.end()
      yield* reader.take()
      await reader.close()
    }
  }
  yield* entry.events
}
