/**
 * Reads an answer from the fields that a loop stage declares, each on its own line; the prose around them is ignored.
 */
import { readOutputFields } from '../model/output-fields.ts'
import type { TurnWork } from '../model/work.ts'

const mostSummary = 4_000

/** Null unless at least one declared field is present. */
export function declared(text: string, { parse = [] }: Pick<TurnWork, 'parse'>): Record<string, unknown> | null {
  const fields = readOutputFields(text, parse)
  if (fields.size === 0) return null
  const values = [...fields].map(([field, value]) => [field, valueOf(value)] as const)
  return { status: 'continue', summary: text.trim().slice(-mostSummary), ...Object.fromEntries(values) }
}

/** Yes and no become booleans; every other value stays text. */
const valueOf = (value: string): string | boolean =>
  /^(?:true|yes)$/i.test(value) ? true : /^(?:false|no)$/i.test(value) ? false : value
