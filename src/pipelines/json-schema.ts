/** Generates the JSON Schemas of stages and pipelines for editors. A test keeps the committed files equal to them. */
import { dialect, schemaOf, type Schema } from '../schema/json-schema.ts'
import type { Field, Fields, Spec } from '../schema/shape.ts'
import { list, record, text } from '../schema/spec.ts'
import { entryKeys, otherNames, pipelineKeys, snakeCase, stageKeys } from './keys.ts'

export const stageJsonSchema = (): Schema => ({
  $schema: dialect,
  title: 'Looper stage',
  description: 'For stage.yaml in a folder of .looper/stages.',
  ...mapSchema(stageKeys),
})

export const pipelineJsonSchema = (): Schema => ({
  $schema: dialect,
  title: 'Looper pipeline',
  description: 'For files in .looper/pipelines.',
  ...mapSchema(pipelineKeys),
})

function mapSchema(fields: Fields): Schema {
  const names = Object.keys(fields)
  const synonyms = Object.entries(otherNames).filter(([, name]) => names.includes(name))
  const others = [...names.map((name) => [name, name] as const), ...synonyms]
    .flatMap(([other, name]) => [other, snakeCase(other)].map((spelling) => [spelling, name] as const))
    .filter(([spelling, name]) => spelling !== snakeCase(name))
  const fieldOf = (name: string): Schema => {
    const field = fields[name]
    return field === undefined ? {} : { description: field.about, ...valueSchema(name, field) }
  }
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries([
      ...names.map((name) => [snakeCase(name), fieldOf(name)]),
      ...others.map(([spelling, name]) => [spelling, { ...fieldOf(name), deprecated: true, doNotSuggest: true }]),
    ]),
  }
}

/** Forms that a key accepts besides that of its spec. */
const otherForms: Readonly<Record<string, readonly Spec[]>> = {
  items: [text],
  perspectives: [text],
  outputParse: [list(entryKeys.outputParse.spec, 1), record(text, /^[A-Za-z][A-Za-z0-9_-]*$/, 'the name of a field')],
}

function valueSchema(name: string, { spec }: Field): Schema {
  if (spec === pipelineKeys.stages.spec) return { type: 'array', items: mapSchema(entryKeys) }
  const forms = [spec, ...(otherForms[name] ?? [])].map(formSchema)
  return forms.length > 1 ? { anyOf: forms } : (forms[0] ?? {})
}

/** Numbers and booleans are texts as they are spelled. */
function formSchema(spec: Spec): Schema {
  if (spec.kind === 'list') return { ...schemaOf(spec), items: formSchema(spec.of) }
  if (spec.kind === 'record') return { ...schemaOf(spec), additionalProperties: formSchema(spec.of) }
  if (spec.kind !== 'text' || spec === entryKeys.outputParse.spec) return schemaOf(spec)
  return { ...schemaOf(spec), type: ['string', 'number', 'boolean'] }
}
