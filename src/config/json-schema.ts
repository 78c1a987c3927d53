/** Generates the JSON Schema of the configuration for editors. A test keeps the committed file equal to it. */
import { dialect, objectSchema, type Schema } from '../schema/json-schema.ts'
import { addAliases } from './alias-schema.ts'
import { keys, openKeys, settings } from './keys.ts'

export function configJsonSchema(): Schema {
  const { properties, ...rest } = objectSchema({ kind: 'object', fields: settings })
  const schema: Schema = {
    $schema: dialect,
    title: 'Looper configuration',
    description: 'For .looper/config.json and ~/.config/looper/config.json. Comments and trailing commas are allowed.',
    ...rest,
    properties: { $schema: { type: 'string', description: 'For editors.' }, ...properties },
    $defs: Object.fromEntries(
      [...keys, ...openKeys].flatMap(({ spec }) =>
        spec.kind === 'object' && spec.title !== undefined ? [[spec.title, objectSchema(spec)]] : [],
      ),
    ),
  }
  addAliases(schema)
  return schema
}
