/** Removes from a line everything that differs between runs: paths, times, positions, most numbers. */

const maxLine = 500
const units = 'ns|µs|μs|us|ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?'
const day = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? '
const month = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*'

/**
 * Words for things whose number should reach zero. A smaller number is a different failure, because it shows progress.
 */
const wrong =
  'problems?|errors?|failures?|failed|failing|warnings?|issues?|violations?|mismatch(?:es)?|differences?|conflicts?|'
  + 'findings?|vulnerabilit(?:y|ies)|offen[cs]es?|left|remaining|missing|unresolved|uncovered'
const counted = `(?:(?!passed|passing|ok|no|without)[a-z][a-z-]* ){0,2}?(?:${wrong})\\b`
const label = '\\b(?:fail(?:ed|ures?|ing)?|errors|problems|warnings|issues|violations|offen[cs]es|remaining|left)'
const isCounted = new RegExp(`^ ${counted}`, 'i')
const isLabelled = new RegExp(`${label} ?[:=]? ?$`, 'i')
/** The number identifies something and does not count. */
const isName = new RegExp(
  '(?:\\b(?:process|pid|worker|thread|port|seed|line|column|code|status|step|attempt|job|id|number|test|case|'
    + 'shard|run|build|task)[ :=]*|#)$',
  'i',
)

const allCounts = new RegExp(`\\b\\d+ ${counted}|${label} ?[:=]? ?\\d+`, 'gi')

/** The counts of problems in a normalized line; empty when it has none. */
export const wrongIn = (line: string): string => (line.match(allCounts) ?? []).join(' ')

/** Keeps counts of problems and coverage percentages; replaces all other numbers with N. */
function numeral(match: string, at: number, line: string): string {
  if (match.endsWith('%')) return /coverage|covered|threshold/i.test(line) ? match : 'N'
  if (!/^\d{1,3}(?:,?\d{3})?$/.test(match)) return 'N'
  const before = line.slice(Math.max(0, at - 40), at)
  const isCount = (isCounted.test(line.slice(at + match.length)) && !isName.test(before)) || isLabelled.test(before)
  return isCount ? match : 'N'
}

/** A point in time, also as part of a file's name: 2026-11-17T21_50_54_788Z. */
const stamp = new RegExp(
  '(?<![A-Za-z\\d])(?:\\d{4}-\\d\\d-\\d\\d|\\d{4}_\\d\\d_\\d\\d|(?:19|20)\\d{6}(?=[T_-]\\d{4}))'
    + '(?:[T _-]\\d\\d[:_-]?\\d\\d(?:[:_-]?\\d\\d(?:[.,_-]?\\d+)?)?)?(?:Z|[+-]\\d\\d:?\\d\\d)?',
  'g',
)
/** At the end of a name: digits and letters in turn, or many digits. */
const randomSuffix =
  /(?<=[A-Za-z][-_.])(?:(?=\d*[a-z])(?=[a-z\d]{6})(?:[a-z]{0,3}\d{1,3}){2,}[a-z]{0,3}|\d{8,})(?![A-Za-z\d])/g

type Rewrite = readonly [RegExp, (match: string, at: number, line: string) => string]

/** Digits in names of tasks, and all other numbers. */
const taskIds: Rewrite = [/\bT\d{3,}(?:\.\d+)*\b/g, () => '<task>']
// Digits inside a word are part of a name: TS2304, E0308, utf8.
const numbers: Rewrite = [/(?<![A-Za-z_\d])[+-]?\d+(?:[.,]\d+)*(?:e[+-]?\d+)?%?/g, numeral]

/**
 * In this order: paths first, because they contain ids and addresses. Each rewrite leaves words that the later ones do
 * not match.
 */
const rewrites: readonly Rewrite[] = [
  [/(?:file:\/\/|(?<![\w.~/-]|:(?=\/\/)))~?\/[^\s'"`()<>[\]{},;:|]+/g, shortPath],
  [
    /(?:[^\s'"`()<>:]*\/)?(?:\.looper\/(?:worktrees|runs)|[0-9a-f]{16}\/\d{3,}-[a-z0-9-]+\/[a-z]+\d+)\/[^\s'"`()<>:]+/g,
    shortPath,
  ],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, () => '<id>'],
  [/\b0x[0-9a-f]+\b/gi, () => '<address>'],
  [/\blooper\/\d+-[\w-]+/g, () => '<branch>'],
  taskIds,
  [stamp, () => '<time>'],
  [new RegExp(`\\b(?:${day})?(?:${month} \\d{1,2}|\\d{1,2} ${month}),?(?: \\d{4})?\\b`, 'g'), () => '<time>'],
  [/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?(?: ?[AP]M)?(?: [A-Z]{3,4}\b)?|\b\d{1,2}:\d\d ?[AP]M\b/g, () => '<time>'],
  [
    new RegExp(`(?<![\\w.])\\d+(?:\\.\\d+)? ?(?:${units})\\b(?: ?\\d+(?:\\.\\d+)? ?(?:${units})\\b)*`, 'g'),
    () => '<duration>',
  ],
  [/\bseed[ :=]+(?=[a-z]*\d)[\da-z]+/gi, () => 'seed N'],
  [/(?<![a-z\d])(?:(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,}|[\da-f]{16,})(?![a-z\d])/gi, () => '<hex>'],
  [randomSuffix, () => '<random>'],
  // A position in a file, the port of a server, the id of a process.
  [new RegExp(`(?<=[\\w>)\\]])(?<!${label}):\\d+(?::\\d+)?`, 'gi'), () => ''],
  numbers,
  [/<time>(?:[ ,]*<time>)+/g, () => '<time>'],
  [/\s+/g, () => ' '],
]

const temporary = /^(?:file:\/\/)?\/(?:tmp|var\/tmp|var\/folders|private\/tmp|private\/var|dev\/shm)\//
const extension = /\.[A-Za-z]\w{0,9}$/

/**
 * The folder of a file differs between worktrees, its name does not. In a temporary folder only the name of a nested
 * file is kept.
 */
function shortPath(path: string): string {
  const name = path.replace(/\/+$/, '').replace(/^.*\//, '')
  if (!temporary.test(path)) return name
  const nested = path.replace(temporary, '').includes('/')
  return nested && extension.test(name) ? name : '<path>'
}

const rewritten = (line: string, by: readonly Rewrite[]): string =>
  by.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), line.slice(0, maxLine)).trim()

export const normalize = (line: string): string => rewritten(line, rewrites)

/** Process ids and ports are long numbers; short ones distinguish two things. */
const longNumbers: Rewrite = [/(?<![A-Za-z_\d])\d{5,}(?![A-Za-z_\d])/g, () => 'N']
const steadyRewrites = rewrites.filter((one) => one !== taskIds).map((one) => (one === numbers ? longNumbers : one))

/** Removes paths, times and addresses, but keeps the numbers that distinguish names. */
export const steady = (line: string): string => rewritten(line, steadyRewrites)
