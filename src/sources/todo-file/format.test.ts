import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { readDocument } from './document.ts'
import { rootFields, taskFields } from './fields.ts'
import { formatDocument } from './format.ts'

const formatted = (text: string): string => formatDocument(readDocument(text))

describe('fmt (D10)', () => {
  test('writes two spaces, known fields first, unknown ones in their order', () => {
    expect(
      formatted(`\uFEFF{"z": 1.50,\r\n"tasks" : [{"status":"todo", "b":[ ], "title":"x\\u00e9", "a":{ } ,"id":"T1", "steps": ["1",\t"2"], "$": 12345678901234567890}, {} ],
      "project": {"root": ".", "x": [[1, {"id": 1, "a": 2}]], "name": "p"}, "schema_version": 1}`),
    ).toBe(`{
  "schema_version": 1,
  "project": {
    "name": "p",
    "root": ".",
    "x": [
      [
        1,
        {
          "id": 1,
          "a": 2
        }
      ]
    ]
  },
  "tasks": [
    {
      "id": "T1",
      "title": "x\\u00e9",
      "status": "todo",
      "steps": [
        "1",
        "2"
      ],
      "b": [],
      "a": {},
      "$": 12345678901234567890
    },
    {}
  ],
  "z": 1.50
}
`)
  })

  test('keeps keys that appear twice, and which of them counts', () => {
    const text = formatted('{"tasks":[{"title":"b","id":"1","title":"c"}]}')
    expect(JSON.parse(text)).toEqual({ tasks: [{ id: '1', title: 'c' }] })
    expect(text.match(/title/g)).toHaveLength(2)
  })

  const name = fc.constantFrom(...Object.keys(rootFields), ...Object.keys(taskFields), 'x', 'y', '\u00e9"', '7')
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<unknown>(null, true, 0, -1.5, '', '"', '\\', ']}, :'),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(name, tie('tree'), { maxKeys: 6 }),
    ),
  }))
  const source = fc
    .tuple(fc.dictionary(name, tree), fc.constantFrom(0, 1, '\t', '\r\n'))
    .map(([root, indent]) => JSON.stringify(root, null, indent))

  test('changes no value, and nothing the second time', () => {
    fc.assert(
      fc.property(source, (text) => {
        const once = formatted(text)
        expect(JSON.parse(once)).toEqual(JSON.parse(text))
        expect(formatted(once)).toBe(once)
      }),
      { numRuns: tries(1_000) },
    )
  })

  test('is what JSON.stringify writes, where the order is right already', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.constantFrom('b', 'a', 'c'), tree)), (tasks) => {
        const text = JSON.stringify({ tasks, x: tasks }, null, 2)
        expect(formatted(JSON.stringify({ x: tasks, tasks }))).toBe(`${text}\n`)
      }),
    )
  })
})
