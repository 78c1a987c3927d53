/** Converts a value of a definition to the type of its key, or returns what the key expects. */
import type { ParsedField } from '../model/loop.ts'
import { parseOutputFields } from '../model/output-fields.ts'
import { describe } from '../schema/describe.ts'
import { accepts } from '../schema/fits.ts'
import type { Spec } from '../schema/shape.ts'
import { cut } from '../views/text/columns.ts'
import { nearest } from '../views/text/nearest.ts'
import { plain } from '../views/text/plain-text.ts'
import type { Scalar, Value, YamlList } from './yaml-value.ts'

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

const not = (spec: Spec, value: Value, hint = ''): { wrong: string } => ({
  wrong: `must be ${describe(spec)}, not ${shown(value)}${hint}`,
})

/** Numbers and booleans keep their spelling: `model: 4.10` is not the number 4.1. */
const wordOf = (value: Value): string | null => {
  if (value.kind !== 'scalar' || value.value === null) return null
  const text = typeof value.value === 'string' ? value.value : value.source
  return text.trim() === '' || text.includes('\0') ? null : text
}

/** Reads a text, a choice, a number or a boolean as its spec says. */
export const scalar =
  <T>(spec: Spec<T>): Read<T> =>
  (value) => {
    const given = givenIn(spec, value)
    if (accepts(spec, given)) return { value: given }
    return not(spec, value, spec.kind === 'choice' && typeof given === 'string' ? meant(given, spec.of) : '')
  }

function givenIn({ kind }: Spec, value: Value): unknown {
  if (kind === 'text') return wordOf(value)?.trim()
  if (kind === 'choice') return wordOf(value)
  return value.kind === 'scalar' ? value.value : undefined
}

/** Reads a text that is kept verbatim. */
export const block =
  (spec: Spec<string>): Read<Scalar> =>
  (value) =>
    wordOf(value) === null || value.kind !== 'scalar' ? not(spec, value) : { value }

/** Reads a list of texts. A single text is a list of one. */
export const words =
  (spec: Spec<string[]>): Read<string[]> =>
  (value) => {
    const list = value.kind === 'list' ? value.items.map(wordOf) : [wordOf(value)]
    const trimmed = list.filter((word) => word !== null).map((word) => word.trim())
    if (trimmed.length !== list.length) return not(spec, value)
    if (trimmed.length > mostWords || trimmed.some((word) => word.length > longestWord)) {
      return { wrong: `must be a list of at most ${mostWords} texts of at most ${longestWord} characters` }
    }
    return { value: trimmed }
  }

/** Accepts `plateau:PLATEAU reasoning:REASONING`, the same as a list, or as a map. */
export const outputFields =
  (spec: Spec): Read<ParsedField[]> =>
  (value) => {
    const pairs =
      value.kind === 'map'
        ? value.entries.map(({ key, value: label }) => `${key}:${wordOf(label) ?? ''}`)
        : value.kind === 'list'
          ? value.items.map((item) => wordOf(item) ?? '')
          : [wordOf(value) ?? '']
    const fields = parseOutputFields(pairs.join(' '))
    return fields === null ? not(spec, value) : { value: fields }
  }

/** Reads a list whose entries are read one by one, each with a place of its own. */
export const entries =
  (spec: Spec): Read<YamlList> =>
  (value) =>
    value.kind === 'list' ? { value } : { wrong: `must be ${describe(spec)}` }
