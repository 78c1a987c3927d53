/** Escapes agents' text for a Markdown document, so that none of it acts as markup. */
import { plain, plainBlock } from './plain-text.ts'

/** One line that cannot start a heading, a list, a table cell, a link, a code span or HTML. */
export function mdLine(text: string, max?: number): string {
  const safe = withoutEmphasis(plain(text, max).replace(/[\\`*[\]|~$]/g, String.raw`\$&`))
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/</g, '&lt;')
  return safe.replace(/^([#>+=-])/, String.raw`\$1`).replace(/^(\d+)([.)])/, String.raw`$1\$2`)
}

/** Few lines have an underscore, and the expression is tried at every character. */
const withoutEmphasis = (text: string): string =>
  text.includes('_') ? text.replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, String.raw`\_`) : text

const longestRun = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0)

/** A code span that its content cannot leave. */
export function mdCode(text: string, max?: number): string {
  const line = plain(text, max).replace(/\|/g, '¦')
  const ticks = '`'.repeat(longestRun(line) + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${line === '' ? ' ' : line}${space}${ticks}`
}

/** A fenced block that its content cannot close. */
export function mdFence(text: string, info = 'text'): string {
  // Matches only at the start of a run of newlines. Otherwise every position is tried, which takes minutes for a long
  // run.
  const body = plainBlock(text).replace(/(?<!\n)\n+$/, '')
  const ticks = '`'.repeat(Math.max(3, longestRun(body) + 1))
  return `${ticks}${info}\n${body}\n${ticks}`
}
