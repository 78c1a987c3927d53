import { expect, test } from 'vitest'
import { jsonSchemaOf, schemaOf } from '../model/results.ts'
import { purposes, type Purpose } from '../model/purposes.ts'

const all = Object.keys(purposes) as Purpose[]

test('the schemas for agents are those that answers are checked with (vitest -u writes them)', async () => {
  const schemas = Object.fromEntries(all.map((purpose) => [purposes[purpose].result, jsonSchemaOf(schemaOf(purpose))]))
  await expect(`${JSON.stringify(schemas, null, 2)}\n`).toMatchFileSnapshot('answer-schemas.json')
})
