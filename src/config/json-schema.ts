/** Generates the JSON Schema of the configuration for editors. A test keeps the committed file equal to it. */
import { addAliases } from './alias-schema.ts'
import { keys, openKeys, settings } from './keys.ts'
import { anyText, text } from './spec.ts'
import type { Field, Fields, Shape, Spec } from './spec.ts'

type Schema = Record<string, unknown>

export function configJsonSchema(): Schema {
  const { properties, ...rest } = objectSchema(settings)
  const schema: Schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Looper configuration',
    description: 'For .looper/config.json and ~/.config/looper/config.json. Comments and trailing commas are allowed.',
    ...rest,
    properties: { $schema: { type: 'string', description: 'For editors.' }, ...properties },
    $defs: Object.fromEntries(
      [...keys, ...openKeys].flatMap(({ spec }) =>
        spec.kind === 'object' && spec.title !== undefined ? [[spec.title, objectSchema(spec.fields)]] : [],
      ),
    ),
  }
  addAliases(schema)
  return schema
}

function objectSchema(fields: Fields): Schema & { properties: Schema } {
  const required = Object.keys(fields).filter((name) => fields[name]?.presence === 'required')
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length > 0 ? { required } : {}),
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fieldSchema(field)])),
  }
}

const fieldSchema = (field: Field): Schema => ({
  description: field.about,
  ...(field.default === undefined ? {} : { default: field.default }),
  ...(field.examples.length === 0 ? {} : { examples: field.examples }),
  ...schemaOf(field.spec),
})

function schemaOf(spec: Spec): Schema {
  switch (spec.kind) {
    case 'text':
      return textSchema(spec)
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
      return spec.title === undefined ? objectSchema(spec.fields) : { $ref: `#/$defs/${spec.title}` }
    case 'nullable':
      return { anyOf: [schemaOf(spec.of), { type: 'null' }] }
    case 'shorthand':
      return { anyOf: [{ type: 'string', minLength: 1 }, schemaOf(spec.full)] }
  }
}

/** Leaves the exclusion of NUL out of the schema. */
function textSchema(spec: Extract<Shape, { kind: 'text' }>): Schema {
  if (spec.pattern === anyText.pattern) return { type: 'string' }
  return { type: 'string', pattern: spec.pattern === text.pattern ? '\\S' : spec.pattern.source }
}

const numberSchema = ({ whole, min, max, aboveMin }: Extract<Shape, { kind: 'number' }>): Schema => ({
  type: whole ? 'integer' : 'number',
  ...(aboveMin ? { exclusiveMinimum: min } : { minimum: min }),
  ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }),
})

function recordSchema({ names, of, usual = [], about }: Extract<Shape, { kind: 'record' }>): Schema {
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
