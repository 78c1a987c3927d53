/** The events of a run, from the newest few on, and on as they come until it ends. */
import { readEvents } from '../journal/read-events.ts'
import { followEvents } from '../journal/tail.ts'
import type { Event } from '../model/event.ts'
import { runFolder } from './run-folder.ts'

export async function* events(
  root: string,
  id: string,
  options: { follow: boolean; last: number | null; signal: AbortSignal },
): AsyncGenerator<Event> {
  const dir = runFolder(root, id)
  const { events: known } = await readEvents(dir)
  yield* options.last === null ? known : known.slice(Math.max(0, known.length - options.last))
  const last = known.findLast(({ type }) => type === 'run.ended' || type === 'run.resumed')
  if (!options.follow || last?.type === 'run.ended') return
  for await (const event of followEvents(dir, { fromSeq: (known.at(-1)?.seq ?? 0) + 1, signal: options.signal })) {
    yield event
    if (event.type === 'run.ended') return
  }
}
