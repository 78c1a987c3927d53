import { expect, test } from 'vitest'
import { isBuildProduct } from './build-products.ts'

test.each([
  ['a.pyc', true],
  ['src/__pycache__/a.cpython-311.pyc', true],
  ['pkg.egg-info/PKG-INFO', true],
  ['node_modules/x/index.js', true],
  ['Main.class', true],
  ['.DS_Store', true],
  ['tsconfig.tsbuildinfo', true],
  ['src/class.ts', false],
  ['dist/index.js', false],
  ['docs/node_modules.md', false],
  ['foo.o.md', false],
])('%s', (path, is) => {
  expect(isBuildProduct(path)).toBe(is)
})
