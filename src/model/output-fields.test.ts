import { describe, expect, test } from 'vitest'
import { parseOutputFields, readOutputFields } from './output-fields.ts'

describe('output_parse', () => {
  test.each([
    [
      'plateau:PLATEAU reasoning:REASONING',
      [
        { field: 'plateau', label: 'PLATEAU' },
        { field: 'reasoning', label: 'REASONING' },
      ],
    ],
    [
      '  plateau:PLATEAU,\n reasoning:WHY ',
      [
        { field: 'plateau', label: 'PLATEAU' },
        { field: 'reasoning', label: 'WHY' },
      ],
    ],
    ['status:<promise>', [{ field: 'status', label: '<promise>' }]],
  ])('%j', (text, expected) => {
    expect(parseOutputFields(text)).toEqual(expected)
  })

  test.each(['', 'plateau', 'plateau:', ':PLATEAU', 'a:b:c', 'a:B a:C', 'a:<b', 'a:.*', 'a b:C'])(
    '%j is none',
    (text) => {
      expect(parseOutputFields(text)).toBeNull()
    },
  )
})

describe('C2: PLATEAU and promises count only as declared lines', () => {
  const fields = parseOutputFields('plateau:PLATEAU reasoning:REASONING status:<promise>') ?? []

  test.each([
    ['PLATEAU: true\nREASONING: nothing left', { plateau: 'true', reasoning: 'nothing left' }],
    ['**PLATEAU:** true\r\n', { plateau: 'true' }],
    ['**PLATEAU: true**', { plateau: 'true' }],
    ['`PLATEAU: false`', { plateau: 'false' }],
    ['PLATEAU: true or false?\n…\nPLATEAU: false', { plateau: 'false' }],
    ['<promise>COMPLETE</promise>', { status: 'COMPLETE' }],
    ['I would say PLATEAU: true, but', {}],
    ['the plan says <promise>COMPLETE</promise> at its end', {}],
    ['<promise>', {}],
    ['<promise>COMPLETE', {}],
    ['plateau: true', {}],
    ['OTHER: x', {}],
  ])('%j', (text, expected) => {
    expect(Object.fromEntries(readOutputFields(text, fields))).toEqual(expected)
  })

  test('nothing is declared: nothing counts', () => {
    expect(readOutputFields('PLATEAU: true', [])).toEqual(new Map())
  })

  test('a long line costs no more than its length', () => {
    expect(readOutputFields(`${' *'.repeat(300_000)}x`, fields)).toEqual(new Map())
    expect(readOutputFields(`x${' *'.repeat(300_000)}x`, fields)).toEqual(new Map())
  })
})
