import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../test/kit/seed.ts'
import { parse } from 'yaml'
import { z } from 'zod'
import { packageFolder, projectWith } from '../../test/kit/definitions.ts'
import { createFindings } from './finding.ts'
import { pipelineJsonSchema, stageJsonSchema } from './json-schema.ts'
import { completions, entryKeys, otherNames, snakeCase, stageKeys } from './keys.ts'
import { listDefinitions } from './list.ts'
import { readFields } from './read-fields.ts'
import { readYaml } from './yaml-value.ts'

const stage = z.fromJSONSchema(stageJsonSchema())
const pipeline = z.fromJSONSchema(pipelineJsonSchema())

/** JSON is YAML. */
function isRead(fields: Record<string, unknown>): boolean {
  const map = readYaml(JSON.stringify(fields))
  if ('problem' in map || map.kind !== 'map') return false
  const { addFinding: tell, list } = createFindings()
  readFields(map, stageKeys, 'stage.yaml', tell)
  return list().length === 0
}

describe('C8: the JSON Schemas of stages and pipelines', () => {
  test.each([
    ['stage', stageJsonSchema],
    ['pipeline', pipelineJsonSchema],
  ])('are what schemas/%s.schema.json holds (vitest -u writes it)', async (name, schema) => {
    await expect(`${JSON.stringify(schema(), null, 2)}\n`).toMatchFileSnapshot(`../../schemas/${name}.schema.json`)
  })

  test('accept every built-in definition', () => {
    const { root } = projectWith({})
    const found = listDefinitions({ root, packageFolder })
    expect(found.length).toBeGreaterThan(5)
    for (const { kind, name } of found) {
      const file = kind === 'stage' ? `stages/${name}/stage.yaml` : `pipelines/${name}.yaml`
      const value: unknown = parse(readFileSync(join(packageFolder, file), 'utf8'))
      expect((kind === 'stage' ? stage : pipeline).safeParse(value).success, name).toBe(true)
    }
  })

  test('agree with the reading about anything', () => {
    const words = ['a', 'x y', '', ' ', 'beads', 'plateau:PLATEAU', 'a:B c:<d>', 'a:B:C', 'a:']
    const numbers = [0, 1, 0.5, 2, -1, 10_000, 10_001, 86_401]
    const scalar = fc.constantFrom<unknown>(...completions, ...words, ...numbers, null, true, false)
    const value = fc.oneof(
      scalar,
      fc.array(scalar, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('plateau', 'b', 'no name'), scalar, { maxKeys: 2, noNullPrototype: true }),
    )
    const names = [...Object.keys(entryKeys), ...Object.keys(otherNames), 'nme']
    const key = fc
      .tuple(fc.constantFrom(...names), fc.boolean())
      .map(([name, snake]) => (snake ? snakeCase(name) : name))
    const counts = { right: 0, wrong: 0 }
    fc.assert(
      fc.property(key, value, (name, given) => {
        const right = isRead({ [name]: given })
        counts[right ? 'right' : 'wrong']++
        const accepted = stage.safeParse({ [name]: given }).success
        // The schema does not say that fields of answers are distinct, and at least one.
        if (right || snakeCase(name) !== 'output_parse') expect(accepted).toBe(right)
      }),
      { numRuns: tries(3_000) },
    )
    expect(Math.min(counts.right, counts.wrong)).toBeGreaterThan(tries(300))
  })
})
