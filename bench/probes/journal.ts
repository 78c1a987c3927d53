/** Makes the journal of a long run, or opens one and says how long that took from the files to the state. */
import { readState } from '../../src/app/runs/read-run.ts'
import { runIn } from '../../src/app/runs/runs.ts'
import { evolve } from '../../src/core/evolve.ts'
import { initialState } from '../../src/core/initial.ts'
import { openFileJournal } from '../../src/journal/file-journal.ts'
import { fileSnapshots } from '../../src/journal/snapshot.ts'
import type { Event } from '../../src/model/event.ts'
import { playAll } from './play-all.ts'

const eventsPerTask = 19
const [, , order, dir = '', wanted = '', snapshot] = process.argv

if (order === 'make') await make(Number(wanted))
else {
  const begun = performance.now()
  const { seq } = await readState(runIn(dir))
  console.log(JSON.stringify({ ms: performance.now() - begun, seq }))
}

/** With a snapshot of the last event, or with none. */
async function make(count: number): Promise<void> {
  const events: Event[] = []
  playAll(Math.ceil(count / eventsPerTask), (event) => {
    if (events.length < count) events.push(structuredClone(event))
  })
  if (events.length < count) throw new Error(`only ${events.length} events`)
  const { journal } = await openFileJournal(dir)
  for (let from = 0; from < events.length; from += 1000) await journal.append(from, events.slice(from, from + 1000))
  await journal.close()
  if (snapshot !== undefined) await fileSnapshots(dir).save(events.reduce(evolve, initialState()))
  console.log(JSON.stringify({ events: events.length }))
}
