import { expect, test } from 'vitest'
import { overlap } from './file-overlap.ts'

test.each([
  ['src/a.ts', 'src/a.ts', true],
  ['src/a.ts', 'src', true],
  ['src/a.ts', 'src/', true],
  ['src/a.ts', 'src/*.ts', true],
  ['src/a.ts', 'src/a.ts*', true],
  ['src/foo', 'src/foo*/x', true],
  ['.', 'src/a.ts', true],
  ['src//a.ts', 'src/./a.ts', true],
  ['**/*.ts', 'docs/x.md', true],
  ['src/a.ts', 'src/b.ts', false],
  ['src', 'srcs/a.ts', false],
  ['docs/*.md', 'src/a.ts', false],
])('F15: %s and %s: %s', (one, other, expected) => {
  expect(overlap(one, other)).toBe(expected)
  expect(overlap(other, one)).toBe(expected)
})
