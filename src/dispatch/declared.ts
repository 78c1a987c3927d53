/** An answer given as lines of their own, where the stage of a loop declares them: prose around them says nothing. */
import { readOutputFields } from '../model/output-fields.ts'
import type { TurnWork } from '../model/work.ts'

const mostSummary = 4_000

/** Null unless at least one declared field is there. */
export function declared(text: string, { parse = [] }: Pick<TurnWork, 'parse'>): Record<string, unknown> | null {
  const fields = readOutputFields(text, parse)
  if (fields.size === 0) return null
  const values = [...fields].map(([field, value]) => [field, valueOf(value)] as const)
  return { status: 'continue', summary: text.trim().slice(-mostSummary), ...Object.fromEntries(values) }
}

/** Yes and no mean what they say; everything else is words. */
const valueOf = (value: string): string | boolean =>
  /^(?:true|yes)$/i.test(value) ? true : /^(?:false|no)$/i.test(value) ? false : value
