/** The events of a run as they come, for as long as somebody runs it. */
import { readEvents } from '../journal/read-events.ts'
import { followEvents } from '../journal/tail.ts'
import type { Event } from '../model/event.ts'
import { isLive } from './read-run.ts'

const lookMs = 500

/** From the first on, until the run ends or no process owns it any more: paused, stopped or crashed. */
export async function* watchEvents(dir: string, signal: AbortSignal): AsyncGenerator<Event> {
  const alone = new AbortController()
  const look = async (): Promise<void> => {
    if (!(await isLive(dir))) alone.abort()
  }
  await look()
  const timer = setInterval(() => void look().catch(() => {}), lookMs)
  let seen = 0
  try {
    for await (const event of followEvents(dir, { signal: AbortSignal.any([signal, alone.signal]) })) {
      yield event
      seen = event.seq
      if (event.type === 'run.ended') return
    }
    // Whatever was written between the last look at the file and the end of its writer.
    if (!signal.aborted) yield* (await readEvents(dir, { afterSeq: seen })).events
  } finally {
    clearInterval(timer)
  }
}
