import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '../../../test/kit/seed.ts'
import { createObjectFinder } from './object-finder.ts'

function find(text: string): unknown[] {
  const finder = createObjectFinder()
  return text.split('\n').flatMap((line) => finder.push(line))
}

const answer = {
  status: 'complete',
  files: ['a.ts'],
  nested: { deep: [{ x: 1 }, null, true, -1.5e3] },
  text: 'brace } quote " slash \\ {',
}

describe('finds an object', () => {
  const compact = JSON.stringify(answer)
  test.each([
    ['on one line', compact],
    ['pretty-printed', JSON.stringify(answer, null, 2)],
    ['pretty-printed with Windows line ends', JSON.stringify(answer, null, 2).replaceAll('\n', '\r\n')],
    ['in a fence', `Here you go:\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\nDone.`],
    ['after a log prefix', `[INFO] [12:00:01] result: ${compact}`],
    ['after words with quotes and brackets', `he said "use {x} or [y]" and it's { fine\n${compact} bye }`],
    ['in colors', `\u001B[32m${compact}\u001B[0m`],
    ['after a broken one', `{"status": complete}\n${compact}`],
    ['after one that never ends', `{"status": "complete",\n${compact}`],
    ['after an unfinished string', `{"status": "comp\n${compact}`],
    ['after an escape that JSON does not know', `{"a":"\\x41"}\n${compact}`],
  ])('%s', (_, text) => {
    expect(find(text).at(-1)).toEqual(answer)
  })
})

test.each([
  ['', []],
  ['true 42 "text" null', []],
  ['[{"title":"one"},{"title":"two"}]', []],
  ['{"tasks":[{"title":"cut off"}', []],
  ['{"a":1}{"b":2} and {"c":3}', [{ a: 1 }, { b: 2 }, { c: 3 }]],
  ['{"a":{"b":2}}', [{ a: { b: 2 } }]],
  ['{}', [{}]],
  ['{,}', []],
  ['{"a" 1}', []],
  ['{"a":1,}', []],
  ['{"a":tru}', []],
  ['{"a":\u00001}', []],
  ['{"a":"x\ty"}', []],
])('%j holds %j', (text, objects) => {
  expect(find(text)).toEqual(objects)
})

test('a flaw is reported until an object is found', () => {
  const finder = createObjectFinder()
  finder.push('just {words}')
  expect(finder.flaw()).toBeNull()
  finder.push('{"status": "complete", oops: 1}')
  expect(finder.flaw()).toContain('oops')
  finder.push('{"status":"complete"}')
  expect(finder.flaw()).toBeNull()
})

test('an object with a line missing is not put together from the rest', () => {
  const finder = createObjectFinder()
  finder.push('{"a":1,')
  finder.interrupt()
  expect(finder.push('"b":2}')).toEqual([])
})

test('a value too large to be an answer is forgotten', () => {
  const finder = createObjectFinder(100)
  finder.push('{"a":[')
  for (let i = 0; i < 20; i++) finder.push('"0123456789",')
  expect(finder.push('1]}')).toEqual([])
  expect(finder.flaw()).toContain('more than 100')
  expect(finder.push('{"b":1}')).toEqual([{ b: 1 }])
})

test('nesting beyond measure is no object, and no crash', () => {
  expect(find('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000))).toEqual([])
  expect(find(`${'['.repeat(5_000_000)}\n{"a":1}`)).toEqual([{ a: 1 }])
})

test.each(['{', '{"', '{"a', '{"a":', '["', '{\\"', '[1,', '{"a":{"b":"', '"{', ']}'])(
  'a flood of %j takes time in proportion',
  (piece) => {
    // Anything worse than linear time would exceed the test's timeout.
    find(piece.repeat(1_000_000))
  },
)

test('property: any object is found again, however it is printed, after any words', () => {
  const words = fc.stringMatching(/^[^{}[\]"]*$/)
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })),
      fc.constantFrom(0, 2, '\t'),
      words,
      words,
      (value, indent, before, after) => {
        const text = JSON.stringify(value, null, indent)
        expect(find(`${before}${text}${after}`).at(-1)).toEqual(JSON.parse(text))
      },
    ),
  )
})

test('property: no input throws, and only objects are found', () => {
  const pieces = ['{', '}', '[', ']', '"', '\\', ':', ',', '1', 'true', ' ', '\n', 'é', '\u0000']
  const noise = fc.array(fc.constantFrom(...pieces), { maxLength: 60 })
  fc.assert(
    fc.property(noise, (text) => {
      for (const value of find(text.join(''))) expect(Object.prototype.toString.call(value)).toBe('[object Object]')
    }),
    { numRuns: tries(2_000) },
  )
})
