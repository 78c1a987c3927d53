/** How long it takes to open a long run, with and without a snapshot, against JSON.parse of its lines. */
import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { median, rounds, summary } from '../kit/measure.js'
import { ask } from '../kit/probe.js'

const floor = resolve(import.meta.dirname, '../floors/parse-lines.js')

/** @type {import('../run.js').Measure} */
export async function opening({ folder, probe, quick, count }) {
  const events = quick ? 20_000 : 100_000
  const plain = mkdtempSync(join(folder, 'run-'))
  const kept = mkdtempSync(join(folder, 'run-'))
  await ask(probe('journal'), 'make', plain, String(events))
  await ask(probe('journal'), 'make', kept, String(events), 'snapshot')
  const found = await rounds(count, {
    parse: () => ask(floor, join(plain, 'events.jsonl')),
    plain: () => ask(probe('journal'), 'open', plain),
    kept: () => ask(probe('journal'), 'open', kept),
  })
  if (found.some((round) => round.plain.seq !== events || round.kept.seq !== events))
    throw new Error('not all of the run was read')
  const row = (figure, name, atMost) => ({
    figure,
    target: { atMost },
    unit: '×',
    ...summary(found.map((round) => round[name].ms / round.parse.ms)),
    how: `journal to state; ${median(found.map((round) => round[name].ms)).toFixed(0)} ms against ${median(found.map(({ parse }) => parse.ms)).toFixed(0)} ms`,
  })
  return [
    row(`Opening a run of ${events} events, against JSON.parse of its lines`, 'plain', 3),
    row(`Opening it with a snapshot, against JSON.parse of its lines`, 'kept', 0.3),
  ]
}
