import { expect, test } from 'vitest'
import { guard } from '../guard.ts'

test.each([
  ['src/a.js', 'if (process.env.NODE_TEST_CONTEXT) go()', true],
  ['src/a.js', "require('assert').strictEqual = () => {}", true],
  ['a.py', 'if "pytest" in sys.modules: pass', true],
  ['a.py', 'unittest.TestCase.assertEqual = print', true],
  ['src/a.js', 'assert.strictEqual(a, b)', false],
  ['src/a.js', '// NODE_TEST_CONTEXT', false],
  ['test/a.js', 'process.env.NODE_TEST_CONTEXT', false],
])('product code that knows of tests: %s with %s: %s', (path, line, expected) => {
  expect(guard.compare([{ path, before: 'x()\n', after: `x()\n${line}\n` }]).findings.length > 0).toBe(expected)
})
