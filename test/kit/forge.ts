/** Appends events to the journal of a run whose engine is dead, as a hostile agent could: with right checksums. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { encodeEvent } from '../../src/journal/line.ts'
import type { Fact } from '../../src/model/event.ts'
import { eventsSoFar } from './live.ts'
import type { Project } from './project.ts'

export function forge(project: Project, ...facts: Fact[]): void {
  const last = eventsSoFar(project).at(-1)
  if (!last) throw new Error('the run has no events')
  const lines = facts.map((fact, index) => encodeEvent({ ...fact, seq: last.seq + 1 + index, at: last.at }))
  appendFileSync(join(project.root, '.looper/runs/last/events.jsonl'), lines.map((line) => `${line}\n`).join(''))
}
