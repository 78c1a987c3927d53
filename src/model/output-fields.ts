/**
 * Fields of an answer that agents may print as separate lines. Only declared fields are read; other lines are prose.
 */
import type { ParsedField } from './loop.ts'

const word = /^[A-Za-z][A-Za-z0-9_-]*$/
const decoration = /[\s*_`]/
const tag = /^<([A-Za-z][A-Za-z0-9_-]*)>$/

/**
 * `plateau:PLATEAU reasoning:REASONING`, or `status:<promise>` for `<promise>…</promise>`. Null when the text is
 * invalid.
 */
export function parseOutputFields(text: string): ParsedField[] | null {
  const pairs = text.trim().split(/[\s,]+/)
  const fields = pairs.map((pair) => {
    const [field = '', label = '', ...more] = pair.split(':')
    return more.length === 0 && word.test(field) && (word.test(label) || tag.test(label)) ? { field, label } : null
  })
  const valid = fields.filter((field) => field !== null)
  const distinct = new Set(valid.map(({ field }) => field)).size === pairs.length
  return valid.length === pairs.length && distinct ? valid : null
}

/** The last matching line wins, because agents repeat their instructions before they answer. */
export function readOutputFields(text: string, fields: readonly ParsedField[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.split(/\r?\n/)) {
    const bare = undecorated(line)
    for (const { field, label } of fields) {
      const value = valueOf(bare, label)
      if (value !== null) found.set(field, value)
    }
  }
  return found
}

function valueOf(line: string, label: string): string | null {
  const name = tag.exec(label)?.[1]
  const [before, after] = name === undefined ? [`${label}:`, ''] : [label, `</${name}>`]
  if (line.length < before.length + after.length || !line.startsWith(before) || !line.endsWith(after)) return null
  return undecorated(line.slice(before.length, line.length - after.length))
}

/**
 * Strips surrounding spaces and markup. Not a regular expression, because one anchored at the line end backtracks from
 * every position.
 */
function undecorated(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && decoration.test(text.charAt(start))) start += 1
  while (start < end && decoration.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
