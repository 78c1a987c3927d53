/** Parses the text of a variable or a flag as the type of its key. */
import { parseJsonc } from '../platform/jsonc.ts'
import type { ShapeOf, Spec } from '../schema/shape.ts'

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
      return trimmed.startsWith('[') ? parseJsonc(trimmed) : readElements(spec, [trimmed])
    case 'record':
    case 'object':
    case 'shorthand':
      return trimmed.startsWith('{') ? parseJsonc(trimmed) : text
  }
}

/** Commands may contain commas, names may not. */
const readList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** A flag can also be repeated, or have a value that is already parsed. */
export function readFlag(spec: Spec, value: unknown): unknown {
  if (typeof value === 'string') return readText(spec, value)
  const inner = spec.kind === 'nullable' ? spec.of : spec
  if (!Array.isArray(value) || inner.kind !== 'list') return value
  return readElements(inner, value)
}

const readElements = ({ separated, of }: ShapeOf<'list'>, values: readonly unknown[]): unknown[] =>
  values.flatMap((entry) => {
    if (typeof entry !== 'string') return [entry]
    return separated ? readList(entry) : [of.kind === 'shorthand' ? readShorthand(entry) : entry]
  })

/** A command may also start with a brace, so only a text that is a whole JSON object is one. */
function readShorthand(text: string): unknown {
  if (!/^\s*\{.*\}\s*$/s.test(text)) return text
  try {
    return parseJsonc(text)
  } catch {
    return text
  }
}
