/** Adds the names of other tools to the JSON Schema, so that editors accept but do not suggest them. */
import type { Schema } from '../schema/json-schema.ts'
import { aliases } from './aliases.ts'
import type { Alias } from './aliases.ts'

/** Modifies the schema in place. Names that Looper also uses are already there. */
export function addAliases(schema: Schema): void {
  for (const alias of aliases) if (alias.origin === 'file') add(schema, schema, alias.name.split('.'), alias)
}

function add(root: Schema, node: Schema, [part = '', ...rest]: readonly string[], alias: Alias): void {
  const target = resolve(root, node)
  if (part === '*') {
    add(root, asSchema(target.additionalProperties), rest, alias)
    return
  }
  const properties = asSchema((target.properties ??= {}))
  if (rest.length === 0) properties[part] ??= { description: meaning(alias), ...old }
  else add(root, asSchema((properties[part] ??= groupOf(alias))), rest, alias)
}

const old = { deprecated: true, doNotSuggest: true }

const groupOf = ({ tool }: Alias): Schema => ({
  type: 'object',
  additionalProperties: false,
  description: `Settings of ${tool}.`,
  ...old,
})

function meaning({ tool, means }: Alias): string {
  if ('key' in means) return `The name that ${tool} has for "${means.key}".`
  return `Of ${tool}, without effect. ${'instead' in means ? means.instead : ''}`
}

function resolve(root: Schema, node: Schema): Schema {
  const title = typeof node.$ref === 'string' ? node.$ref.split('/').at(-1) : undefined
  return title === undefined ? node : asSchema(asSchema(root.$defs)[title])
}

const asSchema = (value: unknown): Schema => (typeof value === 'object' && value !== null ? (value as Schema) : {})
