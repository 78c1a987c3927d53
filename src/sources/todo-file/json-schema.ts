/** Generates the JSON Schema for editors from the table of fields. A test keeps the committed file equal to it. */
import { dialect, schemaOf, type Schema } from '../../schema/json-schema.ts'
import { rootSpec } from './fields.ts'

export const todoJsonSchema = (): Schema => ({
  $schema: dialect,
  title: 'Looper backlog',
  description: 'For to-do.json. Fields that are not named here are kept as they are.',
  ...schemaOf(rootSpec),
})
