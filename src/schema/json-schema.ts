/** Generates JSON Schema for editors. */
import type { Field, ShapeOf, Spec } from './shape.ts'
import { text } from './spec.ts'

export type Schema = Record<string, unknown>

export const dialect = 'https://json-schema.org/draft/2020-12/schema'

/** Objects with a title become references to `$defs`. */
export function schemaOf(spec: Spec): Schema {
  switch (spec.kind) {
    case 'text':
      return { type: 'string', ...(spec.pattern === undefined ? {} : { pattern: spec.pattern.source }) }
    case 'choice':
      return { enum: spec.of }
    case 'boolean':
      return { type: 'boolean' }
    case 'number':
      return numberSchema(spec)
    case 'list':
      return { type: 'array', ...(spec.min > 0 ? { minItems: spec.min } : {}), items: schemaOf(spec.of) }
    case 'record':
      return recordSchema(spec)
    case 'object':
      return spec.title === undefined ? objectSchema(spec) : { $ref: `#/$defs/${spec.title}` }
    case 'nullable':
      return orNull(schemaOf(spec.of))
    case 'shorthand':
      return { anyOf: [schemaOf(text), schemaOf(spec.full)] }
  }
}

export function objectSchema({ fields, open }: ShapeOf<'object'>): Schema & { properties: Schema } {
  const required = Object.keys(fields).filter((name) => fields[name]?.presence === 'required')
  return {
    type: 'object',
    ...(open ? {} : { additionalProperties: false }),
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
  }
}

const fieldSchema = (field: Field): Schema => ({
  description: field.about,
  ...(field.default === undefined ? {} : { default: field.default }),
  ...(field.examples.length === 0 ? {} : { examples: field.examples }),
  ...(field.orNull ? orNull(schemaOf(field.spec)) : schemaOf(field.spec)),
})

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })

function numberSchema({ whole, min, max, aboveMin }: ShapeOf<'number'>): Schema {
  if (min === max) return { const: min }
  return {
    type: whole ? 'integer' : 'number',
    ...(aboveMin ? { exclusiveMinimum: min } : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }
}

function recordSchema({ names, of, usual = [], about }: ShapeOf<'record'>): Schema {
  const described = (name: string): Schema => (about === undefined ? {} : { description: about(name) })
  const named = (name: string): [string, Schema] => [name, { ...described(name), ...schemaOf(of) }]
  return names instanceof RegExp
    ? {
        type: 'object',
        propertyNames: { pattern: names.source },
        ...(usual.length === 0 ? {} : { properties: Object.fromEntries(usual.map(named)) }),
        additionalProperties: schemaOf(of),
      }
    : { type: 'object', additionalProperties: false, properties: Object.fromEntries(names.map(named)) }
}
