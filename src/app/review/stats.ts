/** `looper stats`: reads the journals of runs and summarizes them. A run that cannot be read is listed and left out. */
import { fold } from '../../core/fold.ts'
import { LooperError } from '../../model/error.ts'
import type { Event } from '../../model/event.ts'
import { statsOf, type Stats } from '../../views/history/stats.ts'
import { findRunId } from '../runs/find-run.ts'
import { runOf, runsOf } from '../runs/runs.ts'

/** No names means all runs. `since` is an ISO time and selects runs that started then or later. */
export async function stats(root: string, names: readonly string[], since: string | null): Promise<Stats> {
  const ids =
    names.length === 0 ? await runsOf(root).list() : await Promise.all(names.map((name) => findRunId(root, name)))
  const read = await Promise.all([...new Set(ids)].map((id) => readOne(root, id)))
  const runs = read.flatMap((run) => ('events' in run ? [run] : []))
  return statsOf(
    runs
      .filter(({ events }) => since === null || startOf(events) >= since)
      .map(({ events, live }) => ({ steps: fold(events), live })),
    read.flatMap((run) => ('why' in run ? [run] : [])),
  )
}

async function readOne(
  root: string,
  id: string,
): Promise<{ events: Event[]; live: boolean } | { run: string; why: string }> {
  const { journal, lock } = runOf(root, id)
  try {
    const events = await journal.events()
    const last = events.findLast(
      ({ type }) => type === 'run.paused' || type === 'run.ended' || type === 'run.resumed' || type === 'run.forked',
    )
    const rests = last !== undefined && last.type !== 'run.resumed'
    return { events, live: !rests && (await lock.isHeld()) }
  } catch (error) {
    if (error instanceof LooperError) return { run: id, why: error.message }
    throw error
  }
}

const startOf = (events: readonly Event[]): string =>
  events.findLast(({ type }) => type === 'run.started' || type === 'run.forked')?.at ?? ''
