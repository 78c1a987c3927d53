/** The table of RESULTS.md: one row for each planted bug. */

const head = [
  '# Planted bugs',
  '',
  '<!-- Written by `npm run test:mutations`. -->',
  '',
  'Each bug is planted in a copy of the source, which then lives through simulated worlds, first the one that found it last time, then from seed 1 on (or later, where that is rare), until the checker of that law reports it.',
  '',
  '| law | planted bug | file | found by | what the checker said |',
  '|---|---|---|---|---|',
]

const escape = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const keyOf = ({ law, bug, file }) => `| ${law} | ${bug} | \`${file}\` |`

/** @type {import('./results.js').rowOf} */
export const rowOf = (mutation, result, detail) => `${keyOf(mutation)} ${result} | ${escape(detail).slice(0, 160)} |`

/** @type {import('./results.js').seedOf} */
export function seedOf(text, mutation) {
  const start = `${keyOf(mutation)} seed `
  const row = text.split('\n').find((line) => line.startsWith(start))
  return row === undefined ? null : Number.parseInt(row.slice(start.length), 10)
}

/** @type {import('./results.js').mergeResults} */
export function mergeResults(text, rows, mutations) {
  const known = [...rows, ...text.split('\n')]
  return [
    ...head,
    ...mutations.flatMap((mutation) => known.find((row) => row.startsWith(keyOf(mutation))) ?? []),
    '',
  ].join('\n')
}
