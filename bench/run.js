/**
 * `npm run bench`: measures Looper against honest floors, prints the figures and writes bench/RESULTS.md.
 *   npm run bench -- --only turn,startup   some figures only; their rows replace those of before
 *   npm run bench -- --quick               small numbers, to see that it works; nothing is written
 *   npm run bench -- --rounds 9            more rounds than the five it takes otherwise
 */
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { backlog } from './figures/backlog.js'
import { convergence } from './figures/convergence.js'
import { core } from './figures/core.js'
import { growth } from './figures/growth.js'
import { merge } from './figures/merge.js'
import { opening } from './figures/opening.js'
import { parallel } from './figures/parallel.js'
import { queue } from './figures/queue.js'
import { sandbox } from './figures/sandbox.js'
import { setup } from './figures/setup.js'
import { startup } from './figures/startup.js'
import { stream } from './figures/stream.js'
import { turn } from './figures/turn.js'
import { buildInto } from './kit/build.js'
import { isMet, line, loadNow, table, withRows, withSection } from './kit/report.js'

/**
 * @typedef {{ atMost: number } | { atLeast: number } | { below: number } | { above: number }} Target
 * @typedef {{ figure: string, target: Target | null, value: number, low: number, high: number, unit: string, how:
 * string, digits?: number }} Row
 * @typedef {{ name: string, rows: Row[], text: string, files: Record<string, string> }} Section what is the same on
 * every machine, with files beside it
 * @typedef {{ folder: string, looper: string, probe: (name: string) => string, quick: boolean, count: number, addSection:
 * (section: Section) => void }} Bench
 * @typedef {(bench: Bench) => Promise<Row[]>} Measure
 */

/** @type {Record<string, Measure>} */
const figures = {
  turn,
  merge,
  queue,
  parallel,
  startup,
  growth,
  core,
  opening,
  stream,
  sandbox,
  setup,
  backlog,
  convergence,
}

const { values } = parseArgs({
  options: { only: { type: 'string' }, rounds: { type: 'string' }, quick: { type: 'boolean', default: false } },
})
const chosen = values.only?.split(',') ?? Object.keys(figures)
const unknown = chosen.find((name) => !(name in figures))
const count = Number(values.rounds ?? (values.quick ? 2 : 5))
if (unknown !== undefined || !(count >= 1)) {
  console.error(
    `bench: ${unknown === undefined ? '--rounds wants a number' : `there is no figure ${unknown}; there are ${Object.keys(figures).join(', ')}`}`,
  )
  process.exit(2)
}

const load = loadNow()
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'looper-bench-')))
/** @type {Row[]} */
const rows = []
/** @type {Section[]} */
const sections = []
try {
  /** @type {Bench} */
  const bench = {
    folder,
    quick: values.quick,
    count,
    addSection: (section) => sections.push(section),
    ...(await buildInto(join(folder, 'program'))),
  }
  for (const name of chosen) {
    try {
      for (const row of await figures[name](bench)) {
        rows.push(row)
        console.log(line(row))
      }
    } catch (error) {
      // The other figures took minutes: they are kept.
      console.error(`✗ ${name} was not measured: ${error instanceof Error ? error.message : String(error)}`)
      process.exitCode = 1
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
const counted = sections.flatMap((section) => section.rows)
for (const row of counted) console.log(line(row))
const all = [...rows, ...counted]
const missed = all.filter((row) => isMet(row) === false).length
console.log(`\n${all.length} figures, ${missed} of them short of their target; load ${load.toFixed(1)} at the start`)
const results = join(import.meta.dirname, 'RESULTS.md')
if (!values.quick && all.length > 0) {
  const isWhole = values.only === undefined && process.exitCode === undefined
  const known = isWhole
    ? table(rows, { count, load, command: 'npm run bench' })
    : withRows(readFileSync(results, 'utf8'), rows)
  const text = sections.reduce(withSection, known)
  for (const [name, content] of sections.flatMap(({ files }) => Object.entries(files)))
    writeFileSync(join(import.meta.dirname, name), content)
  writeFileSync(results, text)
  console.log('written to bench/RESULTS.md')
}
