/** The list of long files in `test/kit/longest-first.ts` is true, and orders the tests. */
import { relative } from 'node:path'
import { expect, test } from 'vitest'
import { longest, rankOf } from '../kit/longest-first.ts'
import { root, testFiles } from './sources.ts'

test('each entry of the list is the start of a test', () => {
  const tests = testFiles.map((file) => relative(root, file)).filter((path) => path.endsWith('.test.ts'))
  expect(longest.filter((start) => !tests.some((path) => path.startsWith(start)))).toEqual([])
})

test('a file of the list comes before the files that are not in it', () => {
  const paths = ['src/core/decide.test.ts', 'test/e2e/apply.test.ts', 'src/simulation/more-worlds.test.ts']
  expect(paths.toSorted((a, b) => rankOf(a) - rankOf(b))).toEqual(paths.toReversed())
})
