/** The results as people read them: a line each while they come, a table in the end. */
import { execFileSync } from 'node:child_process'
import { availableParallelism, loadavg, totalmem } from 'node:os'

/** @typedef {import('../run.js').Row} Row */

/** @param {Row} row */
const digitsOf = ({ unit, digits }) => digits ?? (unit === ' MB' ? 1 : 2)

/** @param {number} value @param {Row} row */
const number = (value, row) =>
  digitsOf(row) === 0 ? Math.round(value).toLocaleString('en') : value.toFixed(digitsOf(row))

/** @param {Row} row */
const measured = (row) => `${number(row.value, row)}${row.unit}`

/** @param {Row} row */
export function targetText({ target, unit }) {
  if (target === null) return 'reported'
  const [[kind, limit]] = Object.entries(target)
  const sign = { atMost: '≤', atLeast: '≥', below: '<', above: '>' }[kind]
  return `${sign} ${limit.toLocaleString('en')}${unit}`
}

/** @param {Row} row @returns {boolean | null} null where there is nothing to reach */
export function isMet({ target, value }) {
  if (target === null) return null
  if ('atMost' in target) return value <= target.atMost
  if ('atLeast' in target) return value >= target.atLeast
  return 'below' in target ? value < target.below : value > target.above
}

/** @param {Row} row */
const mark = (row) => ({ true: 'yes', false: '**no**', null: '–' })[String(isMet(row))]

/** @param {Row} row */
export const line = (row) => {
  const sign = { true: '✓', false: '✗', null: '·' }[String(isMet(row))]
  return `${sign} ${row.figure}: ${measured(row)} (${targetText(row)}; ${number(row.low, row)}–${number(row.high, row)})\n    ${row.how}`
}

/** @param {string} text */
const cell = (text) => text.replaceAll('|', '\\|')

/** @param {Row} row */
const rowLine = (row) =>
  `| ${[
    cell(row.figure),
    targetText(row),
    measured(row),
    mark(row),
    `${number(row.low, row)} – ${number(row.high, row)}`,
    cell(row.how),
  ].join(' | ')} |`

/** @param {readonly Row[]} rows */
const rowsTable = (rows) => `| figure | target | measured | reached | range | how |
|---|---|---|---|---|---|
${rows.map(rowLine).join('\n')}
`

/**
 * The text with each row in place of the one of the same figure; a new figure comes after the last.
 * @param {string} text @param {readonly Row[]} rows
 */
export function withRows(text, rows) {
  const lines = text.split('\n')
  for (const row of rows) {
    const at = lines.findIndex((each) => each.startsWith(`| ${cell(row.figure)} |`))
    const last = lines.findIndex((each, index) => each.startsWith('|---|---|---|') && index > 0)
    if (at !== -1) lines[at] = rowLine(row)
    else lines.splice(lines.indexOf('', last), 0, rowLine(row))
  }
  return lines.join('\n')
}

/**
 * A section of its own, in place of the one of the same name that is there, or at the end.
 * @param {string} text @param {import('../run.js').Section} section
 */
export function withSection(text, { name, rows, text: more }) {
  const [from, to] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const section = `${from}\n${more.replace('{{rows}}', rowsTable(rows).trimEnd())}${to}\n`
  const [start, end] = [text.indexOf(from), text.indexOf(to)]
  return start === -1 || end === -1
    ? `${text.trimEnd()}\n\n${section}`
    : text.slice(0, start) + section + text.slice(end + to.length + 1)
}

/** @param {readonly Row[]} rows @param {{ count: number, load: number, command: string }} facts */
export function table(rows, { count, load, command }) {
  const git = execFileSync('git', ['--version'], { encoding: 'utf8' }).trim()
  return `# Figures

Written by \`${command}\`. Measured in rounds that take turns (the median of ${count} rounds, then their range). Ratios compare two things within
one run, and where a slope is named the cost of starting up is taken out: trust them, not the milliseconds. Megabytes and events per second are
this machine's. What Looper is compared with is in [floors/](floors); [NOTES.md](NOTES.md) says what is behind the figures that fall short.

| machine | |
|---|---|
| date | ${new Date().toISOString().slice(0, 10)} |
| cores, memory | ${availableParallelism()}, ${Math.round(totalmem() / 2 ** 30)} GB |
| load at the start | ${load.toFixed(1)} |
| system | ${process.platform} ${process.arch} |
| Node | ${process.version} |
| git | ${git.replace('git version ', '')} |

${rowsTable(rows)}`
}

export const loadNow = () => loadavg()[0] ?? 0
