/** Reads the text of a variable or a flag as the kind of value that its key wants. */
import { parseJsonc } from '../platform/jsonc.ts'
import type { Spec } from './spec.ts'

const yes = /^(?:true|yes|on|1)$/i
const no = /^(?:false|no|off|0)$/i
const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** A text that cannot be read stays a text, so that validation names it. Throws JsonProblem for broken JSON. */
export function readText(spec: Spec, text: string): unknown {
  const trimmed = text.trim()
  switch (spec.kind) {
    case 'text':
    case 'choice':
      return text
    case 'boolean':
      return yes.test(trimmed) || (no.test(trimmed) ? false : text)
    case 'number':
      return numeral.test(trimmed) ? Number(trimmed) : text
    case 'nullable':
      return /^(?:null|none)$/i.test(trimmed) ? null : readText(spec.of, text)
    case 'list':
      return trimmed.startsWith('[') ? parseJsonc(trimmed) : readList(spec.separated, trimmed)
    case 'record':
    case 'object':
    case 'shorthand':
      return trimmed.startsWith('{') ? parseJsonc(trimmed) : text
  }
}

/** Commands may hold commas, names may not. */
const readList = (separated: boolean, text: string): string[] =>
  separated
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [text]

/** Flags may also be given more than once, or carry a value that needs no reading. */
export function readFlag(spec: Spec, value: unknown): unknown {
  if (typeof value === 'string') return readText(spec, value)
  const inner = spec.kind === 'nullable' ? spec.of : spec
  if (!Array.isArray(value) || inner.kind !== 'list') return value
  return value.flatMap((entry: unknown) =>
    typeof entry === 'string' && inner.separated ? readList(true, entry) : [entry],
  )
}
