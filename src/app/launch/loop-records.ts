/**
 * Writes files about a loop into the run's folder, for people: every pass in full, and the output of each for later
 * stages. They are folds of the journal; entries that an earlier process did not write are added at the start.
 */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { outputFile } from '../../context/loop-prompt.ts'
import type { Event } from '../../model/event.ts'
import type { Journal } from '../../model/ports.ts'
import type { RunState } from '../../model/state.ts'
import { readPlainFile, writePlainFile } from '../../platform/plain-file.ts'
import { plainBlock } from '../../views/text/plain-text.ts'
import { wholeOf } from './whole-output.ts'

const fullFile = 'progress-full.md'
const mark = /<!-- event (\d+) -->\s*$/

export interface LoopRecords {
  record(event: Event, state: RunState): void
}

/** One pass of a stage, or one task that a stage completed. */
interface Pass {
  stage: string
  from: string
  status: string
  summary: string
  notes: string | null
  output: string | null
}

export async function openLoopRecords(dir: string, state: RunState, journal: Journal): Promise<LoopRecords> {
  const path = join(dir, fullFile)
  const known = Number(mark.exec(readPlainFile(path, 200, 'end') ?? '')?.[1] ?? 0)
  const record = (event: Event, now: RunState): void => {
    const pass = passOf(event, now)
    if (!pass) return
    try {
      append(path, pass, event)
      if (pass.output !== null) put(join(dir, outputFile(pass.stage, pass.from)), wholeOf(dir, pass.output))
    } catch {
      // A file that cannot be written must never stop the run.
    }
  }
  if (state.pipeline) for (const event of await journal.load(known)) record(event, state)
  return { record }
}

function passOf(event: Event, { loop, pipeline }: RunState): Pass | null {
  if (event.type === 'iteration.finished') {
    const { name, iteration, status, summary, notes, output } = event
    return { stage: name, from: String(iteration), status, summary, notes, output }
  }
  const stage = pipeline?.stages[loop?.stage ?? 0]?.name
  if (event.type !== 'task.finished' || event.by === 'source' || stage === undefined) return null
  const { task, status, summary, reason, notes = null } = event
  return { stage, from: task, status, summary: summary ?? reason ?? '', notes, output: summary }
}

function append(path: string, { stage, from, status, summary, notes }: Pass, { at, seq }: Event): void {
  const words = [summary, notes ?? ''].map((text) => plainBlock(text))
  const parts = [`## ${stage} ${from} · ${status} · ${at}`, ...words, `<!-- event ${seq} -->`]
  appendFileSync(path, `${parts.filter(Boolean).join('\n\n')}\n\n`, { mode: 0o600 })
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writePlainFile(path, text)
}
