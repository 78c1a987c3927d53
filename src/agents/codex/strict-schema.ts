/**
 * Converts a schema into OpenAI's strict form: every key required, no other keys, no defaults, no sizes. An optional
 * key becomes nullable; the rules lost here are checked when the answer is validated.
 */
import { isObject, listOf, objectOf, parseObject } from '../json.ts'

type Schema = Record<string, unknown>

/** Null when any part of the schema is too open for the strict form. */
export function strictSchema(text: string): string | null {
  const schema = parseObject(text)
  const strict = schema === null ? null : tighten(schema)
  return strict === null || strict['type'] !== 'object' ? null : JSON.stringify(strict)
}

function tighten(schema: Schema): Schema | null {
  const { description, anyOf, type } = schema
  const words = typeof description === 'string' ? { description } : {}
  if (Array.isArray(anyOf)) {
    const choices = anyOf.map((choice) => (isObject(choice) ? tighten(choice) : null))
    return choices.includes(null) ? null : { ...words, anyOf: choices }
  }
  if (Array.isArray(schema['enum'])) return { ...words, ...(type === undefined ? {} : { type }), enum: schema['enum'] }
  if ('const' in schema) return { ...words, const: schema['const'] }
  if (type === 'object') return tightenObject(schema, words)
  if (type === 'array') {
    const items = isObject(schema['items']) ? tighten(schema['items']) : null
    return items === null ? null : { ...words, type, items }
  }
  return isScalar(type) ? { ...words, type } : null
}

function tightenObject(schema: Schema, words: Schema): Schema | null {
  const entries = Object.entries(objectOf(schema['properties']) ?? {})
  const required = listOf(schema['required'])
  const properties = entries.map(([key, value]) => {
    const strict = isObject(value) ? tighten(value) : null
    return [
      key,
      strict === null || required.includes(key) || hasDefault(value) || allowsNull(strict) ? strict : orNull(strict),
    ] as const
  })
  if (properties.length === 0 || properties.some(([, value]) => value === null)) return null
  const keys = { properties: Object.fromEntries(properties), required: entries.map(([key]) => key) }
  return { ...words, type: 'object', ...keys, additionalProperties: false }
}

const scalars: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'null']
const isScalar = (type: unknown): boolean =>
  Array.isArray(type) ? type.every((name) => scalars.includes(name)) : scalars.includes(type)

/**
 * A key with a default need not become nullable, because the model can give the default, such as an empty list or text.
 */
const hasDefault = (schema: unknown): boolean =>
  isObject(schema) && schema['default'] !== undefined && schema['default'] !== null

const allowsNull = ({ type, anyOf, enum: values }: Schema): boolean =>
  type === 'null'
  || listOf(type).includes('null')
  || listOf(values).includes(null)
  || listOf(anyOf).some((choice) => isObject(choice) && allowsNull(choice))

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
