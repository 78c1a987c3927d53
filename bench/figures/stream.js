/**
 * How fast an agent's stream is followed, against JSON.parse of its lines, and whether memory stays flat on a huge one.
 */
import { mkdtempSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { median, rounds, summary } from '../kit/measure.js'
import { ask } from '../kit/probe.js'

const floor = resolve(import.meta.dirname, '../floors/parse-lines.js')

/** @type {import('../run.js').Measure} */
export async function stream({ folder, probe, quick, count }) {
  const megabytes = quick ? 16 : 64
  const small = mkdtempSync(join(folder, 'turn-'))
  const large = mkdtempSync(join(folder, 'turn-'))
  await ask(probe('stream'), 'make', small, String(megabytes))
  const found = await rounds(count, {
    parse: () => ask(floor, join(small, 'stream')),
    follow: () => ask(probe('stream'), 'follow', small),
  })
  const speed = (name) => median(found.map((round) => megabytes / (round[name].ms / 1000))).toFixed(0)
  const rows = [
    {
      figure: 'Speed of following a stream, against JSON.parse of its lines',
      target: { atLeast: 0.5 },
      unit: '×',
      ...summary(found.map(({ parse, follow }) => parse.ms / follow.ms)),
      how: `${megabytes} MB from a file, lines cut, parsed and understood; ${speed('follow')} MB/s against ${speed('parse')} MB/s`,
    },
  ]
  if (quick) return rows
  await ask(probe('stream'), 'make', large, '1024')
  const memory = await rounds(count, {
    small: () => ask(probe('stream'), 'follow', small),
    large: () => ask(probe('stream'), 'follow', large),
  })
  return [
    ...rows,
    {
      figure: 'Growth of memory from a stream of 64 MB to one of 1 GB',
      target: { below: 10 },
      unit: ' MB',
      ...summary(memory.map((round) => round.large.peakMb - round.small.peakMb)),
      how: `peak of a process that does nothing else: ${median(memory.map((round) => round.large.peakMb)).toFixed(1)} MB on 1 GB`,
    },
  ]
}
