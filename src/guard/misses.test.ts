/** Weakened tests beside honest new ones, in the styles of real projects: each has to be found. */
import { describe, expect, test } from 'vitest'
import { guard } from './guard.ts'

const found = (path: string, before: string, after: string): string[] =>
  guard.compare([{ path, before, after }], ['npm test']).findings.map(({ kind }) => kind)

/** Imports and the assertion that `sum(1, 2)` is 3, by style. */
const styles: [style: string, head: string, assertion: string][] = [
  [
    'node:assert, named',
    "import { test } from 'node:test'\nimport { equal } from 'node:assert'\n",
    'equal(sum(1, 2), 3)',
  ],
  [
    'node:assert, renamed',
    "import { test } from 'node:test'\nimport { strictEqual as same } from 'node:assert/strict'\n",
    'same(sum(1, 2), 3)',
  ],
  [
    'assert, another name',
    "const test = require('tape')\nconst a = require('assert')\n",
    'a.strictEqual(sum(1, 2), 3)',
  ],
  ['assert, taken apart', "const { deepEqual: same } = require('assert')\n", 'same(sum(1, 2), 3)'],
  ['uvu', "import { test } from 'uvu'\nimport * as assert from 'uvu/assert'\n", 'assert.is(sum(1, 2), 3)'],
  ['uvu, named', "import { test } from 'uvu'\nimport { is } from 'uvu/assert'\n", 'is(sum(1, 2), 3)'],
  ['tape', "const test = require('tape')\n", 't.equal(sum(1, 2), 3)'],
  ['chai', "import { expect } from 'chai'\n", 'expect(sum(1, 2)).to.equal(3)'],
]
const added = "test('is new', (t) => { t.equal(sum(2, 2), 4); assert.is(sum(2, 2), 4); expect(sum(2, 2)).toBe(4) })\n"

describe.each(styles)('%s, beside a new test', (_style, head, assertion) => {
  const body = (inner: string): string => `${head}test('adds', (t) => {\n  const x = sum(0, 0)\n  ${inner}\n})\n`
  const file = (text: string): [string, string, string] => ['test/sum.test.js', body(assertion), text]

  test('an assertion is removed', () => expect(found(...file(body('') + added))).toContain('assertions-removed'))
  test('the test is skipped', () => {
    const skipped = body(assertion).replace("test('adds'", "test.skip('adds'")
    expect(found(...file(skipped + added))).toContain('test-skipped')
  })
  test('the test is deleted', () => expect(found(...file(head + added))).toContain('test-deleted'))
  test('nothing but the new test', () => expect(found(...file(body(assertion) + added))).toEqual([]))
})

test('an assertion in a function that is given the test', () => {
  const file = (inner: string): string =>
    `const test = require('tape')\nfunction same(t, a, b) {\n  ${inner}\n}\ntest('adds', (t) => { same(t, sum(1, 2), 3); t.end() })\n`
  expect(found('test/sum.js', file('t.equal(a, b)'), file('t.ok(true)'))).not.toEqual([])
})

test('rows of the first of two tables with one name', () => {
  const rows = (list: string): string =>
    `cases = [${list}]\n  test.each(cases)('adds %i', (a) => { expect(sum(a)).toBe(a) })\n`
  const file = (first: string): string =>
    `describe('one', () => {\n  const ${rows(first)}})\ndescribe('two', () => {\n  const ${rows('[7], [8]')}})\n`
  expect(found('test/sum.test.js', file('[1], [2], [3], [4]'), file('[1], [2]'))).not.toEqual([])
})

describe('unittest with a mixin', () => {
  const file = (inner: string): string =>
    `import unittest\n\n\nclass Sums:\n    def test_adds(self):\n        x = add(0, 0)\n${inner}\n\nclass TestInts(Sums, unittest.TestCase):\n    pass\n`
  const assertion = '        self.assertEqual(add(1, 2), 3)\n'
  test('an assertion is removed', () =>
    expect(found('tests/test_a.py', file(assertion), file(''))).toContain('assertions-removed'))
  test('its test is deleted', () =>
    expect(
      found('tests/test_a.py', file(assertion), file(assertion).replace(/    def test_adds[^]*?3\)\n/, '    pass\n')),
    ).toContain('test-deleted'))
})

test.each([
  ['a condition of the test', "test('adds', { skip: !process.env.FULL }, () => {"],
  ['a condition inside', "test('adds', (t) => { if (!process.env.FULL) return t.skip()\n"],
])('a conditional skip: %s', (_what, head) => {
  const file = (first: string): string =>
    `import { test } from 'node:test'\n${first}\n  expect(sum(1, 2)).toBe(3)\n})\n`
  expect(found('test/sum.test.js', file("test('adds', (t) => {"), file(head))).toContain('test-skipped')
})
