/** Converts a value of a definition to the type of its key, or returns what the key expects. */
import type { ParsedField } from '../model/loop.ts'
import { parseOutputFields } from '../model/output-fields.ts'
import { cut } from '../views/columns.ts'
import { nearest } from '../views/nearest.ts'
import { plain } from '../views/plain-text.ts'
import type { Scalar, Value } from './yaml-value.ts'

export type Read<T> = (value: Value) => { value: T } | { wrong: string }

const mostWords = 10_000
const longestWord = 10_000

export const quoted = (text: string): string => `"${cut(plain(text), 60)}"`

export const meant = (text: string, candidates: Iterable<string>): string => {
  const close = nearest(text, candidates)
  return close === null ? '' : ` (did you mean ${quoted(close)}?)`
}

function shown(value: Value): string {
  if (value.kind !== 'scalar') return value.kind === 'map' ? 'a map' : 'a list'
  return value.value === null ? 'nothing' : quoted(value.source)
}

const not = (expected: string, value: Value, hint = ''): { wrong: string } => ({
  wrong: `must be ${expected}, not ${shown(value)}${hint}`,
})

/** Numbers and booleans keep their spelling: `model: 4.10` is not the number 4.1. */
const wordOf = (value: Value): string | null => {
  if (value.kind !== 'scalar' || value.value === null) return null
  const text = typeof value.value === 'string' ? value.value : value.source
  return text.trim() === '' || text.includes('\0') ? null : text
}

export const text: Read<string> = (value) => {
  const word = wordOf(value)
  return word === null ? not('a text', value) : { value: word.trim() }
}

/** A text that is kept verbatim. */
export const block: Read<Scalar> = (value) =>
  wordOf(value) === null || value.kind !== 'scalar' ? not('a text', value) : { value }

export const boolean: Read<boolean> = (value) =>
  value.kind === 'scalar' && typeof value.value === 'boolean' ? { value: value.value } : not('true or false', value)

export const choice =
  <const C extends string>(...of: readonly C[]): Read<C> =>
  (value) => {
    const word = wordOf(value)
    const chosen = of.find((each) => each === word)
    if (chosen !== undefined) return { value: chosen }
    return not(`one of ${of.join(', ')}`, value, word === null ? '' : meant(word, of))
  }

const number =
  (noun: string, fits: (value: number) => boolean): Read<number> =>
  (value) =>
    value.kind === 'scalar' && typeof value.value === 'number' && fits(value.value)
      ? { value: value.value }
      : not(noun, value)

export const whole = (min: number, max: number): Read<number> =>
  number(`a whole number from ${min} to ${max}`, (value) => Number.isInteger(value) && value >= min && value <= max)

export const between = (min: number, max: number): Read<number> =>
  number(`a number from ${min} to ${max}`, (value) => value >= min && value <= max)

/** A single text is a list of one. */
export const words: Read<string[]> = (value) => {
  const list = value.kind === 'list' ? value.items.map(wordOf) : [wordOf(value)]
  const sound = list.filter((word) => word !== null).map((word) => word.trim())
  if (sound.length !== list.length) return not('a list of texts', value)
  if (sound.length > mostWords || sound.some((word) => word.length > longestWord)) {
    return { wrong: `must be a list of at most ${mostWords} texts of at most ${longestWord} characters` }
  }
  return { value: sound }
}

/** Accepts `plateau:PLATEAU reasoning:REASONING`, the same as a list, or as a map. */
export const outputFields: Read<ParsedField[]> = (value) => {
  const pairs =
    value.kind === 'map'
      ? value.entries.map(({ key, value: label }) => `${key}:${wordOf(label) ?? ''}`)
      : value.kind === 'list'
        ? value.items.map((item) => wordOf(item) ?? '')
        : [wordOf(value) ?? '']
  const fields = parseOutputFields(pairs.join(' '))
  return fields === null
    ? not('fields with their labels, like "plateau:PLATEAU reasoning:REASONING"', value)
    : { value: fields }
}
