/** Validates an agent's answer: returns the result, or a short list of problems. */
import type { ZodType } from 'zod'
import { purposes, type Purpose } from '../model/purposes.ts'
import { isObject } from '../model/object.ts'

export type Validation = { ok: true; result: unknown } | { ok: false; errors: string[] }

const maxErrors = 10
const maxDepth = 64
const maxValues = 100_000

/** Loaded with the first turn, so that read-only commands do not load the schema library. */
const load = () => import('../model/results.ts')
let loaded: ReturnType<typeof load> | undefined

/** Starts loading the schemas early, in parallel with the start of the first agent. */
export const loadSchemas = (): ReturnType<typeof load> => (loaded ??= load())

export async function validateResult(purpose: Purpose, value: unknown): Promise<Validation> {
  const schema = (await loadSchemas()).schemaOf(purpose)
  const keys = Object.keys(schema.shape)
  if (isObject(value) && !keys.some((key) => Object.hasOwn(value, key))) {
    const { role } = purposes[purpose]
    return { ok: false, errors: [`not a ${role}'s answer: it has none of the keys ${keys.join(', ')}`] }
  }
  return validate(schema, value)
}

export function validate(schema: ZodType, value: unknown): Validation {
  const size = measure(value)
  if (size !== null) return { ok: false, errors: [size] }
  const parsed = schema.safeParse(value)
  if (parsed.success) return { ok: true, result: parsed.data }
  const lenient = schema.safeParse(withoutNulls(value))
  return lenient.success ? { ok: true, result: lenient.data } : { ok: false, errors: describe(parsed.error.issues) }
}

/** Many programs write null for a field that they omit. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (typeof value !== 'object' || value === null) return value
  const given = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(given.map(([key, member]) => [key, withoutNulls(member)]))
}

/** The JSON Schema of the answer, for the agent. */
export async function resultJsonSchema(purpose: Purpose): Promise<object> {
  const { jsonSchemaOf, schemaOf } = await loadSchemas()
  return jsonSchemaOf(schemaOf(purpose))
}

interface Issue {
  path: readonly PropertyKey[]
  message: string
}

function describe(issues: readonly Issue[]): string[] {
  const lines = [...new Set(issues.map(describeIssue))]
  return lines.length <= maxErrors
    ? lines
    : [...lines.slice(0, maxErrors - 1), `and ${lines.length - maxErrors + 1} more`]
}

function describeIssue({ path, message }: Issue): string {
  const field = path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : `${text}${text === '' ? '' : '.'}${String(key)}`),
    '',
  )
  const what = message.endsWith('received undefined') ? 'required' : message.replace(/^Invalid (?:input|option): /, '')
  return `${field === '' ? 'answer' : field}: ${what}`.slice(0, 300)
}

/** Not recursive, because a hostile answer could overflow the stack. */
function measure(root: unknown): string | null {
  let values = 0
  let level: unknown[] = [root]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxDepth) return `answer: nested deeper than ${maxDepth} levels`
    values += level.length
    if (values > maxValues) return `answer: more than ${maxValues} values`
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return null
}
