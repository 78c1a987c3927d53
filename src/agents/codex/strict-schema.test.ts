import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { purposes, type Purpose } from '../../model/purposes.ts'
import { isObject } from '../json.ts'
import { resultJsonSchema, validateResult } from '../result.ts'
import { strictSchema } from './strict-schema.ts'

type Schema = Record<string, unknown>
const strict = (schema: object): Schema | null => JSON.parse(strictSchema(JSON.stringify(schema)) ?? 'null')
const asked = Object.keys(purposes) as Purpose[]

describe('a strict schema', () => {
  test.each<[string, object, object | null]>([
    ['has no sizes', { type: 'string', minLength: 1, maxLength: 3 }, { type: 'string' }],
    [
      'has words, and choices',
      { type: 'string', enum: ['x'], description: 'd' },
      { description: 'd', type: 'string', enum: ['x'] },
    ],
    ['has constants', { const: 1 }, { const: 1 }],
    [
      'has lists',
      { type: 'array', default: [], maxItems: 9, items: { type: 'number' } },
      { type: 'array', items: { type: 'number' } },
    ],
    ['is impossible for any value', {}, null],
    ['is impossible for any object', { type: 'object' }, null],
    ['is impossible for any object in a list', { type: 'array', items: { type: 'object' } }, null],
    ['is impossible for a reference', { anyOf: [{ $ref: '#/x' }] }, null],
  ])('%s', (_, part, expected) => {
    const whole = strict({ type: 'object', properties: { a: part }, required: ['a'], additionalProperties: {} })
    expect(whole).toEqual(
      expected && { type: 'object', properties: { a: expected }, required: ['a'], additionalProperties: false },
    )
  })

  test.each<[string, object, object]>([
    ['may be null instead', { type: 'string' }, { anyOf: [{ type: 'string' }, { type: 'null' }] }],
    ['may be null already', { type: ['number', 'null'], default: null }, { type: ['number', 'null'] }],
    ['may be one of many, null among them', { anyOf: [{ type: 'null' }] }, { anyOf: [{ type: 'null' }] }],
    [
      'is as good as its default',
      { type: 'array', default: [], items: { type: 'number' } },
      { type: 'array', items: { type: 'number' } },
    ],
  ])('an optional key %s', (_, part, expected) => {
    expect(strict({ type: 'object', properties: { a: part } })).toMatchObject({
      properties: { a: expected },
      required: ['a'],
    })
  })

  test('is one of an object', () => {
    expect(strict({ type: 'string' })).toBeNull()
  })

  test('there is none of what is no schema', () => {
    expect(['', 'null', '[]', '{"type":'].map(strictSchema)).toEqual([null, null, null, null])
  })
})

describe.each(asked)('the schema of the answer to %s', (purpose) => {
  test('is strict all the way down', async () => {
    const schema = strict(await resultJsonSchema(purpose))
    expect(schema).not.toBeNull()
    for (const part of parts(schema)) {
      expect(Object.keys(part)).not.toContain('default')
      expect(Object.keys(part)).not.toContain('maxLength')
      if (part['type'] !== 'object') continue
      expect(part['additionalProperties']).toBe(false)
      expect(part['required']).toEqual(Object.keys(part['properties'] as Schema))
    }
  })

  test('asks for answers that are valid', async () => {
    const schema = strict(await resultJsonSchema(purpose))
    await fc.assert(
      fc.asyncProperty(answersTo(schema as Schema), async (answer) => {
        expect(await validateResult(purpose, answer)).toMatchObject({ ok: true })
      }),
    )
  })
})

test('an answer without a shape has no strict schema', () => {
  expect(strict({ type: 'object' })).toBeNull()
})

function parts(value: unknown): Schema[] {
  if (Array.isArray(value)) return value.flatMap(parts)
  if (!isObject(value)) return []
  const inner = Object.entries(value).flatMap(([key, part]) =>
    key === 'properties' ? Object.values(part as Schema) : [part],
  )
  return [value, ...inner.flatMap(parts)]
}

/** Answers that a model may give under the schema; strings that must not be empty are not empty. */
function answersTo(schema: Schema): fc.Arbitrary<unknown> {
  if (Array.isArray(schema['anyOf'])) return fc.oneof(...schema['anyOf'].map((choice) => answersTo(choice as Schema)))
  if (Array.isArray(schema['enum'])) return fc.constantFrom(...(schema['enum'] as unknown[]))
  if (Array.isArray(schema['type'])) return fc.oneof(...schema['type'].map((type) => answersTo({ type })))
  switch (schema['type']) {
    case 'object': {
      const keys = Object.entries(schema['properties'] as Schema).map(([key, part]) => [key, answersTo(part as Schema)])
      return fc.record(Object.fromEntries(keys))
    }
    case 'array':
      return fc.array(answersTo(schema['items'] as Schema), { maxLength: 3 })
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true })
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    default:
      return fc.string({ minLength: 1 })
  }
}
