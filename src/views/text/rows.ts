/** Rows with a name each; a value that is too wide for the terminal continues on the next line, aligned. */
import { columns, pad } from './columns.ts'
import type { Paint } from './paint.ts'

/** Null: unlimited, for files and programs. */
export type Width = number | null

const indent = 8

/** Omits rows without a value. */
export const namedRows = (
  rows: readonly (readonly [name: string, value: string])[],
  paint: Paint,
  width: Width,
): string[] =>
  rows
    .filter(([, value]) => value !== '')
    .flatMap(([name, value]) => {
      const [first = '', ...rest] = wrap(value, width, indent)
      return [`${paint.faint(pad(name, indent - 1))} ${first}`, ...rest.map((line) => ' '.repeat(indent) + line)]
    })

const narrowest = 20

/** Wraps at word boundaries, leaving `before` columns free; a word that is too long stays whole. */
export function wrap(text: string, width: Width, before: number): string[] {
  const room = (width ?? Infinity) - before
  if (room < narrowest || columns(text) <= room) return [text]
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && columns(longer) > room) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/**
 * Wraps each line of a text at word boundaries. The rest of a line is indented like its text: below the first word, or
 * below the second when the first is a mark such as ✓. `before`: columns that something else takes on the first line.
 */
export const wrapLines = (text: string, width: Width, before = 0): string =>
  width === null
    ? text
    : text
        .split('\n')
        .map((line, index) => wrapLine(line, width, index === 0 ? before : 0))
        .join('\n')

function wrapLine(line: string, width: number, before: number): string {
  if (before + columns(line) <= width) return line
  const lead = /^ */.exec(line)?.[0] ?? ''
  const [first = '', ...words] = line.slice(lead.length).split(' ')
  const isMark = columns(first) === 1 && words.length > 0
  const start = isMark ? `${lead}${first} ` : lead
  const indent = before + columns(start)
  const [shown = '', ...rest] = wrap((isMark ? words : [first, ...words]).join(' '), width, indent)
  return [start + shown, ...rest.map((more) => ' '.repeat(indent) + more)].join('\n')
}
