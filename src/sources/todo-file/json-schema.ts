/** Generates the JSON Schema for editors from the table of fields. A test keeps the committed file equal to it. */
import { rootSpec, type Field, type Spec } from './fields.ts'

type Schema = Record<string, unknown>

export const todoJsonSchema = (): Schema => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Looper backlog',
  description: 'For to-do.json. Fields that are not named here are kept as they are.',
  ...schemaOf(rootSpec),
})

function schemaOf(spec: Spec): Schema {
  switch (spec.is) {
    case 'text':
      return { type: 'string', ...(spec.pattern === undefined ? {} : { pattern: spec.pattern.source }) }
    case 'whole':
      return spec.min === spec.max ? { const: spec.min } : { type: 'integer', minimum: spec.min, maximum: spec.max }
    case 'choice':
      return { enum: spec.of }
    case 'list':
      return { type: 'array', items: schemaOf(spec.of) }
    case 'object': {
      const needed = spec.fields.filter(({ required }) => required).map(({ name }) => name)
      return {
        type: 'object',
        ...(needed.length > 0 ? { required: needed } : {}),
        properties: Object.fromEntries(spec.fields.map((field) => [field.name, fieldSchema(field)])),
      }
    }
  }
}

const fieldSchema = ({ spec, about, required }: Field): Schema => ({
  description: about,
  ...(required ? schemaOf(spec) : { anyOf: [schemaOf(spec), { type: 'null' }] }),
})
