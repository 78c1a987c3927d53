/** Parses the text of a variable or a flag as the type of its key. */
import { parseJsonc } from '../platform/jsonc.ts'
import type { Spec } from '../schema/shape.ts'

const yes = /^(?:true|yes|on|1)$/i
const no = /^(?:false|no|off|0)$/i
const numeral = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** A text that cannot be converted stays a text, so that validation reports it. Throws JsonProblem for invalid JSON. */
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

/** Commands may contain commas, names may not. */
const readList = (separated: boolean, text: string): string[] =>
  separated
    ? text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : [text]

/** A flag can also be repeated, or have a value that is already parsed. */
export function readFlag(spec: Spec, value: unknown): unknown {
  if (typeof value === 'string') return readText(spec, value)
  const inner = spec.kind === 'nullable' ? spec.of : spec
  if (!Array.isArray(value) || inner.kind !== 'list') return value
  return value.flatMap((entry: unknown) =>
    typeof entry === 'string' && inner.separated ? readList(true, entry) : [entry],
  )
}
