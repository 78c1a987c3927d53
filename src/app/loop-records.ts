/**
 * What a loop leaves in the run's folder for people: every pass in full, and what each stage gave. Folds of the journal, like all else
 * there.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputFile } from '../context/loop-prompt.ts'
import type { Event } from '../model/event.ts'
import type { Journal } from '../model/ports.ts'
import type { RunState } from '../model/state.ts'
import { readPlainFile, writePlainFile } from '../platform/plain-file.ts'
import { plainBlock } from '../views/plain-text.ts'

const fullFile = 'progress-full.md'
const mark = /<!-- event (\d+) -->\s*$/

export interface LoopRecords {
  note(event: Event): void
}

/** First catches up with what an earlier process did not come to write. */
export async function openLoopRecords(dir: string, state: RunState, journal: Journal): Promise<LoopRecords> {
  const path = join(dir, fullFile)
  const known = Number(mark.exec(readPlainFile(path, 200, 'end') ?? '')?.[1] ?? 0)
  const places = new Map<string, number>()
  const note = (event: Event): void => {
    if (event.type !== 'iteration.finished') return
    try {
      append(path, event)
      if (event.output !== null) putOutput(dir, event, places)
    } catch {
      // A file for people must never stop the run it tells about.
    }
  }
  for (const [stage, outputs] of Object.entries(state.loop?.outputs ?? {})) places.set(stage, outputs.length)
  if (state.pipeline) for (const event of await journal.load(known)) if (event.type === 'iteration.finished') append(path, event)
  return { note }
}

function append(path: string, { name, iteration, status, summary, notes, at, seq }: Event<'iteration.finished'>): void {
  const parts = [
    `## ${name} ${iteration} · ${status} · ${at}`, plainBlock(summary), notes === null ? '' : plainBlock(notes), `<!-- event ${seq} -->`,
  ]
  appendFileSync(path, `${parts.filter(Boolean).join('\n\n')}\n\n`, { mode: 0o600 })
}

function putOutput(dir: string, { name, output }: Event<'iteration.finished'>, places: Map<string, number>): void {
  const place = (places.get(name) ?? 0) + 1
  places.set(name, place)
  const path = join(dir, outputFile(name, place))
  mkdirSync(dirname(path), { recursive: true })
  writePlainFile(path, output ?? '')
}
